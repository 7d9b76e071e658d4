// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.fake;

import static io.proxima.backend.cuda.driver.KernelConstants.CONTROL_LEVEL_OFFSET;
import static io.proxima.backend.cuda.driver.KernelConstants.CONTROL_OVERFLOW_OFFSET;
import static io.proxima.backend.cuda.driver.KernelConstants.COUNTS_TOO_SHALLOW;
import static io.proxima.backend.cuda.driver.KernelConstants.LEVELS_TOO_NARROW;
import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.Farness;
import io.proxima.backend.bvss.BvssLayout;
import io.proxima.backend.cuda.driver.DeviceDriver;
import io.proxima.backend.cuda.driver.DriverException;
import io.proxima.backend.cuda.driver.KernelArguments;
import io.proxima.backend.cuda.fake.FakeDriver.FakeDevice;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.IntBuffer;
import java.util.Arrays;

/** What the kernels promise, in plain Java: same arguments in the same order, same results. */
final class FakeKernels extends FakeArguments {

    private FakeKernels(FakeDevice device, KernelArguments arguments) {
        super(device, arguments);
    }

    static void run(String entry, FakeDevice device, DeviceDriver.Shape shape, KernelArguments arguments) {
        if (FakeBetweennessKernels.knows(entry)) {
            FakeBetweennessKernels.run(entry, device, shape, arguments);
        } else if (FakeGraphKernels.knows(entry)) {
            FakeGraphKernels.run(entry, device, arguments);
        } else if (FakeManyKernels.knows(entry)) {
            FakeManyKernels.run(entry, device, shape, arguments);
        } else if (FakeTilesKernels.knows(entry)) {
            FakeTilesKernels.run(entry, device, shape, arguments);
        } else if (FakeDirectionalKernel.knows(entry)) {
            FakeDirectionalKernel.run(entry, device, shape, arguments);
        } else if (FakeQueueKernels.knows(entry)) {
            FakeQueueKernels.run(entry, device, shape, arguments);
        } else if (FakeBallsKernels.knows(entry)) {
            FakeBallsKernels.run(entry, device, shape, arguments);
        } else if (FakeFrontierKernels.knows(entry)) {
            FakeFrontierKernels.run(entry, device, shape, arguments);
        } else if (FakeNearFarKernel.knows(entry)) {
            FakeNearFarKernel.run(entry, device, shape, arguments);
        } else {
            runSearch(entry, device, arguments);
        }
    }

    private static void runSearch(String entry, FakeDevice device, KernelArguments arguments) {
        FakeKernels kernel = new FakeKernels(device, arguments);
        if (entry.matches("bfs_bvss_(eager_(berrybees|mma|and)|lazy_(mma|and))_grid")) {
            kernel.search();
        } else if (entry.matches("msbfs_bvss_k(32|64|128|256)_grid")) {
            kernel.multiSource(Integer.parseInt(entry.replaceAll("\\D", "")));
        } else if (entry.equals("farness_counts_harmonic_thread")) {
            kernel.harmonic();
        } else if (entry.matches("permute_rows_gather(8|16|32|64)_thread")) {
            int entryBytes = Integer.parseInt(entry.replaceAll("\\D", "")) / 8;
            kernel.gatherRows(entryBytes, entryBytes);
        } else if (entry.matches("permute_levels_gather(8|16)_thread")) {
            kernel.gatherRows(Integer.BYTES, Integer.parseInt(entry.replaceAll("\\D", "")) / 8);
        } else {
            throw new DriverException("cuModuleGetFunction(" + entry + ")", 500, "CUDA_ERROR_NOT_FOUND");
        }
    }

    /** The graph, from the first four arguments on; the sizes are known only later. */
    private final class Graph {
        private final int vertexCount;
        private final IntBuffer realPtrs;
        private final IntBuffer rowIds;
        private final ByteBuffer masks;

        Graph(long realPtrs, long virtualToReal, long rowIds, long masks, int vertexCount, int sliceSets) {
            assertThat(sliceSets).isEqualTo(BvssLayout.sliceSetCount(vertexCount));
            this.vertexCount = vertexCount;
            this.realPtrs = ints(realPtrs, sliceSets + 1L);
            int vss = this.realPtrs.get(sliceSets);
            this.rowIds = ints(rowIds, (long) vss * BvssLayout.VSS_SLICES);
            this.masks = device.memory(masks, (long) vss * BvssLayout.VSS_SLICES);
            IntBuffer sets = ints(virtualToReal, vss);
            for (int set = 0; set < sliceSets; set++) {
                for (int v = this.realPtrs.get(set); v < this.realPtrs.get(set + 1); v++) {
                    assertThat(sets.get(v)).isEqualTo(set);
                }
            }
        }

