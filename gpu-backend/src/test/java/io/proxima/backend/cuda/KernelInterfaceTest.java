// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.backend.LoadedGraph;
import io.proxima.backend.bvss.BvssLayout;
import io.proxima.backend.cuda.device.ArrayLayout;
import io.proxima.backend.cuda.device.CudaDevice;
import io.proxima.backend.cuda.device.DeviceArray;
import io.proxima.backend.cuda.device.DeviceLease;
import io.proxima.backend.cuda.device.Grid;
import io.proxima.backend.cuda.device.LaunchPolicy;
import io.proxima.backend.cuda.driver.KernelArguments;
import io.proxima.backend.cuda.fake.FakeDriver;
import io.proxima.backend.cuda.fake.KernelInterface;
import io.proxima.backend.cuda.family.balls.BallRecords;
import io.proxima.backend.cuda.family.balls.BallsLevelKernels;
import io.proxima.backend.cuda.family.balls.NeighbourRows;
import io.proxima.backend.cuda.family.balls.WindowsLevelKernels;
import io.proxima.backend.cuda.family.blocks.BlocksBatchKernels;
import io.proxima.backend.cuda.family.brandes.DeviceBetweenness;
import io.proxima.backend.cuda.family.directional.CompactLists;
import io.proxima.backend.cuda.family.directional.DirectionalLevelKernels;
import io.proxima.backend.cuda.family.merrill.MerrillLevelKernels;
import io.proxima.backend.cuda.family.nearfar.NearFarSearch;
import io.proxima.backend.cuda.family.tilebfs.TileBfsLevelKernels;
import io.proxima.backend.cuda.family.tilebfs.TileMatrix;
import io.proxima.backend.cuda.family.tiles.NeighbourTiles;
import io.proxima.backend.cuda.family.tiles.TilesSumKernels;
import io.proxima.backend.cuda.family.twolayer.TwoLayerLevelKernels;
import io.proxima.backend.cuda.family.words.LongLists;
import io.proxima.backend.cuda.family.words.WordsBatchKernels;
import io.proxima.backend.cuda.family.xbfs.XbfsLevelKernels;
import io.proxima.backend.cuda.graph.CsrMaker;
import io.proxima.backend.cuda.graph.WeakComponents;
import io.proxima.concurrent.Stop;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Host and kernels agree: the constants of both are equal, and the fake driver takes no launch that the kernels would not. */
class KernelInterfaceTest {

    private static final String MODULE = "compact_build";
    private static final String ENTRY = "compact_heads_thread";

    private final CudaBackends backends = FakeDevices.backends(FakeDriver.hopper(FakeDevices.PLENTY));

    @AfterEach
    void shouldLeaveNothingOnTheDevice() {
        backends.close();
    }

