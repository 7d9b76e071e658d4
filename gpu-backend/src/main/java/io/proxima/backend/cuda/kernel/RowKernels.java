// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.kernel;

import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.cuda.device.ArrayLayout;
import io.proxima.backend.cuda.device.DeviceLease;
import io.proxima.backend.cuda.driver.KernelArguments;
import io.proxima.backend.cuda.graph.GraphSizes;
import io.proxima.backend.cuda.graph.GraphView;
import java.util.Set;

/**
 * Kernels that search from given sources against the edges and add up what reaches each source: a batch ends with final
 * rows, one for each source. Immutable. Sources are slots.
 */
public interface RowKernels extends DeviceKernels {

    @Override
    default long leastWorkspace(GraphSizes graph) {
        // without edges there is no search
        return graph.entryCount() == 0 ? 0 : bytes(graph, Math.min(leastSources(), graph.vertexCount()));
    }

    /** The maximum number of sources of a batch. */
    int mostSources();

    /** The number of sources below which a smaller batch saves no memory. */
    int leastSources();

    /**
     * The exact bytes of the workspace of a batch.
     *
     * @param count sources of this batch
     */
    long bytes(GraphSizes graph, int count);

    /**
     * Begins a batch without waiting for its end. Batches begun one after the other may share a workspace.
     *
     * @param at device address of a workspace of {@link #bytes} bytes
     * @param sources device address of {@code int[count]}: slots
     * @param rows where the rows of these sources begin; zero before the batch
     */
    DeviceLease.Launch begin(DeviceLease lease, GraphView graph, long at, long sources, int count, Rows rows);

    /**
     * Device addresses of sums by source, 0 for those that are not wanted.
     *
     * @param farness {@code long[count]}
     * @param reach {@code long[count]}
     * @param harmonic {@code double[count]}
     * @param depths {@code int[count]}
     * @param pairs {@code long[vertexCount]}: added to: pairs of a source and a vertex by level, from level 1 on
     */
    record Rows(long farness, long reach, long harmonic, long depths, long pairs) {

        private static final long NOT_WANTED = 0;

        /** No rows. */
        public static final Rows NONE = new Rows(NOT_WANTED, NOT_WANTED, NOT_WANTED, NOT_WANTED, NOT_WANTED);

        /** Sets the arguments of a kernel that ends with rows. */
        public KernelArguments set(KernelArguments arguments) {
            return arguments
                    .set("rowFar", farness)
                    .set("rowReach", reach)
                    .set("rowHarmonic", harmonic)
                    .set("rowDepths", depths);
        }

        /** The rows from a source on. */
        public Rows from(int source) {
            return new Rows(
                    farness + (long) source * Long.BYTES,
                    reach + (long) source * Long.BYTES,
                    harmonic == NOT_WANTED ? NOT_WANTED : harmonic + (long) source * Double.BYTES,
                    depths == NOT_WANTED ? NOT_WANTED : depths + (long) source * Integer.BYTES,
                    pairs);
        }
    }

    /**
     * The layout of the rows and the sources of a run.
     */
    record RowsLayout(long sources, SumsLayout sums, Set<DistanceMeasure> measures) {

        /** Room for so many rows of a graph with so many vertices. */
        public static RowsLayout of(int count, int vertexCount, Set<DistanceMeasure> measures) {
            ArrayLayout plan = new ArrayLayout();
            long sources = plan.add(count, Integer.BYTES);
            return new RowsLayout(sources, SumsLayout.of(plan, count, vertexCount, measures), Set.copyOf(measures));
        }

        /** Bytes of all. */
        public long bytes() {
            return sums.bytes();
        }

        /** The rows in an array at this device address. */
        public Rows at(long address) {
            return new Rows(
                    address + sums.farness(),
                    address + sums.reach(),
                    measures.contains(DistanceMeasure.HARMONIC) ? address + sums.harmonic() : Rows.NOT_WANTED,
                    measures.contains(DistanceMeasure.ECCENTRICITY) ? address + sums.depths() : Rows.NOT_WANTED,
                    measures.contains(DistanceMeasure.HOPS) ? address + sums.pairs() : Rows.NOT_WANTED);
        }
    }
}