        int virtualSliceSets() {
            return realPtrs.get(BvssLayout.sliceSetCount(vertexCount));
        }

        int firstSlice(int set) {
            return realPtrs.get(set) * BvssLayout.VSS_SLICES;
        }

        int lastSlice(int set) {
            return realPtrs.get(set + 1) * BvssLayout.VSS_SLICES;
        }

        int row(int slice) {
            return rowIds.get(slice);
        }

        int mask(int slice) {
            return masks.get(slice) & 0xff;
        }
    }

    private void search() {
        long realPtrs = pointer("realPtrs");
        long virtualToReal = pointer("virtualToReal");
        long rowIds = pointer("rowIds");
        long masks = pointer("masks");
        long inPtrs = pointer("inPtrs");
        long inIdx = pointer("inIdx");
        long sources = pointer("sources");
        long stopTargets = pointer("stopTargets");
        long levelsAt = pointer("levels");
        long[] bits = {pointer("bitsA"), pointer("bitsB"), pointer("bitsC")};
        long[] queues = {pointer("queueA"), pointer("queueB")};
        long control = pointer("control");
        int n = int32("n");
        int sliceSets = int32("sliceSets");
        int sourceCount = int32("sourceCount");
        int targetCount = int32("stopTargetCount");
        int maxDepth = int32("maxDepth");
        int eta = int32("eta");

        Graph graph = new Graph(realPtrs, virtualToReal, rowIds, masks, n, sliceSets);
        if (eta > 0) {
            long entries = device.memory(inPtrs, (n + 1L) * Long.BYTES).getLong(n * Long.BYTES);
            ints(inIdx, entries);
        }
        for (long array : bits) {
            ints(array, (n + 127L) / 128 * 4);
        }
        for (long queue : queues) {
            ints(queue, graph.virtualSliceSets());
        }
        IntBuffer targets = ints(stopTargets, targetCount);
        IntBuffer levels = ints(levelsAt, n);
        for (int v = 0; v < n; v++) {
            levels.put(v, -1);
        }
        int[] frontier = new int[sourceCount];
        ints(sources, sourceCount).get(frontier);
        for (int source : frontier) {
            levels.put(source, 0);
        }
        int level = 0;
        int[] alphas = new int[sliceSets];
        while (level != maxDepth && !anyReached(targets, levels)) {
            int[] found = new int[n];
            int count = 0;
            for (int vertex : frontier) {
                alphas[BvssLayout.sliceSet(vertex)] |= 1 << BvssLayout.columnBit(vertex);
            }
            for (int vertex : frontier) {
                int set = BvssLayout.sliceSet(vertex);
                int alpha = alphas[set];
                alphas[set] = 0;
                for (int i = graph.firstSlice(set); alpha != 0 && i < graph.lastSlice(set); i++) {
                    int row = graph.row(i);
                    if ((graph.mask(i) & alpha) != 0 && levels.get(row) < 0) {
                        levels.put(row, level + 1);
                        found[count++] = row;
                    }
                }
            }
            if (count == 0) {
                break;
            }
            frontier = Arrays.copyOf(found, count);
            level++;
        }
        ByteBuffer block = zeroedControl(control);
        block.putInt(CONTROL_LEVEL_OFFSET, level);
    }

    private static boolean anyReached(IntBuffer targets, IntBuffer levels) {
        for (int i = 0; i < targets.capacity(); i++) {
            if (levels.get(targets.get(i)) >= 0) {
                return true;
            }
        }
        return false;
    }