    /** HOST_CONSTANT in the sources of the kernels, by the constant of the host that must equal it. */
    @Test
    void shouldShareEveryConstant() {
        Map<String, Number> ofTheHost = Map.ofEntries(
                entry("SLICE_SIZE", BvssLayout.SLICE_SIZE),
                entry("WARP_SIZE", BvssLayout.WARP_SIZE),
                entry("SLICES_PER_THREAD", BvssLayout.SLICES_PER_THREAD),
                entry("VSS_SLICES", BvssLayout.VSS_SLICES),
                entry("VSS_MASK_WORDS", BvssLayout.VSS_MASK_WORDS),
                entry("PADDING_ROW", BvssLayout.PADDING_ROW),
                entry("BLOCK_THREADS", LaunchPolicy.BLOCK_THREADS),
                entry("NO_MAX_DEPTH", LoadedGraph.NO_MAX_DEPTH),
                entry("UNREACHED", LoadedGraph.UNREACHED),
                entry("LEVELS_TOO_NARROW", DeviceLease.LEVELS_TOO_NARROW),
                entry("COUNTS_TOO_SHALLOW", DeviceLease.COUNTS_TOO_SHALLOW),
                entry("BIT_ALIGNMENT", ArrayLayout.BIT_ALIGNMENT),
                entry("CONTROL_BYTES", ArrayLayout.CONTROL_BYTES),
                entry("CONTROL_LEVEL_OFFSET", DeviceLease.LEVEL_OFFSET),
                entry("CONTROL_STOPPED_OFFSET", DeviceLease.STOPPED_OFFSET),
                entry("CONTROL_RESUMES_OFFSET", DeviceLease.RESUMES_OFFSET),
                entry("CONTROL_STOP_SEEN_OFFSET", DeviceLease.STOP_SEEN_OFFSET),
                entry("CONTROL_PAUSED_OFFSET", DeviceLease.PAUSED_OFFSET),
                entry("PAUSED_WORDS", BlocksBatchKernels.State.PAUSED_WORDS),
                entry("CONTROL_OVERFLOW_OFFSET", DeviceLease.OVERFLOW_OFFSET),
                entry("CONTROL_VSS_PULLED_OFFSET", DeviceLease.WORK_OFFSET),
                entry("SORTED_IN_BLOCK", CsrMaker.SORTED_IN_BLOCK),
                entry("SORT_TILE", CsrMaker.SORT_TILE),
                entry("HEADS", CompactLists.Layout.HEADS),
                entry("HEAD_ALIGNMENT", CompactLists.Layout.HEAD_ALIGNMENT),
                entry("MOST_NARROW", CompactLists.Layout.MOST_NARROW),
                entry("COMPACT_TOTALS", CompactLists.Layout.TOTALS),
                entry("COMPACT_SQUARES", CompactLists.SQUARES),
                entry("COMPACT_ACTIVE", CompactLists.ACTIVE),
                entry("DIRECTIONAL_THREADS", DirectionalLevelKernels.Directional.THREADS),
                entry("DIRECTIONAL_LONG_LIST", DirectionalLevelKernels.State.LONG_LIST),
                entry("DIRECTIONAL_SHARED_BYTES", DirectionalLevelKernels.Directional.SHARED_BYTES),
                entry("DIRECTIONAL_WIDE_SHARED_BYTES", DirectionalLevelKernels.Directional.WIDE_SHARED_BYTES),
                entry("MERRILL_THREADS", MerrillLevelKernels.THREADS),
                entry("XBFS_THREADS", XbfsLevelKernels.THREADS),
                entry("XBFS_MOST_BLOCKS", XbfsLevelKernels.MOST_BLOCKS),
                entry("XBFS_STATE_WORDS", XbfsLevelKernels.State.WORDS),
                entry("OPERATOR_THREADS", TwoLayerLevelKernels.THREADS),
                entry("OPERATOR_GRID_LIST", TwoLayerLevelKernels.State.GRID_LIST),
                entry("LAYER_VERTICES", TwoLayerLevelKernels.State.LAYER_VERTICES),
                entry("TILE_THREADS", TileBfsLevelKernels.THREADS),
                entry("LONG_TILES", TileBfsLevelKernels.State.LONG_TILES),
                entry("LONG_REST", TileBfsLevelKernels.State.LONG_REST),
                entry("WIDE_TILES_FROM", TileMatrix.Layout.WIDE_FROM),
                entry("LEAST_TILE_ENTRIES_32", TileMatrix.Layout.LEAST_ENTRIES_32),
                entry("LEAST_TILE_ENTRIES_64", TileMatrix.Layout.LEAST_ENTRIES_64),
                entry("COMPONENTS_THREADS", WeakComponents.THREADS),
                entry("NEAR_FAR_THREADS", NearFarSearch.THREADS),
                entry("NEAR_FAR_STATE_BYTES", NearFarSearch.STATE_BYTES),
                entry("NEAR_FAR_SHARED_BYTES", NearFarSearch.SHARED_BYTES),
                entry("NEAR_FAR_WIDE_SHARED_BYTES", NearFarSearch.WIDE_SHARED_BYTES),
                entry("NO_NEIGHBOUR", NeighbourRows.NO_NEIGHBOUR),
                entry("MORE_NEIGHBOURS", NeighbourRows.MORE_NEIGHBOURS),
                entry("LEAST_ROW_BITS", NeighbourRows.SHORTEST_BITS),
                entry("MOST_ROW_BITS", NeighbourRows.LONGEST_BITS),
                entry("HUB", BallsLevelKernels.HUB),
                entry("HUB_EDGE_BITS", BallsLevelKernels.HUB_EDGE_BITS),
                entry("RECORD_UNIT", BallRecords.UNIT_INTS),
                entry("RECORD_HEADER", BallRecords.HEADER),
                entry("RECORDS_ROOM_BYTES", BallRecords.READ_AHEAD_BYTES),
                entry("MOST_RADIUS", BallRecords.MOST_RADIUS),
                entry("MOST_BALL", BallRecords.MOST_BALL),
                entry("BALLS_THREADS", BallsLevelKernels.BALLS_THREADS),
                entry("WINDOW_ROWS_THREADS", WindowsLevelKernels.WINDOW_ROWS_THREADS),
                entry("WINDOW_RECORDS_THREADS", WindowsLevelKernels.WINDOW_RECORDS_THREADS),
                entry("OWNER_WORDS", WindowsLevelKernels.State.OWNER_WORDS),
                entry("PART_ENTRIES", LongLists.PART_ENTRIES),
                entry("ITEM_FACTS", LongLists.Layout.FACTS),
                entry("ITEM_FACTS_HUB_ITEMS", LongLists.HUB_ITEMS),
                entry("ITEM_FACTS_ITEM_COUNT", LongLists.ITEM_COUNT),
                entry("ITEM_FACTS_BEHIND_WIDE", LongLists.BEHIND_WIDE),
                entry("ITEM_FACTS_LONG_LISTS", LongLists.LONG_LISTS),
                entry("ITEM_FACTS_LIVE", LongLists.LIVE),
                entry("PUSH_ENTRIES", WordsBatchKernels.State.PUSH_ENTRIES),
                entry("FLAGS_ALIGNMENT", WordsBatchKernels.State.FLAGS_ALIGNMENT),
                entry("WIDEST_TEAM", WordsBatchKernels.TEAM),
                entry("COUNT_PHASES", WordsBatchKernels.State.COUNT_PHASES),
                entry("LEVEL_PHASES", WordsBatchKernels.State.PHASES),
                entry("LEVEL_TOTALS_BYTES", WordsBatchKernels.State.TOTALS_BYTES),
                entry("SEARCH_THREADS", BlocksBatchKernels.THREADS),
                entry("WIDE_SEARCH_THREADS", BlocksBatchKernels.WIDE_THREADS),
                entry("MOST_DECLARED_SHARED_BYTES", BlocksBatchKernels.DECLARED_SHARED_BYTES),
                entry("BETWEENNESS_THREADS", DeviceBetweenness.THREADS),
                entry("BETWEENNESS_BATCH_INTS", DeviceBetweenness.Layout.BATCH_INTS),
                entry("BETWEENNESS_LEVEL_BYTES", DeviceBetweenness.State.LEVEL_BYTES),
                entry("BETWEENNESS_TEAM_BYTES", DeviceBetweenness.State.TEAM_BYTES),
                entry("TOO_MANY_PATHS", DeviceBetweenness.TOO_MANY_PATHS),
                entry("KAPPA", TilesSumKernels.KAPPA),
                entry("TILE_POSITIONS", NeighbourTiles.POSITIONS),
                entry("TILE_COLUMNS", NeighbourTiles.MOST_COLUMNS),
                entry("GROUP_WORDS", TilesSumKernels.State.GROUP_WORDS),
                entry("TILE_BYTES", TilesSumKernels.State.TILE_BYTES),
                entry("NEAR_TILE_BYTES", NeighbourTiles.Layout.NEAR_BYTES));
        assertThat(doubles(ofTheHost)).isEqualTo(doubles(KernelInterface.COMMITTED.constants()));
    }

