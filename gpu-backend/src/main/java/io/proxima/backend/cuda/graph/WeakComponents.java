/*
 * Copyright 2026 The Proxima authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.proxima.backend.cuda.graph;

import io.proxima.backend.cuda.device.ArrayLayout;
import io.proxima.backend.cuda.device.DeviceArray;
import io.proxima.backend.cuda.device.DeviceLease;
import io.proxima.backend.cuda.device.LaunchPolicy;
import io.proxima.backend.cuda.driver.KernelArguments;
import java.util.List;

/** The weakly connected components of a graph, computed on the device by the kernels of msbfs_parts.cu. */
public final class WeakComponents implements DeviceStructure<WeakComponents.Components> {

    /** The one instance. */
    public static final WeakComponents COMPONENTS = new WeakComponents();

    private static final String MODULE = "msbfs_parts";

    private WeakComponents() {}

    /**
     * Components.
     *
     * @param lowest device address of {@code int[vertexCount]}: the lowest slot of each slot's component; slot id space
     * @param count number of components
     */
    public record Components(DeviceArray array, long lowest, int count) implements Arrays {}

    @Override
    public String label() {
        return "components";
    }

    @Override
    public long bytes(GraphSizes graph) {
        return Layout.of(graph.vertexCount()).bytes();
    }

    @Override
    public Recipe recipe(GraphSizes graph, Recipe.Circumstances circumstances) {
        return new Recipe(List.of(Csr.OUT), 0);
    }

    @Override
    public Components make(Making making) {
        int n = making.graph().vertexCount();
        long entries = making.graph().entryCount();
        Csr.Lists out = making.structure(Csr.OUT);
        Layout plan = Layout.of(n);
        int[] count = new int[1];
        try (DeviceLease lease = making.device().lease(making.stop())) {
            DeviceArray array = making.allocate(lease, "the components of the graph", plan.bytes());
            long lowest = array.address() + plan.lowest();
            long countAt = array.address() + plan.count();
            lease.fill(countAt, 0, Integer.BYTES);
            lease.launchThreads(
                    MODULE,
                    "msbfs_parts_singletons_thread",
                    n,
                    new KernelArguments().pointer("component", lowest).int32("n", n));
            for (long first = 0; first < entries; first += LaunchPolicy.ENTRIES_A_LAUNCH) {
                long last = Math.min(entries, first + LaunchPolicy.ENTRIES_A_LAUNCH);
                lease.launchThreads(
                        MODULE,
                        "msbfs_parts_link_warp",
                        last - first,
                        new KernelArguments()
                                .pointer("ptrs", out.pointers())
                                .pointer("idx", out.indices())
                                .pointer("component", lowest)
                                .int32("n", n)
                                .int64("firstEntry", first)
                                .int64("lastEntry", last));
                lease.await();
            }
            lease.launchThreads(
                    MODULE,
                    "msbfs_parts_flatten_thread",
                    n,
                    new KernelArguments()
                            .pointer("component", lowest)
                            .pointer("count", countAt)
                            .int32("n", n));
            lease.download(countAt, count, 1);
            return new Components(array, lowest, count[0]);
        }
    }

    /**
     * The layout of the components: offsets of {@code int[vertexCount]}, the lowest slot of each slot's component, and
     * of their number.
     *
     * @param bytes of both
     */
    public record Layout(long lowest, long count, long bytes) {

        public static Layout of(int vertexCount) {
            ArrayLayout plan = new ArrayLayout();
            return new Layout(plan.add(vertexCount, Integer.BYTES), plan.add(1, Integer.BYTES), plan.bytes());
        }
    }
}
