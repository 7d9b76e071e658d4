// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.fake;

import static io.proxima.backend.cuda.driver.KernelConstants.CONTROL_LEVEL_OFFSET;
import static io.proxima.backend.cuda.driver.KernelConstants.CONTROL_WORK_OFFSET;
import static io.proxima.backend.cuda.driver.KernelConstants.COSTS_OF_SOURCE_BYTES;
import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.Farness;
import io.proxima.backend.TextbookBfs;
import io.proxima.backend.TextbookComponents;
import io.proxima.backend.WholeUnits;
import io.proxima.backend.cuda.fake.FakeDriver.FakeDevice;
import io.proxima.backend.device.DeviceDriver;
import io.proxima.backend.device.KernelArguments;
import io.proxima.backend.papers.bvss.BvssStructure;
import io.proxima.backend.papers.bvss.TextbookBvss;
import io.proxima.concurrent.Stop;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.DoublePages;
import io.proxima.projection.csc.IntPages;
import io.proxima.projection.csc.WeightedCsc;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * The results of all kernels, of whichever family, by textbook searches over lists: reads and writes what arguments
 * name, and leaves the arrays that only kernels use alone.
 */
final class FakeKernels extends FakeArguments {

    private static final int WARP_SIZE = 32;
    private static final Pattern STRUCTURES = Pattern.compile("bvss_|csc_|compact_|balls_|tiles?_|msbfs_parts_");

    private FakeKernels(FakeDevice device, KernelArguments arguments) {
        super(device, arguments);
    }

    static void run(String entry, FakeDevice device, DeviceDriver.Shape shape, KernelArguments arguments) {
        if (STRUCTURES.matcher(entry).lookingAt()) {
            FakeStructureKernels.run(entry, device, arguments);
            return;
        }
        FakeKernels kernel = new FakeKernels(device, arguments);
        switch (entry.substring(0, entry.indexOf('_'))) {
            case "bfs" -> kernel.search(entry);
            case "msbfs" -> kernel.searchMany(entry);
            case "betweenness" -> FakeBetweennessKernels.run(entry, device, shape, arguments);
            case "components" -> kernel.components(entry);
            case "near" -> kernel.shortestPaths(entry, shape);
            case "farness" -> kernel.harmonic();
            case "permute" -> kernel.permute(entry);
            default -> throw new AssertionError(entry);
        }
    }

    private void search(String entry) {
        int[] sources = array("sources", int32("sourceCount"));
        int[] levels = TextbookBfs.levels(outLists(entry, int32("n")), int32("maxDepth"), sources);
        int last = IntStream.of(array("stopTargets", int32("stopTargetCount")))
                .map(target -> levels[target])
                .filter(level -> level >= 0)
                .min()
                .orElse(Integer.MAX_VALUE);
        int[] searched =
                IntStream.of(levels).map(level -> level > last ? -1 : level).toArray();
        store("levels", searched);
        zeroedControl(pointer("control"))
                .putInt(CONTROL_LEVEL_OFFSET, 1 + IntStream.of(searched).max().orElse(0));
    }

    private void searchMany(String entry) {
        switch (entry) {
            case "msbfs_tiles_k128_grid" ->
                new FakeSums(this, lists("inPtrs", "inIdx", int32("n")).transposed(1, Stop.NEVER), false)
                        .searchBatches();
            case "msbfs_tiles_add_thread" -> addTiles();
            default ->
                new FakeSums(this, outLists(entry, int32("n")), entry.matches("msbfs_(blocks|words_sources)_.*"))
                        .search();
        }
    }

    private Csc outLists(String entry, int n) {
        if (has("realPtrs")) {
            return sliceLists(n);
        }
        if (has("outRestPtrs")) {
            // fake tile matrices have no tiles
            return lists("outRestPtrs", "outRestRows", n);
        }
        String pointersAt = has("outPtrs") ? "outPtrs" : "ptrs";
        String indicesAt = has("outIdx") ? "outIdx" : "idx";
        if (!has("active")) {
            Csc all = lists(pointersAt, indicesAt, n);
            return has("stride") ? firstSlots(all) : all;
        }
        int active = int32("active");
        long[] pointers = entry.contains("_p64_")
                ? longArray(pointersAt, active + 1)
                : IntStream.of(array(pointersAt, active + 1)).asLongStream().toArray();
        long[] ofAll = Arrays.copyOf(pointers, n + 1);
        Arrays.fill(ofAll, active, n + 1, pointers[active]);
        return lists(ofAll, indicesAt, n);
    }

    /** Without the edges to slots that are left out. */
    private static Csc firstSlots(Csc lists) {
        int n = lists.vertexCount();
        long[] pointers = new long[n + 1];
        int[] indices = new int[(int) lists.entryCount()];
        int end = 0;
        for (int slot = 0; slot < n; slot++) {
            for (long i = lists.columnStart(slot); i < lists.columnEnd(slot); i++) {
                int other = lists.rowIndices().get(i);
                indices[end] = other;
                end += other < n ? 1 : 0;
            }
            pointers[slot + 1] = end;
        }
        return new Csc(pointers, IntPages.ofArray(Arrays.copyOf(indices, end)), false);
    }

    private Csc sliceLists(int n) {
        int[] sets = array("realPtrs", BvssStructure.sliceSetCount(n) + 1);
        int slices = sets[sets.length - 1] * TextbookBvss.SLICES;
        int[] rows = array("rowIds", slices);
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
        return new Csc(pointers, IntPages.ofArray(indices), false);
    }

    private void addTiles() {
        int n = int32("n");
        int[] slotAt = array("slotAt", n);
        for (String name : new String[] {"far", "reach"}) {
            if (pointer(name) != 0) {
                long[] more = longArray(name, n);
                var sums = longs(pointer(name + "OfSlots"), n);
                for (int position = 0; position < n; position++) {
                    sums.put(slotAt[position], sums.get(slotAt[position]) + more[position]);
                }
            }
        }
    }