    private void multiSource(int width) {
        long realPtrs = pointer("realPtrs");
        long virtualToReal = pointer("virtualToReal");
        long rowIds = pointer("rowIds");
        long masks = pointer("masks");
        long sourcesAt = pointer("sources");
        long levelsAt = pointer("levels");
        long far = pointer("far");
        long reach = pointer("reach");
        long levelCounts = pointer("levelCounts");
        long[] state = {pointer("frontier"), pointer("visited"), pointer("next")};
        long activeSets = pointer("activeSets");
        long dirtySets = pointer("dirtySets");
        long[] queues = {pointer("queueA"), pointer("queueB")};
        long control = pointer("control");
        int n = int32("n");
        int sliceSets = int32("sliceSets");
        int sourceCount = int32("sourceCount");
        int maxDepth = int32("maxDepth");
        int levelBytes = int32("levelBytes");
        int levelCapacity = int32("levelCapacity");
        int firstLevel = int32("firstLevel");
        long depths = pointer("depths");
        long pairs = pointer("pairs");

        Graph graph = new Graph(realPtrs, virtualToReal, rowIds, masks, n, sliceSets);
        int words = width / Integer.SIZE;
        assertThat(sourceCount).isBetween(1, width);
        for (long array : state) {
            assertThat(array % 16).isZero();
            ints(array, (long) sliceSets * BvssLayout.SLICE_SIZE * words);
        }
        ints(activeSets, (long) sliceSets * words);
        device.memory(dirtySets, sliceSets);
        for (long queue : queues) {
            ints(queue, graph.virtualSliceSets());
        }
        assertThat(levelsAt == 0 || far + reach + levelCounts + depths + pairs == 0)
                .as("no sums with levels")
                .isTrue();
        MultiSourceResults results = new MultiSourceResults();
        results.sourceCount = sourceCount;
        results.n = n;
        results.levelBytes = levelBytes;
        results.levelCapacity = levelCapacity;
        results.firstLevel = firstLevel;
        results.levels = levelsAt == 0 ? null : device.memory(levelsAt, (long) sourceCount * n * levelBytes);
        results.far = far == 0 ? null : device.memory(far, (long) n * Long.BYTES);
        results.reach = reach == 0 ? null : device.memory(reach, (long) n * Long.BYTES);
        results.counts = levelCounts == 0 ? null : ints(levelCounts, (long) levelCapacity * n);
        results.depths = depths == 0 ? null : ints(depths, n);
        results.pairs = pairs == 0 ? null : device.memory(pairs, (long) n * Long.BYTES);
        results.clearLevels();
        int[] sources = new int[sourceCount];
        ints(sourcesAt, sourceCount).get(sources);
        results.run(graph, sources, words, maxDepth);
        ByteBuffer block = zeroedControl(control);
        block.putInt(CONTROL_LEVEL_OFFSET, results.level);
        block.putInt(CONTROL_OVERFLOW_OFFSET, results.overflow);
    }

    private static final class MultiSourceResults {
        private int sourceCount;
        private int n;
        private int levelBytes;
        private int levelCapacity;
        private int firstLevel;
        private ByteBuffer levels;
        private ByteBuffer far;
        private ByteBuffer reach;
        private IntBuffer counts;
        private IntBuffer depths;
        private ByteBuffer pairs;
        private int level;
        private int overflow;

        void clearLevels() {
            for (int i = 0; levels != null && i < levels.capacity(); i++) {
                levels.put(i, (byte) -1);
            }
        }

        void run(Graph graph, int[] sources, int words, int maxDepth) {
            int[][] frontier = new int[n][];
            int[][] visited = new int[n][words];
            int[] active = sources;
            for (int s = 0; s < sourceCount; s++) {
                int[] own = new int[words];
                own[s / 32] = 1 << (s % 32);
                frontier[sources[s]] = own;
                visited[sources[s]][s / 32] |= own[s / 32];
                store(s, sources[s], 0);
            }
            int[][] gathered = new int[n][];
            while (level != maxDepth && active.length > 0) {
                int[] touched = new int[n];
                int count = 0;
                int lastSet = -1;
                Arrays.sort(active);
                for (int vertex : active) {
                    int set = BvssLayout.sliceSet(vertex);
                    if (set == lastSet) {
                        continue;
                    }
                    lastSet = set;
                    for (int i = graph.firstSlice(set); i < graph.lastSlice(set); i++) {
                        int row = graph.row(i);
                        for (int bits = graph.mask(i); bits != 0; bits &= bits - 1) {
                            int[] from = frontier[BvssLayout.firstColumn(set) + Integer.numberOfTrailingZeros(bits)];
                            if (from == null) {
                                continue;
                            }
                            if (gathered[row] == null) {
                                gathered[row] = new int[words];
                                touched[count++] = row;
                            }
                            for (int w = 0; w < words; w++) {
                                gathered[row][w] |= from[w];
                            }
                        }
                    }
                }
                for (int vertex : active) {
                    frontier[vertex] = null;
                }
                active = advance(frontier, visited, gathered, Arrays.copyOf(touched, count), words);
                if (active == null) {
                    return;
                }
            }
        }

