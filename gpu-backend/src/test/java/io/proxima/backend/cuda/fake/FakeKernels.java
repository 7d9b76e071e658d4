// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.fake;

import static io.proxima.backend.cuda.driver.KernelConstants.CONTROL_LEVEL_OFFSET;
import static io.proxima.backend.cuda.driver.KernelConstants.CONTROL_VSS_PULLED_OFFSET;

import io.proxima.backend.Farness;
import io.proxima.backend.cuda.fake.FakeDriver.FakeDevice;
import io.proxima.backend.cuda.family.bvss.BvssStructure;
import io.proxima.backend.cuda.family.bvss.TextbookBvss;
import io.proxima.backend.device.DeviceDriver;
import io.proxima.backend.device.KernelArguments;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.IntBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The results of all kernels, of whichever family, by textbook searches over lists: reads and writes what arguments name, and
 * leaves the arrays that only kernels use alone.
 */
final class FakeKernels extends FakeArguments {

    private FakeKernels(FakeDevice device, KernelArguments arguments) {
        super(device, arguments);
    }

    static void run(String entry, FakeDevice device, DeviceDriver.Shape shape, KernelArguments arguments) {
        FakeKernels kernel = new FakeKernels(device, arguments);
        switch (entry.substring(0, entry.indexOf('_'))) {
            case "bvss", "csc", "compact" -> FakeGraphKernels.run(entry, device, arguments);
            case "balls", "tile", "tiles" -> FakeStructureKernels.run(entry, device, kernel.fields);
            case "bfs" -> kernel.search(entry);
            case "msbfs" -> kernel.searchMany(entry);
            case "betweenness" -> FakeBetweennessKernels.run(entry, device, shape, arguments);
            case "components" -> kernel.components(entry);
            case "near" -> kernel.shortestPaths(entry);
            case "farness" -> kernel.harmonic();
            case "permute" -> kernel.gatherRows(entry);
            default -> throw new AssertionError(entry);
        }
    }

    private void search(String entry) {
        int n = int32("n");
        Lists out = outLists(entry, n);
        int[] frontier = array(pointer("sources"), int32("sourceCount"));
        int[] targets = array(pointer("stopTargets"), int32("stopTargetCount"));
        int maxDepth = int32("maxDepth");
        int[] levels = new int[n];
        Arrays.fill(levels, -1);
        Arrays.stream(frontier).forEach(source -> levels[source] = 0);
        int[] found = new int[n];
        int level = 0;
        while (level != maxDepth && Arrays.stream(targets).allMatch(target -> levels[target] < 0)) {
            int next = level + 1;
            int count = 0;
            for (int slot : frontier) {
                for (int e = (int) out.pointers[slot]; e < out.pointers[slot + 1]; e++) {
                    int neighbour = out.indices[e];
                    if (levels[neighbour] < 0) {
                        levels[neighbour] = next;
                        found[count++] = neighbour;
                    }
                }
            }
            if (count == 0) {
                break;
            }
            frontier = Arrays.copyOf(found, count);
            level = next;
        }
        ints(pointer("levels"), n).put(0, levels);
        zeroedControl(pointer("control")).putInt(CONTROL_LEVEL_OFFSET, level);
    }

    private void searchMany(String entry) {
        switch (entry) {
            case "msbfs_parts_items_grid" -> FakeStructureKernels.run(entry, device, fields);
            case "msbfs_tiles_k128_grid" -> new FakeSums(this, inLists().transposed()).searchBatches();
            case "msbfs_tiles_add_thread" -> addTiles();
            default -> new FakeSums(this, outLists(entry, int32("n"))).search();
        }
    }

    private Lists inLists() {
        return lists(pointer("inPtrs"), pointer("inIdx"), int32("n"));
    }

