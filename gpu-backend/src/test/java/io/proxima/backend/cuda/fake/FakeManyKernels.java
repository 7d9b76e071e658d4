// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.fake;

import static io.proxima.backend.cuda.driver.KernelConstants.CONTROL_LEVEL_OFFSET;
import static io.proxima.backend.cuda.driver.KernelConstants.CONTROL_OVERFLOW_OFFSET;
import static io.proxima.backend.cuda.driver.KernelConstants.CONTROL_VSS_PULLED_OFFSET;
import static io.proxima.backend.cuda.driver.KernelConstants.COUNTS_TOO_SHALLOW;
import static io.proxima.backend.cuda.driver.KernelConstants.ITEM_FACTS;
import static io.proxima.backend.cuda.driver.KernelConstants.LEVELS_TOO_NARROW;
import static io.proxima.backend.cuda.driver.KernelConstants.PART_ENTRIES;
import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.Farness;
import io.proxima.backend.cuda.driver.DeviceDriver;
import io.proxima.backend.cuda.driver.DriverException;
import io.proxima.backend.cuda.driver.KernelArguments;
import io.proxima.backend.cuda.fake.FakeDriver.FakeDevice;
import io.proxima.projection.Csc;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What the kernels of many searches over lists promise, in plain Java: same arguments in the same order, same results. */
public final class FakeManyKernels extends FakeArguments {

    private static final String PARTS = "msbfs_parts_";
    private static final String COMPONENTS = "components_";

    private final DeviceDriver.Shape shape;

    private FakeManyKernels(FakeDevice device, DeviceDriver.Shape shape, KernelArguments arguments) {
        super(device, arguments);
        this.shape = shape;
    }

    static boolean knows(String entry) {
        return entry.startsWith(PARTS)
                || entry.startsWith(COMPONENTS)
                || entry.matches("msbfs_words_(rows_)?k(256|512|1024)_grid")
                || entry.equals("msbfs_blocks_block")
                || entry.equals("msbfs_blocks_wide_block");
    }

    static void run(String entry, FakeDevice device, DeviceDriver.Shape shape, KernelArguments arguments) {
        FakeManyKernels kernel = new FakeManyKernels(device, shape, arguments);
        switch (entry) {
            case COMPONENTS + "afforest_grid" -> kernel.afforest();
            case COMPONENTS + "lowest_thread" -> kernel.lowest();
            case COMPONENTS + "name_thread" -> kernel.name();
            case PARTS + "items_grid" -> kernel.items();
            case "msbfs_blocks_block", "msbfs_blocks_wide_block" -> kernel.blocks();
            default -> {
                if (!entry.startsWith("msbfs_words_")) {
                    throw new DriverException("cuModuleGetFunction(" + entry + ")", 500, "CUDA_ERROR_NOT_FOUND");
                }
                kernel.words(Integer.parseInt(entry.replaceAll("\\D", "")), entry.contains("_rows_"));
            }
        }
    }

    /** Adjacency lists, copied from the device. */
    public static final class Lists {
        public final long[] pointers;
        public final int[] indices;

        public Lists(long[] pointers, int[] indices) {
            this.pointers = pointers;
            this.indices = indices;
        }

        public int length(int slot) {
            return (int) (pointers[slot + 1] - pointers[slot]);
        }

        /** The lists of the edges turned round. */
        public Lists transposed() {
            int n = pointers.length - 1;
            long[] ends = new long[n + 1];
            for (int to : indices) {
                ends[to + 1]++;
            }
            for (int slot = 0; slot < n; slot++) {
                ends[slot + 1] += ends[slot];
            }
            long[] next = ends.clone();
            int[] turned = new int[indices.length];
            for (int slot = 0; slot < n; slot++) {
                for (long e = pointers[slot]; e < pointers[slot + 1]; e++) {
                    turned[(int) next[indices[(int) e]]++] = slot;
                }
            }
            return new Lists(ends, turned);
        }
    }

    // components and items

