// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.Kernel;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunControl;
import io.proxima.backend.RunOptions;
import io.proxima.backend.TextbookBfs;
import io.proxima.backend.cuda.CudaFamilyContract;
import io.proxima.backend.cuda.FakeDevices;
import io.proxima.backend.cuda.Gpu;
import io.proxima.backend.cuda.device.ArrayLayout;
import io.proxima.backend.cuda.device.DeviceLease;
import io.proxima.backend.cuda.device.Grid;
import io.proxima.backend.cuda.driver.KernelArguments;
import io.proxima.backend.cuda.family.blocks.BlocksBatchKernels.State;
import io.proxima.backend.cuda.graph.Csr;
import io.proxima.backend.order.VertexOrder;
import io.proxima.concurrent.Stop;
import io.proxima.projection.Csc;
import io.proxima.projection.Orientation;
import io.proxima.projection.TestGraphs;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract with many searches of a block each, on a real device under the checking wrapper. */
class CudaBlocksContractTest extends CudaFamilyContract {

    private static final RunOptions BLOCKS = new RunOptions(VertexOrder.NATURAL, Kernel.of("blocks"));

    /** More lists that a block reads as a whole than it has room to keep in shared memory, and a level of many portions. */
    private static final int CENTRES = 200;

    private static final int LEAVES = 2_500;
    private static final int PORTION = 8192;
    private static final int STOP = 0;
    private static final int PAUSE = Integer.BYTES;
    private static final long NULL = 0;

    CudaBlocksContractTest() {
        super(BLOCKS.order(), BLOCKS.kernel());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldHearAStopInASearchOfFewLevels(boolean inShared) {
        Csc csc = TestGraphs.starOfStars(CENTRES, LEAVES).toCsc(Orientation.UNDIRECTED, 2, Stop.NEVER);
        FakeDevices.with(Gpu.backend(), csc, RunControl.of(2).with(BLOCKS), 1, view -> {
            view.require(Set.of(Csr.OUT));
            try (DeviceLease lease = Gpu.backend().device().lease(Stop.NEVER)) {
                Launches launches = new Launches(lease, csc, view.structure(Csr.OUT), inShared, STOP, 0, 1, 2);
                launches.next();
                assertThat(launches.told(DeviceLease.STOPPED_OFFSET)).isEqualTo(1);
                assertThat(launches.told(DeviceLease.LEVEL_OFFSET)).isEqualTo(1);
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
                assertThat(launches.told(DeviceLease.STOPPED_OFFSET)).isZero();
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
        private final Csr.Lists lists;
        private final boolean inShared;
        private final int sources;
        private final State plan;
        private final long at;
        private final int[] control = new int[ArrayLayout.CONTROL_BYTES / Integer.BYTES];

        /** With the flag at this offset set. */
        Launches(DeviceLease lease, Csc csc, Csr.Lists lists, boolean inShared, int flag, int... sources) {
            this.lease = lease;
            this.csc = csc;
            this.lists = lists;
            this.inShared = inShared;
            this.sources = sources.length;
            plan = State.of(csc.vertexCount(), 1, inShared, sources.length, Integer.BYTES);
            at = lease.workspace(plan.bytes() + ArrayLayout.CONTROL_BYTES + FLAG_BYTES);
            lease.upload(at + plan.sources(), sources, 0, sources.length);
            lease.fill(at + plan.nextSource(), 0, Integer.BYTES);
            lease.fill(controlAt(), 0, ArrayLayout.CONTROL_BYTES + FLAG_BYTES);
            lease.fill(flagAt() + flag, 1, 1);
        }

        private long controlAt() {
            return at + plan.bytes();
        }

        private long flagAt() {
            return controlAt() + ArrayLayout.CONTROL_BYTES;
        }

        /** Searches, or goes on where the launch before has paused; whether this one has paused. */
        boolean next() {
            if (told(DeviceLease.PAUSED_OFFSET) != 0) {
                lease.fill(
                        controlAt() + DeviceLease.STOP_SEEN_OFFSET,
                        0,
                        DeviceLease.PAUSED_OFFSET + Integer.BYTES - DeviceLease.STOP_SEEN_OFFSET);
                lease.fill(controlAt() + DeviceLease.RESUMES_OFFSET, 1, 1);
            }
            // wide as in most graphs whose bits fit shared memory
            int threads = inShared ? BlocksBatchKernels.WIDE_THREADS : BlocksBatchKernels.THREADS;
            lease.begin(
                    "msbfs_blocks",
                    inShared ? "msbfs_blocks_wide_block" : "msbfs_blocks_block",
                    Grid.cooperative(threads, threads)
                            .independent()
                            .withSharedBytes(inShared ? (csc.vertexCount() + 31) / 32 * Integer.BYTES : 0),
                    new KernelArguments()
                            .pointer("outPtrs", lists.pointers())
                            .pointer("outIdx", lists.indices())
                            .pointer("sources", at + plan.sources())
                            .pointer("stopFlag", flagAt())
                            .pointer("levels", at + plan.levels())
                            .pointer("far", NULL)
                            .pointer("reach", NULL)
                            .pointer("rowFar", NULL)
                            .pointer("rowReach", NULL)
                            .pointer("rowHarmonic", NULL)
                            .pointer("rowDepths", NULL)
                            .pointer("pairs", NULL)
                            .pointer("queues", at + plan.queues())
                            .pointer("visited", at + plan.visited())
                            .pointer("nextSource", at + plan.nextSource())
                            .pointer("control", controlAt())
                            // the control block stays as the kernel leaves it
                            .pointer("report", NULL)
                            .int64("stride", csc.vertexCount())
                            .int32("n", csc.vertexCount())
                            .int32("sourceCount", sources)
                            .int32("maxDepth", LoadedGraph.NO_MAX_DEPTH)
                            .int32("levelBytes", Integer.BYTES)
                            .int32("lanes", 4)
                            .int32("inShared", inShared ? 1 : 0));
            lease.download(controlAt(), control, 1);
            return told(DeviceLease.PAUSED_OFFSET) != 0;
        }

        /** What the last launch has left in its control block. */
        int told(int offset) {
            return control[offset / Integer.BYTES];
        }

        int sourcesTaken() {
            int[] next = new int[1];
            lease.download(at + plan.nextSource(), next, 1);
            return next[0];
        }

        int[] levels(int source) {
            int[] levels = new int[csc.vertexCount()];
            lease.download(at + plan.levels() + (long) source * levels.length * Integer.BYTES, levels, 1);
            return levels;
        }
    }
}