        /** The vertices newly reached at the next level; null if that ends the run. */
        private int[] advance(int[][] frontier, int[][] visited, int[][] gathered, int[] touched, int words) {
            int[] found = new int[touched.length];
            int count = 0;
            for (int row : touched) {
                int fresh = 0;
                for (int w = 0; w < words; w++) {
                    gathered[row][w] &= ~visited[row][w];
                    fresh += Integer.bitCount(gathered[row][w]);
                }
                if (fresh > 0) {
                    frontier[row] = gathered[row];
                    found[count++] = row;
                }
                gathered[row] = null;
            }
            if (count == 0) {
                return new int[0];
            }
            long deepest = levels == null || levelBytes == 4 ? Integer.MAX_VALUE : (1L << (8 * levelBytes)) - 2;
            if (level + 1 > deepest) {
                overflow |= LEVELS_TOO_NARROW;
                return null;
            }
            level++;
            for (int i = 0; i < count; i++) {
                settle(found[i], frontier[found[i]], visited[found[i]], words);
            }
            boolean onlyCounts = counts != null && far == null && reach == null && depths == null && pairs == null;
            return onlyCounts && level - firstLevel >= levelCapacity ? null : Arrays.copyOf(found, count);
        }

        private void settle(int row, int[] fresh, int[] visited, int words) {
            int reachedBy = 0;
            for (int w = 0; w < words; w++) {
                visited[w] |= fresh[w];
                reachedBy += Integer.bitCount(fresh[w]);
                for (int bits = fresh[w]; levels != null && bits != 0; bits &= bits - 1) {
                    store(32 * w + Integer.numberOfTrailingZeros(bits), row, level);
                }
            }
            if (far != null) {
                far.putLong(row * Long.BYTES, far.getLong(row * Long.BYTES) + (long) level * reachedBy);
            }
            if (reach != null) {
                reach.putLong(row * Long.BYTES, reach.getLong(row * Long.BYTES) + reachedBy);
            }
            if (depths != null) {
                depths.put(row, Math.max(depths.get(row), level));
            }
            if (pairs != null) {
                pairs.putLong(level * Long.BYTES, pairs.getLong(level * Long.BYTES) + reachedBy);
            }
            if (counts != null && level >= firstLevel) {
                if (level - firstLevel < levelCapacity) {
                    int at = (level - firstLevel) * n + row;
                    counts.put(at, counts.get(at) + reachedBy);
                } else {
                    overflow |= COUNTS_TOO_SHALLOW;
                }
            }
        }

        private void store(int source, int vertex, int atLevel) {
            if (levels == null) {
                return;
            }
            int index = source * n + vertex;
            if (levelBytes == 1) {
                levels.put(index, (byte) atLevel);
            } else if (levelBytes == 2) {
                levels.putShort(2 * index, (short) atLevel);
            } else {
                levels.putInt(4 * index, atLevel);
            }
        }
    }

    private void harmonic() {
        long levelCounts = pointer("levelCounts");
        long sums = pointer("harmonic");
        int n = int32("n");
        int levelCount = int32("levelCount");
        int firstLevel = int32("firstLevel");
        IntBuffer counts = ints(levelCounts, (long) levelCount * n);
        DoubleBuffer harmonic = device.memory(sums, (long) n * Double.BYTES).asDoubleBuffer();
        for (int level = 0; level < levelCount; level++) {
            for (int v = 0; v < n; v++) {
                long count = Integer.toUnsignedLong(counts.get(level * n + v));
                harmonic.put(v, Farness.addHarmonic(harmonic.get(v), count, firstLevel + level));
            }
        }
    }

    /** The device is little-endian: the first bytes of a number are the number, where they suffice. */
    private void gatherRows(int fromBytes, int entryBytes) {
        long in = pointer("in");
        long slotOfVertex = pointer("slotOfVertex");
        long out = pointer("out");
        int n = int32("n");
        long first = int64("first");
        long count = int64("count");
        IntBuffer slots = slotOfVertex == 0 ? null : ints(slotOfVertex, n);
        ByteBuffer to = device.memory(out, count * entryBytes);
        for (long i = 0; i < count; i++) {
            long row = (first + i) / n;
            int vertex = (int) ((first + i) % n);
            int slot = slots == null ? vertex : slots.get(vertex);
            ByteBuffer from = device.memory(in + (row * n + slot) * fromBytes, fromBytes);
            to.put((int) i * entryBytes, from, 0, entryBytes);
        }
    }
}