    private void afforest() {
        assertThat(shape.cooperative()).isTrue();
        assertThat(int64("entriesATurn")).isPositive();
        assertThat(int32("skips")).isBetween(0, 1);
        assertThat(pointer("stopFlag")).isNotZero();
        int n = int32("n");
        Lists lists = lists(pointer("ptrs"), pointer("idx"), n);
        IntBuffer components = ints(pointer("component"), n);
        for (int slot = 0; slot < n; slot++) {
            components.put(slot, slot);
        }
        for (int slot = 0; slot < n; slot++) {
            for (long e = lists.pointers[slot]; e < lists.pointers[slot + 1]; e++) {
                int a = root(components, slot);
                int b = root(components, lists.indices[(int) e]);
                components.put(Math.max(a, b), Math.min(a, b));
            }
        }
        long count = 0;
        for (int slot = 0; slot < n; slot++) {
            components.put(slot, root(components, slot));
            count += components.get(slot) == slot ? 1 : 0;
        }
        zeroedControl(pointer("control")).putLong(CONTROL_VSS_PULLED_OFFSET, count);
    }

    private void lowest() {
        long componentsAt = pointer("component");
        long slotsAt = pointer("slotOfVertex");
        long lowestAt = pointer("lowest");
        int n = int32("n");
        IntBuffer components = ints(componentsAt, n);
        IntBuffer slots = ints(slotsAt, n);
        IntBuffer lowest = ints(lowestAt, n);
        for (int vertex = 0; vertex < n; vertex++) {
            assertThat(Integer.toUnsignedLong(lowest.get(vertex)))
                    .as("above all vertices of the largest graph")
                    .isGreaterThanOrEqualTo(Csc.MAX_VERTICES);
        }
        for (int vertex = n - 1; vertex >= 0; vertex--) {
            lowest.put(components.get(slots.get(vertex)), vertex);
        }
    }

    private void name() {
        long componentsAt = pointer("component");
        long lowestAt = pointer("lowest");
        int n = int32("n");
        IntBuffer components = ints(componentsAt, n);
        IntBuffer lowest = ints(lowestAt, n);
        for (int slot = 0; slot < n; slot++) {
            lowest.put(slot, lowest.get(components.get(slot)));
        }
    }

    private static int root(IntBuffer components, int slot) {
        int root = slot;
        while (components.get(root) != root) {
            root = components.get(root);
        }
        return root;
    }

    private static int parts(long entries) {
        return (int) ((entries + PART_ENTRIES - 1) / PART_ENTRIES);
    }

    private void items() {
        long inPointersAt = pointer("inPtrs");
        long outPointersAt = pointer("outPtrs");
        long itemsAt = pointer("items");
        long factsAt = pointer("facts");
        longs(pointer("blockSums"), shape.blocks());
        int n = int32("n");
        int longEntries = int32("longEntries");
        long[] in = new long[n + 1];
        longs(inPointersAt, n + 1L).get(in);
        long[] out = new long[n + 1];
        longs(outPointersAt, n + 1L).get(out);
        IntBuffer facts = ints(factsAt, ITEM_FACTS);
        for (int i = 0; i < facts.capacity(); i++) {
            assertThat(facts.get(i)).isZero();
        }
        List<int[]> found = new ArrayList<>();
        int hubItems = 0;
        int behindWide = 0;
        int longLists = 0;
        int live = 0;
        for (boolean inParts : new boolean[] {true, false}) {
            for (int slot = 0; slot < n; slot++) {
                long entries = in[slot + 1] - in[slot];
                if (entries > longEntries && (parts(entries) > 1) == inParts) {
                    longLists++;
                    for (int part = 0; part < parts(entries); part++) {
                        found.add(new int[] {slot, part});
                    }
                } else if (entries <= longEntries) {
                    behindWide = Math.max(behindWide, n - slot);
                }
            }
            hubItems = inParts ? found.size() : hubItems;
        }
        for (int slot = 0; slot < n; slot++) {
            live = in[slot + 1] > in[slot] || out[slot + 1] > out[slot] ? slot + 1 : live;
        }
        IntBuffer items = ints(itemsAt, 2L * found.size());
        found.forEach(items::put);
        facts.put(0, new int[] {hubItems, found.size(), behindWide, longLists, live});
    }

    // searches

    /** Where the results of searches go; null for what is not wanted. */
    static final class Results {
        private final Lists out;
        private final int n;
        private final int stride;
        private ByteBuffer levels;
        private int levelBytes;
        private ByteBuffer far;
        private ByteBuffer reach;
        private IntBuffer counts;
        private int levelCapacity;
        private int firstLevel;
        private IntBuffer depths;
        private ByteBuffer pairs;
        private RowBuffers rows = new RowBuffers(null, null, null, null);
        private int level;
        private int overflow;