    /** Exact: all are below 2^53. */
    private static Map<String, Double> doubles(Map<String, ? extends Number> constants) {
        Map<String, Double> doubles = new TreeMap<>();
        constants.forEach((name, value) -> doubles.put(name, value.doubleValue()));
        return doubles;
    }

    @Test
    void shouldNotReadKernelsThatDisagree() {
        assertThatThrownBy(() -> KernelInterface.of(List.of("constant PART_ENTRIES 1024", "constant PART_ENTRIES 512")))
                .hasMessageContaining("disagree")
                .hasMessageContaining("constant PART_ENTRIES 512");
        assertThatThrownBy(() -> KernelInterface.of(List.of("entry a same - S", "entry b same - S")))
                .hasMessageContaining("entry b same - S");
        assertThatThrownBy(() -> KernelInterface.of(List.of("field S 0 ptr one", "field S 0 u64 other")))
                .hasMessageContaining("struct S")
                .hasMessageContaining("other");
    }

    @Test
    void shouldTakeTheArgumentOfTheKernel() {
        launch((lease, at) -> lease.launchThreads(MODULE, ENTRY, 1, heads(at)));
    }

    @Test
    void shouldRefuseALaunchWithoutAField() {
        assertRefused(
                (lease, at) -> lease.launchThreads(
                        MODULE,
                        ENTRY,
                        1,
                        new KernelArguments()
                                .pointer("inPtrs", at)
                                .pointer("inIdx", at)
                                .pointer("heads", at)),
                "24 U32 active");
    }

