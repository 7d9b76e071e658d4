// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.blocks;

import static io.proxima.backend.cuda.driver.KernelConstants.CONTROL_BYTES;
import static io.proxima.backend.cuda.driver.KernelConstants.CONTROL_LEVEL_OFFSET;
import static io.proxima.backend.cuda.driver.KernelConstants.CONTROL_PAUSED_OFFSET;
import static io.proxima.backend.cuda.driver.KernelConstants.CONTROL_RESUMES_OFFSET;
import static io.proxima.backend.cuda.driver.KernelConstants.CONTROL_STOPPED_OFFSET;
import static io.proxima.backend.cuda.driver.KernelConstants.CONTROL_STOP_SEEN_OFFSET;
import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.Kernel;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunControl;
import io.proxima.backend.RunOptions;
import io.proxima.backend.TextbookBfs;
import io.proxima.backend.VertexOrder;
import io.proxima.backend.cuda.FakeDevices;
import io.proxima.backend.cuda.Gpu;
import io.proxima.backend.cuda.OnGpu;
import io.proxima.backend.cuda.driver.ShippedKernels;
import io.proxima.backend.cuda.graph.Csr;
import io.proxima.backend.device.ArrayLayout;
import io.proxima.backend.device.DeviceLease;
import io.proxima.backend.device.Grid;
import io.proxima.backend.device.KernelArguments;
import io.proxima.backend.device.graph.CopiedLists.Lists;
import io.proxima.concurrent.Stop;
import io.proxima.projection.Csc;
import io.proxima.projection.Orientation;
import io.proxima.projection.TestGraphs;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where a search of one block hears a stop and a pause, on a real device under the checking wrapper. */
@OnGpu
class CudaBlocksTest {

    private static final RunOptions BLOCKS = new RunOptions(VertexOrder.NATURAL, Kernel.of("blocks"));

    /**
     * More lists that a block reads as a whole than it has room to keep in shared memory, and a level of many portions.
     */
    private static final int CENTRES = 200;