        Results(Lists out, int n, int stride) {
            this.out = out;
            this.n = n;
            this.stride = stride;
        }

        /** Adds up; null what is not wanted. */
        void takeSums(
                ByteBuffer farOfSlots,
                ByteBuffer reachOfSlots,
                IntBuffer countsByLevel,
                int capacity,
                int firstCounted,
                IntBuffer depthsOfSlots,
                ByteBuffer pairsByLevel) {
            far = farOfSlots;
            reach = reachOfSlots;
            counts = countsByLevel;
            levelCapacity = capacity;
            firstLevel = firstCounted;
            depths = depthsOfSlots;
            pairs = pairsByLevel;
        }

        void search(int index, int source, int maxDepth) {
            for (int slot = 0; levels != null && slot < stride; slot++) {
                store(index, slot, -1);
            }
            store(index, source, 0);
            if (source >= n) {
                return;
            }
            int[] found = new int[n];
            int[] queue = new int[n];
            Arrays.fill(found, -1);
            found[source] = 0;
            queue[0] = source;
            long[] byLevel = new long[n];
            int end = 1;
            for (int at = 0; at < end && found[queue[at]] != maxDepth; at++) {
                int slot = queue[at];
                for (long e = out.pointers[slot]; e < out.pointers[slot + 1]; e++) {
                    int next = out.indices[(int) e];
                    if (found[next] < 0) {
                        found[next] = found[slot] + 1;
                        queue[end++] = next;
                        byLevel[found[next]]++;
                        reached(index, next, found[next]);
                    }
                }
            }
            rows.add(index, byLevel);
        }

        private void reached(int index, int slot, int at) {
            if (levels != null && levelBytes < Integer.BYTES && at > (1 << (Byte.SIZE * levelBytes)) - 2) {
                overflow |= LEVELS_TOO_NARROW;
                return;
            }
            level = Math.max(level, at);
            store(index, slot, at);
            add(far, slot, at);
            add(reach, slot, 1);
            add(pairs, at, 1);
            if (depths != null) {
                depths.put(slot, Math.max(depths.get(slot), at));
            }
            if (counts != null && at >= firstLevel) {
                if (at - firstLevel < levelCapacity) {
                    int entry = (at - firstLevel) * stride + slot;
                    counts.put(entry, counts.get(entry) + 1);
                } else {
                    overflow |= COUNTS_TOO_SHALLOW;
                }
            }
        }

        private static void add(ByteBuffer sums, int index, long more) {
            if (sums != null) {
                int at = index * Long.BYTES;
                sums.putLong(at, sums.getLong(at) + more);
            }
        }

        private void store(int index, int slot, int at) {
            int entry = index * stride + slot;
            if (levels == null) {
                return;
            }
            switch (levelBytes) {
                case Byte.BYTES -> levels.put(entry, (byte) at);
                case Short.BYTES -> levels.putShort(Short.BYTES * entry, (short) at);
                default -> levels.putInt(Integer.BYTES * entry, at);
            }
        }

        void tell(ByteBuffer control) {
            control.putInt(CONTROL_LEVEL_OFFSET, level);
            control.putInt(CONTROL_OVERFLOW_OFFSET, overflow);
        }
    }

    /** Where sums by source lie on the device; 0 for those that are not wanted. */
    private record Rows(long far, long reach, long harmonic, long depths) {

        static Rows taken(FakeManyKernels kernel) {
            return new Rows(
                    kernel.pointer("rowFar"),
                    kernel.pointer("rowReach"),
                    kernel.pointer("rowHarmonic"),
                    kernel.pointer("rowDepths"));
        }

        RowBuffers in(FakeManyKernels kernel, int count) {
            return new RowBuffers(
                    kernel.sums(far, count),
                    kernel.sums(reach, count),
                    kernel.sums(harmonic, count),
                    depths == 0 ? null : kernel.ints(depths, count));
        }
    }

    /** Sums by source; null those that are not wanted. */
    private record RowBuffers(ByteBuffer far, ByteBuffer reach, ByteBuffer harmonic, IntBuffer depths) {