    private void components(String entry) {
        int n = int32("n");
        switch (entry) {
            case "components_afforest_grid" -> {
                int[] lowest = TextbookComponents.of(lists("ptrs", "idx", n));
                store("component", lowest);
                zeroedControl(pointer("control"))
                        .putLong(
                                CONTROL_WORK_OFFSET,
                                IntStream.of(lowest).distinct().count());
            }
            case "components_lowest_thread" -> {
                IntBuffer lowest = ints(pointer("lowest"), n);
                int[] components = array("component", n);
                int[] slots = array("slotOfVertex", n);
                for (int vertex = n - 1; vertex >= 0; vertex--) {
                    lowest.put(components[slots[vertex]], vertex);
                }
            }
            case "components_name_thread" -> {
                int[] lowest = array("lowest", n);
                store(
                        "lowest",
                        IntStream.of(array("component", n))
                                .map(slot -> lowest[slot])
                                .toArray());
            }
            default -> throw new AssertionError(entry);
        }
    }

    private void shortestPaths(String entry, DeviceDriver.Shape shape) {
        int n = int32("n");
        Csc lists = lists("ptrs", "idx", n);
        DoublePages weights = DoublePages.allocate(lists.entryCount(), IntPages.DEFAULT_PAGE_SHIFT);
        double[] values = weights(entry, (int) lists.entryCount());
        IntStream.range(0, values.length).forEach(e -> weights.set(e, values[e]));
        boolean wide = entry.contains("f64_f");
        double width = wide ? Double.longBitsToDouble(int64("width")) : int64("width");
        FakeNearFar search = new FakeNearFar(
                new WeightedCsc(lists, weights), !wide, width, shape.blocks() * shape.threads() / WARP_SIZE);
        if (entry.contains("_sums_")) {
            sumCosts(search);
            return;
        }
        search.run(int32("source"));
        device.relaxed(search.relaxations);
        double[] costs = search.costs;
        if (wide) {
            doubles(pointer("costs"), n).put(0, costs);
        } else {
            store(
                    "costs",
                    DoubleStream.of(costs)
                            .mapToInt(cost -> cost == Double.POSITIVE_INFINITY ? -1 : (int) (long) cost)
                            .toArray());
        }
        zeroedControl(pointer("control")).putInt(CONTROL_LEVEL_OFFSET, 1);
    }

    private void sumCosts(FakeNearFar search) {
        int count = int32("sourceCount");
        int[] sources = array("sources", count);
        assertThat(array("next", 1)).containsExactly(0);
        LongBuffer found = longs(pointer("found"), (long) count * COSTS_OF_SOURCE_BYTES / Long.BYTES);
        while (found.hasRemaining()) {
            int source = sources[found.position() * Long.BYTES / COSTS_OF_SOURCE_BYTES];
            search.run(source);
            search.costs[source] = Double.POSITIVE_INFINITY;
            double[] costs = DoubleStream.of(search.costs)
                    .filter(cost -> cost < Double.POSITIVE_INFINITY)
                    .sorted()
                    .toArray();
            double greatest = costs.length == 0 ? 0 : costs[costs.length - 1];
            double least = costs.length == 0 ? Double.NaN : costs[0];
            put(found, DoubleStream.of(costs), greatest);
            put(
                    found,
                    int32("reciprocals") == 0
                            ? DoubleStream.empty()
                            : DoubleStream.of(costs).map(c -> 1 / c),
                    1 / least);
            found.put(Double.doubleToRawLongBits(greatest))
                    .put(costs.length == 0 ? 0 : ~Double.doubleToRawLongBits(least))
                    .put(costs.length);
        }
        device.relaxed(search.relaxations);
        zeroedControl(pointer("control"));
    }

    /** Puts a sum in units of which the greatest number has 96 bits, in two words. */
    private static void put(LongBuffer to, DoubleStream numbers, double greatest) {
        BigInteger sum = WholeUnits.sum(numbers, WholeUnits.unit(greatest));
        to.put(sum.longValue()).put(sum.shiftRight(Long.SIZE).longValue());
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

    private void permute(String entry) {
        if (!entry.equals("permute_levels_count_thread")) {
            gatherRows(entry);
            return;
        }
        IntBuffer counts = ints(pointer("counts"), Byte.MAX_VALUE + 2);
        // those of a search that was paused may be anything
        IntStream.of(array("levels", int32("n")))
                .filter(level -> level >= -1 && level <= Byte.MAX_VALUE)
                .forEach(level -> counts.put(level + 1, counts.get(level + 1) + 1));
    }

    /** The device is little-endian: the first bytes of a number are the number if they suffice. */
    private void gatherRows(String entry) {
        int n = int32("n");
        long first = int64("first");
        int count = (int) int64("count");
        int entryBytes = Integer.parseInt(entry.replaceAll("\\D", "")) / Byte.SIZE;
        int fromBytes = entry.startsWith("permute_levels") ? Integer.BYTES : entryBytes;
        int[] slots = pointer("slotOfVertex") == 0 ? null : array("slotOfVertex", n);
        ByteBuffer to = device.memory(pointer("out"), (long) count * entryBytes);
        ByteBuffer from = device.memory(pointer("in"), (first + count + n - 1) / n * n * fromBytes);
        for (int i = 0; i < count; i++) {
            int vertex = (int) ((first + i) % n);
            int entryOfRows = (int) (first + i) - vertex + (slots == null ? vertex : slots[vertex]);
            to.put(i * entryBytes, from, entryOfRows * fromBytes, entryBytes);
        }
    }
}
