// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.papers.bvss;

import io.proxima.backend.cuda.driver.KernelConstants;
import io.proxima.backend.cuda.driver.ShippedKernels;
import io.proxima.backend.device.ArrayLayout;
import io.proxima.backend.device.KernelArguments;
import io.proxima.backend.device.LaunchPolicy;
import io.proxima.backend.device.graph.DeviceStructure;
import io.proxima.backend.device.graph.GraphSizes;
import io.proxima.backend.device.graph.GraphView;
import io.proxima.backend.device.kernel.BatchKernels;
import io.proxima.backend.device.kernel.BfsKernel;
import java.util.Set;

/**
 * Multi-source BFS over BVSS: msbfs_bvss.cu.
 *
 * @param mostSources maximum sources of a batch: 32, 64, 128 or 256
 */
public record BvssBatchKernels(String name, int mostSources) implements BatchKernels {

    @Override
    public Set<DeviceStructure<?>> structures() {
        return Set.of(BvssStructure.BVSS);
    }

    @Override
    public ArrayLayout workspace(GraphSizes graph, int most, int count, int levelBytes) {
        long sets = BvssStructure.sliceSetCount(graph.vertexCount());
        long virtualSets = graph.figure(BvssStructure.VIRTUAL_SLICE_SETS);
        long words = width(count, most) / Integer.SIZE;
        long stateWords = sets * KernelConstants.SLICE_SIZE * words;
        return new ArrayLayout()
                .add("sources", count, Integer.BYTES)
                .add("levels", (long) count * graph.vertexCount(), levelBytes)
                .add("frontier", stateWords, Integer.BYTES)
                .add("visited", stateWords, Integer.BYTES)
                .add("next", stateWords, Integer.BYTES)
                .add("activeSets", sets * words, Integer.BYTES)
                .add("dirtySets", sets, Byte.BYTES)
                .add("queueA", virtualSets, Integer.BYTES)
                .add("queueB", virtualSets, Integer.BYTES);
    }

    /** The smallest width, a power of two up to {@code most}, with a bit for each source. */
    public static int width(int sources, int most) {
        int width = LaunchPolicy.SMALLEST_BATCH;
        while (width < sources && width < most) {
            width *= 2;
        }
        return width;
    }

    @Override
    public BfsKernel.Search search(GraphView graph, Batch batch) {
        BvssStructure.SliceSets sets = graph.structure(BvssStructure.BVSS);
        int width = width(batch.count(), batch.most());
        KernelArguments arguments = ShippedKernels.arguments("msbfs_bvss_k" + width + "_grid");
        sets.set(arguments);
        return new BfsKernel.Search(
                BvssStructure.grid(graph.vertexCount(), sets.virtualSliceSets()),
                arguments.set("n", graph.vertexCount()).set("stride", graph.vertexCount()));
    }
}
