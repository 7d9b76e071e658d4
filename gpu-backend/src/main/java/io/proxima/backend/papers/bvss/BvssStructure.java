// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.papers.bvss;

import static io.proxima.backend.cuda.driver.KernelConstants.SLICE_SIZE;
import static io.proxima.backend.cuda.driver.KernelConstants.VSS_MASK_WORDS;
import static io.proxima.backend.cuda.driver.KernelConstants.VSS_SLICES;
import static io.proxima.backend.cuda.driver.KernelConstants.WARP_SIZE;

import io.proxima.backend.device.ArrayLayout;
import io.proxima.backend.device.DeviceArray;
import io.proxima.backend.device.Grid;
import io.proxima.backend.device.KernelArguments;
import io.proxima.backend.device.graph.BuildContext;
import io.proxima.backend.device.graph.DeviceStructure;
import io.proxima.backend.device.graph.GraphSizes;
import io.proxima.backend.device.graph.Recipe;
import java.util.Map;

/**
 * Binarized virtual slice sets (BVSS), the format of Elbek and Kaya, arXiv:2606.05081, section 3.1, with sigma = 8; the
 * mapping on tensor cores is section 5.1. Rows and columns are slots.
 *
 * <p>A slice set covers 8 consecutive columns; a slice is one row with an edge from any of them: its row id and a mask
 * of 8 bits. The slices of a set, in ascending order of their rows, are cut into virtual slice sets (VSS) of 128
 * slices, the work of one warp. Only the last VSS of a set is padded, with masks of zero:
 *
 * <pre>
 *   rowIds, int                one VSS = 128 entries = 512 bytes
 *   +-------------------+-------------------+-----+-----------------------+
 *   | lane 0            | lane 1            |     | lane 31               |
 *   |  r0   r1   r2   r3|  r4   r5   r6   r7| ... | r124 r125  r126  r127 |   one 128-bit load a lane
 *   +-------------------+-------------------+-----+-----------------------+
 *   ^ index 128 v
 *
 *   masks, int                 one VSS = 32 words = 128 bytes
 *   +-------------------+-------------------+-----+-----------------------+
 *   | lane 0            | lane 1            |     | lane 31               |   one 32-bit load a lane
 *   | m3 | m2 | m1 | m0 | m7 | m6 | m5 | m4 | ... | m127|m126|m125|m124   |   bits 31 on the left, 0 on the right
 *   +-------------------+-------------------+-----+-----------------------+
 *   ^ index 32 v
 *     \ 2nd MMA/\ 1st MMA/    low 16 bits of every word: first m8n8k128; high 16 bits: second
 *
 *   bit b of mask m of slice set s is set  iff  there is an edge from column 8 s + b to the slice's row
 * </pre>
 *
 * The manual's page "The BVSS format" specifies each array.
 */
public final class BvssStructure implements DeviceStructure<BvssStructure.SliceSets> {

    /** The one instance. */
    public static final BvssStructure BVSS = new BvssStructure();

    /** The number of virtual slice sets. */
    static final GraphSizes.Figure VIRTUAL_SLICE_SETS = new GraphSizes.Figure(
            graph -> fewestVirtualSliceSets(graph.vertexCount(), graph.entryCount()),
            graph -> mostVirtualSliceSets(graph.vertexCount(), graph.entryCount()));

    private BvssStructure() {}

    /**
     * The four arrays of BVSS.
     *
     * @param layout of the arrays
     * @param sliceSets number of slice sets
     * @param virtualSliceSets number of virtual slice sets
     */
    public record SliceSets(DeviceArray array, ArrayLayout layout, int sliceSets, int virtualSliceSets)
            implements Arrays {

        /** The device address of an array. */
        public long at(String name) {
            return layout.addressOf(name, array.address());
        }

        /** Sets the arguments of a kernel that reads them. */
        KernelArguments set(KernelArguments arguments) {
            return arguments.set(layout, array.address()).set("sliceSets", sliceSets);
        }

        @Override
        public Map<GraphSizes.Figure, Long> figures() {
            return Map.of(VIRTUAL_SLICE_SETS, (long) virtualSliceSets);
        }
    }

    @Override
    public String label() {
        return "slice sets";
    }

    @Override
    public long bytes(GraphSizes graph) {
        return layout(graph.vertexCount(), graph.figure(VIRTUAL_SLICE_SETS)).bytes();
    }

    @Override
    public Recipe recipe(GraphSizes graph) {
        return BvssMaker.recipe(graph);
    }

    @Override
    public SliceSets build(BuildContext context) {
        return new BvssMaker(context).build();
    }

    /** Number of slice sets, sets without slices counted. */
    public static int sliceSetCount(int vertexCount) {
        return (int) ((vertexCount + (SLICE_SIZE - 1L)) / SLICE_SIZE);
    }

    /** The most virtual slice sets that a graph of this shape can have: no two columns share a row. */
    public static long mostVirtualSliceSets(int vertexCount, long entryCount) {
        long sets = Math.min(sliceSetCount(vertexCount), entryCount);
        return sets + (entryCount - sets) / VSS_SLICES;
    }

    /** A lower bound of the virtual slice sets of a graph of this shape: every set is full. */
    public static long fewestVirtualSliceSets(int vertexCount, long entryCount) {
        long rows = Math.max(1, Math.min(VSS_SLICES, vertexCount - 1L));
        long full = rows * SLICE_SIZE;
        return (entryCount + full - 1) / full;
    }

    /** The layout of the arrays. */
    public static ArrayLayout layout(int vertexCount, long virtualSliceSets) {
        return new ArrayLayout()
                .add("realPtrs", sliceSetCount(vertexCount) + 1L, Integer.BYTES)
                .add("virtualToReal", virtualSliceSets, Integer.BYTES)
                .add("rowIds", virtualSliceSets * VSS_SLICES, Integer.BYTES)
                .add("masks", virtualSliceSets * VSS_MASK_WORDS, Integer.BYTES);
    }

    /** The grid of a kernel over BVSS: one thread per vertex and one warp per virtual slice set. */
    public static Grid grid(int vertexCount, long virtualSliceSets) {
        return Grid.cooperative(Math.max(vertexCount, virtualSliceSets * WARP_SIZE));
    }
}