    private Lists outLists(String entry, int n) {
        if (has("realPtrs")) {
            return sliceLists(n);
        }
        if (has("outRestPtrs")) {
            // fake tile matrices have no tiles
            return lists(pointer("outRestPtrs"), pointer("outRestRows"), n);
        }
        long pointersAt = pointer(has("outPtrs") ? "outPtrs" : "ptrs");
        long indicesAt = pointer(has("outIdx") ? "outIdx" : "idx");
        if (!has("active")) {
            return lists(pointersAt, indicesAt, n);
        }
        int active = int32("active");
        Lists lists = entry.contains("_p64_")
                ? lists(pointersAt, indicesAt, active)
                : narrowLists(pointersAt, indicesAt, active);
        long[] pointers = Arrays.copyOf(lists.pointers, n + 1);
        Arrays.fill(pointers, active, n + 1, lists.indices.length);
        return new Lists(pointers, lists.indices);
    }

    private Lists narrowLists(long pointersAt, long indicesAt, int n) {
        long[] pointers = Arrays.stream(array(pointersAt, n + 1))
                .mapToLong(Integer::toUnsignedLong)
                .toArray();
        return new Lists(pointers, array(indicesAt, (int) pointers[n]));
    }

    private Lists sliceLists(int n) {
        int[] sets = array(pointer("realPtrs"), BvssStructure.sliceSetCount(n) + 1);
        int slices = sets[sets.length - 1] * TextbookBvss.SLICES;
        int[] rows = array(pointer("rowIds"), slices);
        byte[] masks = new byte[slices];
        device.memory(pointer("masks"), slices).get(masks);
        long[] pointers = new long[n + 1];
        int[] indices = new int[slices * TextbookBvss.COLUMNS];
        int end = 0;
        for (int column = 0; column < n; column++) {
            int set = column / TextbookBvss.COLUMNS;
            int bit = 1 << column % TextbookBvss.COLUMNS;
            for (int i = sets[set] * TextbookBvss.SLICES; i < sets[set + 1] * TextbookBvss.SLICES; i++) {
                if ((masks[i] & bit) != 0) {
                    indices[end++] = rows[i];
                }
            }
            pointers[column + 1] = end;
        }
        return new Lists(pointers, Arrays.copyOf(indices, end));
    }

    private void addTiles() {
        int n = int32("n");
        int[] slotAt = array(pointer("slotAt"), n);
        for (String name : new String[] {"far", "reach"}) {
            if (pointer(name) != 0) {
                long[] more = longArray(pointer(name), n);
                var sums = longs(pointer(name + "OfSlots"), n);
                for (int position = 0; position < n; position++) {
                    sums.put(slotAt[position], sums.get(slotAt[position]) + more[position]);
                }
            }
        }
    }

    private void components(String entry) {
        int n = int32("n");
        IntBuffer components = ints(pointer("component"), n);
        switch (entry) {
            case "components_afforest_grid" -> {
                int[] lowest = lowestOfComponents(lists(pointer("ptrs"), pointer("idx"), n), n);
                components.put(0, lowest);
                long count = IntStream.range(0, n)
                        .filter(slot -> lowest[slot] == slot)
                        .count();
                zeroedControl(pointer("control")).putLong(CONTROL_VSS_PULLED_OFFSET, count);
            }
            case "components_lowest_thread" -> {
                IntBuffer lowest = ints(pointer("lowest"), n);
                IntBuffer slots = ints(pointer("slotOfVertex"), n);
                for (int vertex = n - 1; vertex >= 0; vertex--) {
                    lowest.put(components.get(slots.get(vertex)), vertex);
                }
            }
            case "components_name_thread" -> {
                IntBuffer lowest = ints(pointer("lowest"), n);
                for (int slot = 0; slot < n; slot++) {
                    lowest.put(slot, lowest.get(components.get(slot)));
                }
            }
            default -> throw new AssertionError(entry);
        }
    }

    private static int[] lowestOfComponents(Lists lists, int n) {
        int[] parents = IntStream.range(0, n).toArray();
        for (int slot = 0; slot < n; slot++) {
            for (int other : lists.of(slot)) {
                int a = root(parents, slot);
                int b = root(parents, other);
                parents[Math.max(a, b)] = Math.min(a, b);
            }
        }
        return IntStream.range(0, n).map(slot -> root(parents, slot)).toArray();
    }

