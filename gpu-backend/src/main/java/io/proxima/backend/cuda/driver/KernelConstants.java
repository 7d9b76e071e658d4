// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.driver;

/** The constants that host and kernels share: HOST_CONSTANT in the sources of the kernels. Written by build.sh. */
public final class KernelConstants {

    public static final int BETWEENNESS_BATCH_INTS = 6;
    public static final int BETWEENNESS_LEVEL_BYTES = 24;
    public static final int BETWEENNESS_TEAM_BYTES = 256;
    public static final int BETWEENNESS_THREADS = 1024;
    public static final int BIT_ALIGNMENT = 128;
    public static final int BLOCK_THREADS = 256;
    public static final int COMPACT_ACTIVE = 1;
    public static final int COMPACT_SQUARES = 0;
    public static final int COMPACT_TOTALS = 2;
    public static final int CONTROL_BYTES = 256;
    public static final int CONTROL_LEVEL_OFFSET = 16;
    public static final int CONTROL_OVERFLOW_OFFSET = 24;
    public static final int CONTROL_PAUSED_OFFSET = 108;
    public static final int CONTROL_RESUMES_OFFSET = 28;
    public static final int CONTROL_STOPPED_OFFSET = 20;
    public static final int CONTROL_STOP_SEEN_OFFSET = 96;
    public static final int CONTROL_WORK_OFFSET = 32;
    public static final int COSTS_OF_SOURCE_BYTES = 56;
    public static final int COUNTS_TOO_SHALLOW = 2;
    public static final int COUNT_PHASES = 2;
    public static final int DIRECTIONAL_LONG_LIST = 4096;
    public static final int DIRECTIONAL_SHARED_BYTES = 40992;
    public static final int DIRECTIONAL_WIDE_SHARED_BYTES = 51232;
    public static final int FLAGS_ALIGNMENT = 32;
    public static final int HEADS = 4;
    public static final int HEAD_ALIGNMENT = 128;
    public static final int HUB = 1024;
    public static final int HUB_EDGE_BITS = 33;
    public static final int ITEM_FACTS = 5;
    public static final int ITEM_FACTS_BEHIND_WIDE = 2;
    public static final int ITEM_FACTS_HUB_ITEMS = 0;
    public static final int ITEM_FACTS_ITEM_COUNT = 1;
    public static final int ITEM_FACTS_LIVE = 4;
    public static final int ITEM_FACTS_LONG_LISTS = 3;
    public static final int KAPPA = 128;
    public static final int LAYER_VERTICES = 1024;
    public static final int LEAST_ROW_BITS = 2;
    public static final int LEAST_TILE_ENTRIES_32 = 16;
    public static final int LEAST_TILE_ENTRIES_64 = 32;
    public static final int LEVELS_TOO_NARROW = 1;
    public static final int LEVEL_PHASES = 3;
    public static final int LEVEL_TOTALS_BYTES = 48;
    public static final int LONG_REST = 256;
    public static final int LONG_TILES = 256;
    public static final int MORE_NEIGHBOURS = -2;
    public static final int MOST_BALL = 320;
    public static final int MOST_DECLARED_SHARED_BYTES = 1024;
    public static final long MOST_NARROW = 4294901760L;
    public static final int MOST_RADIUS = 13;
    public static final int MOST_ROW_BITS = 5;
    public static final int NEAR_FAR_SHARED_BYTES = 36864;
    public static final int NEAR_FAR_STATE_BYTES = 144;
    public static final int NEAR_FAR_SUMS_SHARED_BYTES = 37056;
    public static final int NEAR_FAR_SUMS_WIDE_SHARED_BYTES = 49344;
    public static final int NEAR_FAR_TEAM_BYTES = 176;
    public static final int NEAR_FAR_THREADS = 768;
    public static final int NEAR_FAR_WIDE_SHARED_BYTES = 49152;
    public static final int NEAR_TILE_BYTES = 8;
    public static final int NO_MAX_DEPTH = -1;
    public static final int NO_NEIGHBOUR = -1;
    public static final int OPERATOR_GRID_LIST = 1024;
    public static final int OWNER_WORDS = 32768;
    public static final int PADDING_ROW = 0;
    public static final int PART_ENTRIES = 1024;
    public static final int PAUSED_WORDS = 8;
    public static final int PUSH_ENTRIES = 256;
    public static final int RECORDS_ROOM_BYTES = 1024;
    public static final int RECORD_HEADER = 8;
    public static final int RECORD_UNIT = 8;
    public static final int SEARCH_THREADS = 512;
    public static final int SLICES_PER_THREAD = 4;
    public static final int SLICE_SIZE = 8;
    public static final int SORTED_IN_BLOCK = 2048;
    public static final int SORT_TILE = 64;
    public static final int TILE_BYTES = 512;
    public static final int TILE_COLUMNS = 32;
    public static final int TILE_GROUP_BYTES = 64;
    public static final int TILE_POSITIONS = 32;
    public static final int TOO_MANY_PATHS = 4;
    public static final int UNREACHED = -1;
    public static final int VSS_MASK_WORDS = 32;
    public static final int VSS_SLICES = 128;
    public static final int WARP_SIZE = 32;
    public static final int WIDEST_TEAM = 8;
    public static final int WIDE_SEARCH_THREADS = 1024;
    public static final int WIDE_TILES_FROM = 10001;
    public static final int XBFS_MOST_BLOCKS = 4096;
    public static final int XBFS_STATE_BYTES = 216;
    public static final int XBFS_THREADS = 512;

    private KernelConstants() {}
}