    @Test
    void shouldRefuseALaunchWithAFieldTooMany() {
        assertRefused(
                (lease, at) -> lease.launchThreads(MODULE, ENTRY, 1, heads(at).int32("more", 0)), "28 U32 more");
    }

    @Test
    void shouldRefuseFieldsInAnotherOrder() {
        assertRefused(
                (lease, at) -> lease.launchThreads(
                        MODULE,
                        ENTRY,
                        1,
                        new KernelArguments()
                                .pointer("inIdx", at)
                                .pointer("inPtrs", at)
                                .pointer("heads", at)
                                .int32("active", 0)),
                "given 32 bytes with");
    }

    @Test
    void shouldRefuseAFieldOfAnotherKind() {
        assertRefused(
                (lease, at) -> lease.launchThreads(
                        MODULE,
                        ENTRY,
                        1,
                        new KernelArguments()
                                .pointer("inPtrs", at)
                                .pointer("inIdx", at)
                                .pointer("heads", at)
                                .float32("active", 0)),
                "24 F32 active");
    }

    @Test
    void shouldRefuseANumberInThePlaceOfAnAddress() {
        assertRefused(
                (lease, at) -> lease.launchThreads(MODULE, ENTRY, 1, heads(7)),
                "compact_heads_thread: wanted an address as inPtrs, given 7");
    }

    @Test
    void shouldRefuseAnAddressInThePlaceOfANumber() {
        assertRefused(
                (lease, at) -> lease.launchThreads("csc_order", "csc_transpose_count_thread", 1, counts(at, at)),
                "csc_transpose_count_thread: wanted a number as entries, given the address ");
    }

    @Test
    void shouldRefuseAnAddressThatWasFreed() {
        long freed;
        CudaDevice device = device();
        try (DeviceArray array = device.memory().allocate("a test", ArrayLayout.ALIGNMENT)) {
            freed = array.address();
        }
        assertRefused(
                (lease, at) -> lease.launchThreads(MODULE, ENTRY, 1, heads(freed)),
                "wanted an address as inPtrs, given " + freed);
    }

    @Test
    void shouldRefuseBlocksOfAnotherSize() {
        assertRefused(
                (lease, at) ->
                        lease.begin("csc_order", "csc_transpose_count_thread", Grid.cooperative(512, 1), counts(at, 0)),
                "wanted blocks of 256 threads, given 512");
    }

    @Test
    void shouldRefuseAnEntryOfAnotherModule() {
        assertRefused(
                (lease, at) -> lease.launchThreads("farness", ENTRY, 1, heads(at)),
                "no entry compact_heads_thread in the module farness");
    }

    /** As a compiler lays them out: each field at a multiple of its size, the whole a multiple of the largest. */
    @Test
    void shouldPadFieldsAndStruct() {
        KernelArguments arguments =
                new KernelArguments().int32("first", 1).int64("second", 2).float32("third", 3);
        assertThat(arguments.fields()).extracting(KernelArguments.Field::offset).containsExactly(0, 8, 16);
        ByteBuffer struct = ByteBuffer.wrap(arguments.bytes()).order(ByteOrder.nativeOrder());
        assertThat(struct.capacity()).isEqualTo(24);
        assertThat(struct.getInt(0)).isEqualTo(1);
        assertThat(struct.getLong(8)).isEqualTo(2);
        assertThat(struct.getFloat(16)).isEqualTo(3);
    }

    private static KernelArguments heads(long at) {
        return new KernelArguments()
                .pointer("inPtrs", at)
                .pointer("inIdx", at)
                .pointer("heads", at)
                .int32("active", 0);
    }

    private static KernelArguments counts(long at, long entries) {
        return new KernelArguments().pointer("idx", at).pointer("counts", at).int64("entries", entries);
    }

    private CudaDevice device() {
        return ((CudaBackend) backends.choose().backend()).device();
    }

    private void launch(Launch launch) {
        CudaDevice device = device();
        try (DeviceLease lease = device.lease(Stop.NEVER)) {
            long at = lease.workspace(ArrayLayout.ALIGNMENT);
            lease.fill(at, 0, ArrayLayout.ALIGNMENT);
            launch.begin(lease, at);
        } finally {
            device.workspace().close();
        }
    }

    private void assertRefused(Launch launch, String message) {
        assertThatThrownBy(() -> launch(launch))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(message);
    }

    private interface Launch {
        void begin(DeviceLease lease, long at);
    }
}
