// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.backend.Kernel;
import io.proxima.backend.KernelLimitException;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunControl;
import io.proxima.backend.RunOptions;
import io.proxima.backend.TextbookChecks;
import io.proxima.backend.TraversalBackend.MemoryEstimate;
import io.proxima.backend.TraversalBackend.Operation;
import io.proxima.backend.TraversalBackend.Workload;
import io.proxima.backend.VertexOrder;
import io.proxima.backend.cuda.CudaKernels;
import io.proxima.backend.cuda.FakeDeviceTestCase;
import io.proxima.backend.cuda.FakeDevices;
import io.proxima.backend.cuda.family.balls.BallsBfsKernel;
import io.proxima.backend.device.ArrayLayout;
import io.proxima.backend.device.Device;
import io.proxima.backend.device.DeviceLease;
import io.proxima.backend.device.graph.DeviceStructure;
import io.proxima.backend.device.graph.GraphSizes;
import io.proxima.backend.device.graph.GraphView;
import io.proxima.concurrent.Stop;
import io.proxima.projection.Csc;
import io.proxima.projection.Orientation;
import io.proxima.projection.TestGraphs;
import io.proxima.projection.WeightedCsc;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A family that only this test knows is found wherever families are looked for. */
class KernelFamilyTest extends FakeDeviceTestCase {

    private static final Kernel MIRROR =
            new Kernel("mirror", "What 'balls' does.", Operation.BFS, Operation.NEAREST_SOURCE);

    private final MirrorFamily family = new MirrorFamily();
    private final Csc graph = TestGraphs.path(600).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);

    KernelFamilyTest() {
        super(FakeDevices.policy(RunOptions.AUTO));
        use(MIRROR, family);
    }

    /** Takes a device with this family beside the others. */
    private void use(Kernel kernel, KernelFamily.Factory kernels) {
        use(
                driver,
                FakeDevices.backends(
                        CudaKernels.FAMILIES.with(KernelFamily.of(kernel, kernels)),
                        driver,
                        FakeDevices.policy(RunOptions.AUTO)));
    }

    @Test
    void shouldRunByItsKey() {
        try (LoadedGraph loaded = backend.load(graph)) {
            TextbookChecks.checkLevels(graph, loaded, 3, LoadedGraph.NO_MAX_DEPTH, control(MIRROR));
        }
        assertThat(family.launches).hasValue(1);
    }

    @Test
    void shouldBeEstimated() {
        Workload work = new Workload(Operation.BFS, 1, LoadedGraph.NO_MAX_DEPTH)
                .with(control(MIRROR).options());
        MemoryEstimate estimate = backend.estimate(graph, false, work, 1);
        driver.device().forgetMostUsed();
        try (LoadedGraph loaded = backend.load(graph)) {
            loaded.bfs(3, LoadedGraph.NO_MAX_DEPTH, NO_TARGETS, control(MIRROR));
        }
        assertThat(driver.device().mostUsedBytes())
                .as(estimate.device().render())
                .isBetween(estimate.device().minBytes(), estimate.device().maxBytes());
        // its workspace is larger than all others
        assertThat(estimate.device().maxBytes()).isGreaterThan(MirrorFamily.ROOM);
    }

    @Test
    void shouldRefuseKernelsOfAnotherRun() {
        try (LoadedGraph loaded = backend.load(graph)) {
            assertThatThrownBy(() -> loaded.components(control(Kernel.of("near-far"))))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("kernel must be one of [auto, afforest] for COMPONENTS: kernel=near-far");
            assertThatThrownBy(() -> loaded.betweenness(null, control(Kernel.of("bit-parallel"))))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("kernel must be one of [auto, brandes] for BETWEENNESS: kernel=bit-parallel");
        }
    }

    @Test
    void shouldRefuseShortestPathsThatItsKernelsCannotCount() {
        Kernel narrow = new Kernel("narrow", "Counts nothing.", Operation.SHORTEST_PATHS);
        WeightedCsc weights = WeightedCsc.ofOnes(graph);
        use(narrow, new NarrowFamily(narrow));
        try (LoadedGraph loaded = backend.load(graph)) {
            assertThatThrownBy(() -> loaded.shortestPaths(3, weights, LoadedGraph.ANY_DELTA, false, control(narrow)))
                    .isInstanceOf(KernelLimitException.class)
                    .hasMessage("The graph has 600 nodes and 1,198 relationships, parallel ones included, which are too"
                            + " many relationships for kernel 'narrow' and so many nodes. Use backend: 'auto' or"
                            + " 'cpu'.");
            assertThat(loaded.bytes()).isZero();
        }
    }

    private static RunControl control(Kernel kernel) {
        return RunControl.of(1).with(new RunOptions(VertexOrder.NATURAL, kernel));
    }

    /** Of shortest paths, with kernels that can search no graph. */
    private record NarrowFamily(Kernel kernel) implements KernelFamily.Factory {
        @Override
        public DeviceKernels kernels(Device device, Kernel asked, Operation operation) {
            return (DeviceKernels) Proxy.newProxyInstance(
                    PathKernels.class.getClassLoader(),
                    new Class<?>[] {PathKernels.class},
                    (proxy, method, arguments) -> switch (method.getName()) {
                        case "name" -> kernel.keyword();
                        case "canSearch" -> false;
                        default -> throw new AssertionError(method);
                    });
        }
    }

    /** Does what rows of neighbours do, in a larger workspace. */
    private static final class MirrorFamily implements KernelFamily.Factory {

        static final long ROOM = 1L << 24;

        private final AtomicInteger launches = new AtomicInteger();

        @Override
        public DeviceKernels kernels(Device device, Kernel kernel, Operation operation) {
            return new Mirror();
        }

        private final class Mirror implements BfsKernel {

            private final BfsKernel mirrored = new BallsBfsKernel(false);

            @Override
            public String name() {
                return MIRROR.keyword();
            }

            @Override
            public Set<DeviceStructure<?>> structures() {
                return mirrored.structures();
            }

            @Override
            public void addArrays(ArrayLayout workspace, GraphSizes sizes, int sources) {
                mirrored.addArrays(workspace, sizes, sources);
                workspace.add(ROOM, Byte.BYTES);
            }

            @Override
            public Search search(GraphView view) {
                return mirrored.search(view);
            }

            @Override
            public DeviceLease.Outcome launch(
                    DeviceLease lease, GraphView view, long at, int[] sources, int maxDepth, int[] stopTargets) {
                launches.incrementAndGet();
                return mirrored.launch(lease, view, at, sources, maxDepth, stopTargets);
            }
        }
    }
}