    private static final int LEAVES = 2_500;
    private static final int PORTION = 8192;
    private static final int STOP = 0;
    private static final int PAUSE = Integer.BYTES;
    private static final long NULL = 0;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldHearAStopInASearchOfFewLevels(boolean inShared) {
        Csc csc = TestGraphs.starOfStars(CENTRES, LEAVES).toCsc(Orientation.UNDIRECTED, 2, Stop.NEVER);
        FakeDevices.with(Gpu.backend(), csc, RunControl.of(2).with(BLOCKS), 1, view -> {
            view.require(Set.of(Csr.OUT));
            try (DeviceLease lease = Gpu.backend().device().lease(Stop.NEVER)) {
                Launches launches = new Launches(lease, csc, view.structure(Csr.OUT), inShared, STOP, 0, 1, 2);
                launches.next();
                assertThat(launches.told(CONTROL_STOPPED_OFFSET)).isEqualTo(1);
                assertThat(launches.told(CONTROL_LEVEL_OFFSET)).isEqualTo(1);
                assertThat(launches.sourcesTaken()).isEqualTo(1);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldPauseWithinALevelAndGoOnThere(boolean inShared) {
        Csc csc = TestGraphs.starOfStars(CENTRES, LEAVES).toCsc(Orientation.UNDIRECTED, 2, Stop.NEVER);
        int[] sources = {0, csc.vertexCount() - 1};
        FakeDevices.with(Gpu.backend(), csc, RunControl.of(2).with(BLOCKS), 1, view -> {
            view.require(Set.of(Csr.OUT));
            try (DeviceLease lease = Gpu.backend().device().lease(Stop.NEVER)) {
                Launches launches = new Launches(lease, csc, view.structure(Csr.OUT), inShared, PAUSE, sources);
                int pauses = 0;
                while (launches.next()) {
                    pauses++;
                }
                assertThat(pauses).isGreaterThan(sources.length * CENTRES * LEAVES / PORTION);
                assertThat(launches.told(CONTROL_STOPPED_OFFSET)).isZero();
                for (int s = 0; s < sources.length; s++) {
                    assertThat(launches.levels(s))
                            .isEqualTo(TextbookBfs.levels(csc, LoadedGraph.NO_MAX_DEPTH, sources[s]));
                }
            }
        });
    }

    /** Launches of one block that finds a flag set from the beginning: in device memory, where nobody clears it. */
    private static final class Launches {

        private static final int FLAG_BYTES = 2 * Integer.BYTES;

        private final DeviceLease lease;
        private final Csc csc;
        private final Lists lists;
        private final boolean inShared;
        private final int sources;
        private final ArrayLayout plan;
        private final long at;
        private final int[] control = new int[CONTROL_BYTES / Integer.BYTES];

        /** With the flag at this offset set. */
        Launches(DeviceLease lease, Csc csc, Lists lists, boolean inShared, int flag, int... sources) {
            this.lease = lease;
            this.csc = csc;
            this.lists = lists;
            this.inShared = inShared;
            this.sources = sources.length;
            plan = BlocksBatchKernels.workspace(csc.vertexCount(), 1, inShared, sources.length, Integer.BYTES);
            at = lease.workspace(plan.bytes() + CONTROL_BYTES + FLAG_BYTES);
            lease.upload(at + plan.at("sources"), sources, 0, sources.length);
            lease.fill(at + plan.at("nextSource"), 0, Integer.BYTES);
            lease.fill(controlAt(), 0, CONTROL_BYTES + FLAG_BYTES);
            lease.fill(flagAt() + flag, 1, 1);
        }

        private long controlAt() {
            return at + plan.bytes();
        }

        private long flagAt() {
            return controlAt() + CONTROL_BYTES;
        }

        /** Searches, or goes on where the launch before has paused; whether this one has paused. */
        boolean next() {
            if (told(CONTROL_PAUSED_OFFSET) != 0) {
                lease.fill(
                        controlAt() + CONTROL_STOP_SEEN_OFFSET,
                        0,
                        CONTROL_PAUSED_OFFSET + Integer.BYTES - CONTROL_STOP_SEEN_OFFSET);
                lease.fill(controlAt() + CONTROL_RESUMES_OFFSET, 1, 1);
            }
            KernelArguments arguments = ShippedKernels.arguments(
                            inShared ? "msbfs_blocks_wide_block" : "msbfs_blocks_block")
                    .set("outPtrs", lists.pointers())
                    .set("outIdx", lists.indices())
                    .set("sources", at + plan.at("sources"))
                    .set("stopFlag", flagAt())
                    .set("levels", at + plan.at("levels"))
                    .set("queues", at + plan.at("queues"))
                    .set("visited", at + plan.at("visited"))
                    .set("nextSource", at + plan.at("nextSource"))
                    .set("control", controlAt())
                    .set("stride", csc.vertexCount())
                    .set("n", csc.vertexCount())
                    .set("sourceCount", sources)
                    .set("maxDepth", LoadedGraph.NO_MAX_DEPTH)
                    .set("levelBytes", Integer.BYTES)
                    .set("lanes", 4)
                    .set("inShared", inShared ? 1 : 0);
            // no sums; and no report, so that the control block stays as the kernel leaves it
            for (String none :
                    List.of("far", "reach", "rowFar", "rowReach", "rowHarmonic", "rowDepths", "pairs", "report")) {
                arguments.set(none, NULL);
            }
            // wide as in most graphs whose bits fit shared memory
            lease.begin(
                    Grid.cooperative(1)
                            .independent()
                            .withSharedBytes(inShared ? (csc.vertexCount() + 31) / 32 * Integer.BYTES : 0),
                    arguments);
            lease.download(controlAt(), control, 1);
            return told(CONTROL_PAUSED_OFFSET) != 0;
        }

        /** What the last launch has left in its control block. */
        int told(int offset) {
            return control[offset / Integer.BYTES];
        }

        int sourcesTaken() {
            int[] next = new int[1];
            lease.download(at + plan.at("nextSource"), next, 1);
            return next[0];
        }

        int[] levels(int source) {
            int[] levels = new int[csc.vertexCount()];
            lease.download(at + plan.at("levels") + (long) source * levels.length * Integer.BYTES, levels, 1);
            return levels;
        }
    }
}