        void add(int source, long[] byLevel) {
            for (int level = 1; level < byLevel.length; level++) {
                Results.add(far, source, level * byLevel[level]);
                Results.add(reach, source, byLevel[level]);
                if (harmonic != null) {
                    int at = source * Double.BYTES;
                    harmonic.putDouble(at, Farness.addHarmonic(harmonic.getDouble(at), byLevel[level], level));
                }
                if (depths != null && byLevel[level] > 0) {
                    depths.put(source, level);
                }
            }
        }
    }

    private void words(int width, boolean withRows) {
        long inPointers = pointer("inPtrs");
        long inIndices = pointer("inIdx");
        long outPointers = pointer("outPtrs");
        long outIndices = pointer("outIdx");
        long components = pointer("component");
        long itemsAt = pointer("items");
        long sourcesAt = pointer("sources");
        long levelsAt = pointer("levels");
        long far = pointer("far");
        long reach = pointer("reach");
        long levelCounts = pointer("levelCounts");
        long depths = pointer("depths");
        long pairs = pointer("pairs");
        Rows rows = Rows.taken(this);
        long counted = pointer("counts");
        long wholes = pointer("wholes");
        long[] bits = {pointer("bitsA"), pointer("bitsB")};
        long[] flags = {pointer("flagsA"), pointer("flagsB")};
        long hubBits = pointer("hubBits");
        long hubDone = pointer("hubDone");
        long masks = pointer("masks");
        long maskOf = pointer("maskOf");
        long queue = pointer("queue");
        long levelTotals = pointer("levelTotals");
        long control = pointer("control");
        int stride = (int) int64("stride");
        int n = int32("n");
        int componentCount = int32("components");
        int itemCount = int32("itemCount");
        int wide = int32("wide");
        int longEntries = int32("longEntries");
        int hubItems = int32("hubItems");
        int sourceCount = int32("sourceCount");
        int maxDepth = int32("maxDepth");
        int levelBytes = int32("levelBytes");
        int levelCapacity = int32("levelCapacity");
        int firstLevel = int32("firstLevel");
        int pushShare = int32("pushShare");

        Lists in = lists(inPointers, inIndices, n);
        Lists out = lists(outPointers, outIndices, n);
        int words = width / Integer.SIZE;
        assertThat(shape.cooperative()).isTrue();
        assertThat(n).isBetween(1, stride);
        assertThat(sourceCount).isBetween(1, width);
        assertThat(pushShare).isPositive();
        assertThat(levelsAt == 0 || far + reach + levelCounts + depths + pairs == 0)
                .as("no sums with levels")
                .isTrue();
        assertThat(rows.far != 0).isEqualTo(withRows);
        if (withRows) {
            assertThat(levelsAt + far + reach + levelCounts + depths)
                    .as("neither levels nor sums by slot with rows")
                    .isZero();
            ints(counted, 2L * width);
            ints(wholes, 3L * sourceCount);
        }
        for (long array : bits) {
            assertThat(array % 16).isZero();
            ints(array, (long) n * words);
        }
        for (long array : flags) {
            device.memory(array, (n + 31L) / 32 * 32);
        }
        ints(hubBits, (long) hubItems * words);
        ints(hubDone, hubItems);
        ints(masks, (long) sourceCount * words);
        if (components != 0) {
            ints(maskOf, componentCount);
        }
        ints(queue, 2 * (n + out.indices.length / 256L));
        longs(levelTotals, 3 * 6);
        checkComponents(components, componentCount, out, n);
        checkItems(ints(itemsAt, 2L * itemCount), hubItems, wide, longEntries, in, n);

        Results results = new Results(out, n, stride);
        results.levelBytes = levelBytes;
        results.levels = levelsAt == 0 ? null : device.memory(levelsAt, (long) sourceCount * stride * levelBytes);
        results.takeSums(
                sums(far, n),
                sums(reach, n),
                levelCounts == 0 ? null : ints(levelCounts, (long) levelCapacity * stride),
                levelCapacity,
                firstLevel,
                depths == 0 ? null : ints(depths, n),
                sums(pairs, n));
        results.rows = rows.in(this, sourceCount);
        searchFrom(sourcesAt, sourceCount, maxDepth, results);
        results.tell(zeroedControl(control));
    }