    private static int root(int[] parents, int slot) {
        int root = slot;
        while (parents[root] != root) {
            root = parents[root];
        }
        return root;
    }

    private void shortestPaths(String entry) {
        int n = int32("n");
        boolean wide = entry.contains("f64_f");
        Lists lists = lists(pointer("ptrs"), pointer("idx"), n);
        double[] weights = weights(entry, lists.indices.length);
        double[] costs = new double[n];
        Arrays.fill(costs, Double.POSITIVE_INFINITY);
        costs[int32("source")] = 0;
        // a vertex waits again when its cost is lowered
        Deque<Integer> waiting = new ArrayDeque<>(List.of(int32("source")));
        while (!waiting.isEmpty()) {
            int slot = waiting.remove();
            for (int e = (int) lists.pointers[slot]; e < lists.pointers[slot + 1]; e++) {
                double cost = costs[slot] + weights[e];
                if (cost < costs[lists.indices[e]]) {
                    costs[lists.indices[e]] = cost;
                    waiting.add(lists.indices[e]);
                }
            }
        }
        if (wide) {
            doubles(pointer("costs"), n).put(0, costs);
        } else {
            int[] narrow = Arrays.stream(costs)
                    .mapToInt(cost -> cost == Double.POSITIVE_INFINITY ? -1 : (int) (long) cost)
                    .toArray();
            ints(pointer("costs"), n).put(0, narrow);
        }
        zeroedControl(pointer("control")).putInt(CONTROL_LEVEL_OFFSET, 1);
    }

    private double[] weights(String entry, int entries) {
        double[] weights = new double[entries];
        Arrays.fill(weights, 1);
        long at = pointer("weights");
        if (at != 0) {
            boolean eightBytes = entry.contains("f64_f64");
            ByteBuffer memory = device.memory(at, (long) entries * (eightBytes ? Double.BYTES : Float.BYTES));
            for (int e = 0; e < entries; e++) {
                weights[e] = eightBytes
                        ? memory.getDouble(e * Double.BYTES)
                        : entry.contains("f64")
                                ? memory.getFloat(e * Float.BYTES)
                                : Integer.toUnsignedLong(memory.getInt(e * Integer.BYTES));
            }
        }
        return weights;
    }

    private void harmonic() {
        int n = int32("n");
        int levelCount = int32("levelCount");
        IntBuffer counts = ints(pointer("levelCounts"), (long) levelCount * n);
        DoubleBuffer harmonic = doubles(pointer("harmonic"), n);
        for (int level = 0; level < levelCount; level++) {
            for (int v = 0; v < n; v++) {
                long count = Integer.toUnsignedLong(counts.get(level * n + v));
                harmonic.put(v, Farness.addHarmonic(harmonic.get(v), count, int32("firstLevel") + level));
            }
        }
    }

    /** The device is little-endian: the first bytes of a number are the number if they suffice. */
    private void gatherRows(String entry) {
        int n = int32("n");
        long first = int64("first");
        long count = int64("count");
        int entryBytes = Integer.parseInt(entry.replaceAll("\\D", "")) / Byte.SIZE;
        int fromBytes = entry.startsWith("permute_levels") ? Integer.BYTES : entryBytes;
        IntBuffer slots = pointer("slotOfVertex") == 0 ? null : ints(pointer("slotOfVertex"), n);
        ByteBuffer to = device.memory(pointer("out"), count * entryBytes);
        for (long i = 0; i < count; i++) {
            long row = (first + i) / n;
            int vertex = (int) ((first + i) % n);
            int slot = slots == null ? vertex : slots.get(vertex);
            ByteBuffer from = device.memory(pointer("in") + (row * n + slot) * fromBytes, fromBytes);
            to.put((int) i * entryBytes, from, 0, entryBytes);
        }
    }
}
