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

import io.proxima.backend.components.Afforest;
import io.proxima.backend.cuda.device.ArrayLayout;
import io.proxima.backend.cuda.device.DeviceArray;
import io.proxima.backend.cuda.device.DeviceLease;
import io.proxima.backend.cuda.device.LaunchPolicy;
import io.proxima.backend.cuda.driver.KernelArguments;
import java.util.List;

/**
 * The weakly connected components of a graph, computed on the device by Afforest; see {@link Afforest} and components.cu.
 */
public final class WeakComponents implements DeviceStructure<WeakComponents.Components> {

    /** The one instance. */
    public static final WeakComponents COMPONENTS = new WeakComponents();

    private static final String MODULE = "components";

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
        Csr.Lists out = making.structure(Csr.OUT);
        Layout plan = Layout.of(n);
        try (DeviceLease lease = making.device().lease(making.stop())) {
            DeviceArray array = making.allocate(lease, "the components of the graph", plan.bytes());
            Forest forest = new Forest(
                    lease,
                    out,
                    n,
                    array.address() + plan.lowest(),
                    array.address() + plan.count(),
                    array.address() + plan.sample());
            forest.plant();
            forest.flatten();
            for (int round = 1; round < Afforest.ROUNDS; round++) {
                forest.linkNeighbour(round);
                forest.flatten();
            }
            // without the in-lists, an edge out of the largest component is seen from inside only
            int skipped = making.graph().isSymmetric() ? forest.mostFrequentRoot() : Afforest.NONE;
            forest.linkEntries(making.graph().entryCount(), skipped);
            forest.flatten();
            return new Components(array, forest.lowest, forest.count());
        }
    }

    /**
     * The steps on the device, in the order of their launches.
     *
     * @param lowest device address of {@code int[n]}: the parents of the slots
     * @param countAt device address of the number of roots
     * @param sampleAt device address of the sample
     */
    private record Forest(DeviceLease lease, Csr.Lists out, int n, long lowest, long countAt, long sampleAt) {

        /** The first round: all trees have one slot, so that a slot needs no root to hang under a neighbour. */
        void plant() {
            lease.launchThreads(MODULE, "components_plant_thread", n, lists().int32("n", n));
        }

        void linkNeighbour(int index) {
            lease.launchThreads(
                    MODULE,
                    "components_neighbour_thread",
                    n,
                    lists().int32("n", n).int32("index", index));
        }

        void flatten() {
            lease.fill(countAt, 0, Integer.BYTES);
            lease.launchThreads(
                    MODULE,
                    "components_flatten_thread",
                    n,
                    component().pointer("count", countAt).int32("n", n));
        }

        int mostFrequentRoot() {
            int[] sample = new int[Math.min(n, Afforest.SAMPLES)];
            lease.launchThreads(
                    MODULE,
                    "components_sample_thread",
                    sample.length,
                    component().pointer("sample", sampleAt).int32("n", n).int32("samples", sample.length));
            lease.download(sampleAt, sample, 1);
            return Afforest.mostFrequent(sample);
        }

        void linkEntries(long entries, int skipped) {
            for (long first = 0; first < entries; first += LaunchPolicy.ENTRIES_A_LAUNCH) {
                long last = Math.min(entries, first + LaunchPolicy.ENTRIES_A_LAUNCH);
                lease.launchThreads(
                        MODULE,
                        "components_link_warp",
                        last - first,
                        lists().int32("n", n)
                                .int32("skipped", skipped)
                                .int64("firstEntry", first)
                                .int64("lastEntry", last));
                lease.await();
            }
        }

        int count() {
            int[] count = new int[1];
            lease.download(countAt, count, 1);
            return count[0];
        }

        private KernelArguments component() {
            return new KernelArguments().pointer("component", lowest);
        }

        private KernelArguments lists() {
            return new KernelArguments()
                    .pointer("ptrs", out.pointers())
                    .pointer("idx", out.indices())
                    .pointer("component", lowest);
        }
    }

    /**
     * The layout of the components: offsets of {@code int[vertexCount]}, the lowest slot of each slot's component, of
     * their number, and of a sample of the former.
     *
     * @param bytes of all
     */
    public record Layout(long lowest, long count, long sample, long bytes) {

        public static Layout of(int vertexCount) {
            ArrayLayout plan = new ArrayLayout();
            return new Layout(
                    plan.add(vertexCount, Integer.BYTES),
                    plan.add(1, Integer.BYTES),
                    plan.add(Math.min(vertexCount, Afforest.SAMPLES), Integer.BYTES),
                    plan.bytes());
        }
    }
}