    private void searchFrom(long sourcesAt, int sourceCount, int maxDepth, Results results) {
        int[] sources = new int[sourceCount];
        ints(sourcesAt, sourceCount).get(sources);
        assertThat(sources).doesNotHaveDuplicates();
        for (int s = 0; s < sourceCount; s++) {
            results.search(s, sources[s], maxDepth);
        }
    }

    /** A slot is full when it has all sources of its component, so no edge may lead out of one. */
    private void checkComponents(long componentsAt, int componentCount, Lists out, int n) {
        IntBuffer components = componentsAt == 0 ? null : ints(componentsAt, n);
        IntBuffer trees = IntBuffer.allocate(n);
        for (int slot = 0; slot < n; slot++) {
            trees.put(slot, slot);
        }
        for (int slot = 0; slot < n; slot++) {
            if (components != null && (components.get(slot) < 0 || components.get(slot) >= componentCount)) {
                throw new AssertionError("component of " + slot + ": " + components.get(slot));
            }
            for (long e = out.pointers[slot]; e < out.pointers[slot + 1]; e++) {
                int other = out.indices[(int) e];
                if (components != null && components.get(slot) != components.get(other)) {
                    throw new AssertionError("an edge leads from the component of " + slot + " to that of " + other);
                }
                int a = root(trees, slot);
                int b = root(trees, other);
                trees.put(Math.max(a, b), Math.min(a, b));
            }
        }
        for (int slot = 1; components == null && slot < n; slot++) {
            if (root(trees, slot) != 0) {
                throw new AssertionError("slot " + slot + " is of another component than slot 0");
            }
        }
    }

    private static void checkItems(IntBuffer items, int hubItems, int wide, int longEntries, Lists in, int n) {
        int[] partsThere = new int[n];
        for (int i = 0; i < items.capacity() / 2; i++) {
            int slot = items.get(2 * i);
            int part = items.get(2 * i + 1);
            boolean isHub = in.length(slot) > PART_ENTRIES;
            assertThat(i < hubItems).as("item %d", i).isEqualTo(isHub);
            // part by part, as a hub's state lies where its first item does
            assertThat(part).as("part of item %d", i).isEqualTo(partsThere[slot]);
            assertThat(part == 0 || items.get(2 * (i - 1)) == slot)
                    .as("item %d", i)
                    .isTrue();
            partsThere[slot]++;
        }
        for (int slot = 0; slot < n; slot++) {
            boolean isDealt = slot >= wide && (longEntries == 0 || in.length(slot) <= longEntries);
            if (partsThere[slot] != (isDealt ? 0 : Math.max(1, parts(in.length(slot))))) {
                throw new AssertionError("slot " + slot + " has " + partsThere[slot] + " items");
            }
        }
    }

    private void blocks() {
        long outPointers = pointer("outPtrs");
        long outIndices = pointer("outIdx");
        long sourcesAt = pointer("sources");
        long levelsAt = pointer("levels");
        long far = pointer("far");
        long reach = pointer("reach");
        Rows rows = Rows.taken(this);
        long pairs = pointer("pairs");
        long queues = pointer("queues");
        long visited = pointer("visited");
        long nextSource = pointer("nextSource");
        long control = pointer("control");
        int stride = (int) int64("stride");
        int n = int32("n");
        int sourceCount = int32("sourceCount");
        int maxDepth = int32("maxDepth");
        int levelBytes = int32("levelBytes");
        int lanes = int32("lanes");
        int inShared = int32("inShared");

        assertThat(n).isBetween(1, stride);
        assertThat(lanes).isBetween(1, 32);
        ints(queues, 2L * shape.blocks() * n);
        long words = (n + 31L) / 32;
        if (inShared == 0) {
            ints(visited, shape.blocks() * words);
        } else {
            assertThat(shape.sharedBytes()).isEqualTo((int) words * Integer.BYTES);
        }
        assertThat(ints(nextSource, 1).get(0)).isZero();
        Results results = new Results(lists(outPointers, outIndices, n), n, stride);
        results.levelBytes = levelBytes;
        results.levels = levelsAt == 0 ? null : device.memory(levelsAt, (long) sourceCount * stride * levelBytes);
        results.far = sums(far, n);
        results.reach = sums(reach, n);
        results.pairs = sums(pairs, n);
        results.rows = rows.in(this, sourceCount);
        searchFrom(sourcesAt, sourceCount, maxDepth, results);
        results.tell(zeroedControl(control));
    }
}
