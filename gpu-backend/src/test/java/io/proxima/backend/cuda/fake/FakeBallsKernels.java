// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.fake;

import static io.proxima.backend.cuda.driver.KernelConstants.CONTROL_LEVEL_OFFSET;
import static io.proxima.backend.cuda.driver.KernelConstants.HUB;
import static io.proxima.backend.cuda.driver.KernelConstants.LEAST_ROW_BITS;
import static io.proxima.backend.cuda.driver.KernelConstants.MORE_NEIGHBOURS;
import static io.proxima.backend.cuda.driver.KernelConstants.MOST_RADIUS;
import static io.proxima.backend.cuda.driver.KernelConstants.MOST_ROW_BITS;
import static io.proxima.backend.cuda.driver.KernelConstants.NO_NEIGHBOUR;
import static io.proxima.backend.cuda.driver.KernelConstants.RECORDS_ROOM_BYTES;
import static io.proxima.backend.cuda.driver.KernelConstants.RECORD_HEADER;
import static io.proxima.backend.cuda.driver.KernelConstants.RECORD_UNIT;
import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.cuda.driver.DeviceDriver;
import io.proxima.backend.cuda.driver.DriverException;
import io.proxima.backend.cuda.driver.KernelArguments;
import io.proxima.backend.cuda.fake.FakeDriver.FakeDevice;
import io.proxima.backend.cuda.family.balls.BallRecords;
import io.proxima.backend.cuda.family.balls.HostBalls;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What bfs_balls.cu promises, in plain Java. */
final class FakeBallsKernels extends FakeArguments {

    private FakeBallsKernels(FakeDevice device, KernelArguments arguments) {
        super(device, arguments);
    }

    static boolean knows(String entry) {
        return entry.startsWith("balls_") || entry.startsWith("bfs_balls_") || entry.startsWith("bfs_windows_");
    }

    static void run(String entry, FakeDevice device, DeviceDriver.Shape shape, KernelArguments arguments) {
        FakeBallsKernels kernel = new FakeBallsKernels(device, arguments);
        assertThat(shape.threads()).as("threads of " + entry).isEqualTo(threads(entry));
        assertThat(shape.sharedBytes()).as("dynamic shared memory of " + entry).isZero();
        switch (entry) {
            case "balls_rows_thread" -> kernel.writeRows();
            case "balls_measure_warp" -> kernel.measure();
            case "balls_places_grid" -> kernel.sumPlaces(shape.blocks());
            case "balls_write_warp" -> kernel.writeRecords();
            case "bfs_balls_rows_grid" -> kernel.search(false, false);
            case "bfs_balls_records_grid" -> kernel.search(true, false);
            case "bfs_windows_rows_grid" -> kernel.search(false, true);
            case "bfs_windows_records_grid" -> kernel.search(true, true);
            default -> throw new DriverException("cuModuleGetFunction(" + entry + ")", 500, "CUDA_ERROR_NOT_FOUND");
        }
    }

    /** Threads of a block, as the kernels are compiled. */
    private static int threads(String entry) {
        return switch (entry) {
            case "bfs_balls_rows_grid", "bfs_balls_records_grid" -> 768;
            case "bfs_windows_rows_grid" -> 512;
            case "bfs_windows_records_grid" -> 1024;
            default -> 256;
        };
    }

    /** The lists; a kernel is not always told of how many vertices. */
    private final class Lists {
        private final long pointersAt;
        private final long indicesAt;
        // most are in many balls
        private final Map<Integer, int[]> read = new HashMap<>();

        Lists(long pointersAt, long indicesAt) {
            this.pointersAt = pointersAt;
            this.indicesAt = indicesAt;
        }

        long begin(int vertex) {
            return longs(pointersAt + (long) vertex * Long.BYTES, 1).get(0);
        }

        int[] of(int vertex) {
            return read.computeIfAbsent(vertex, this::read);
        }

        private int[] read(int vertex) {
            int[] neighbours = new int[(int) (begin(vertex + 1) - begin(vertex))];
            if (neighbours.length > 0) {
                ints(indicesAt + begin(vertex) * Integer.BYTES, neighbours.length)
                        .get(neighbours);
            }
            return neighbours;
        }
    }

    private void writeRows() {
        long pointersAt = pointer("ptrs");
        long indicesAt = pointer("idx");
        long rowsAt = pointer("rows");
        int n = int32("n");
        int rowBits = int32("rowBits");
        assertThat(rowBits).isBetween(LEAST_ROW_BITS, MOST_ROW_BITS);
        Lists lists = new Lists(pointersAt, indicesAt);
        IntBuffer rows = ints(rowsAt, (long) n << rowBits);
        int width = 1 << rowBits;
        for (int v = 0; v < n; v++) {
            int[] neighbours = lists.of(v);
            for (int i = 0; i < width; i++) {
                int more = i == width - 1 && neighbours.length > width ? MORE_NEIGHBOURS : NO_NEIGHBOUR;
                rows.put(v * width + i, i < neighbours.length && more == NO_NEIGHBOUR ? neighbours[i] : more);
            }
        }
    }

    private void measure() {
        long pointersAt = pointer("ptrs");
        long indicesAt = pointer("idx");
        long unitsAt = pointer("units");
        long totalsAt = pointer("totals");
        int first = int32("first");
        int last = int32("last");
        int radius = int32("radius");
        assertThat(radius).isBetween(1, MOST_RADIUS);
        Lists lists = new Lists(pointersAt, indicesAt);
        for (int v = first; v < last; v++) {
            HostBalls ball = HostBalls.of(lists::of, v, radius);
            if (unitsAt != 0) {
                ints(unitsAt, v + 1L).put(v, ball.units(radius));
            }
            for (int hops = 1; totalsAt != 0 && hops <= radius; hops++) {
                LongBuffer totals = longs(totalsAt, radius);
                totals.put(hops - 1, totals.get(hops - 1) + ball.units(hops));
            }
        }
    }

    private void sumPlaces(int blocks) {
        long placesAt = pointer("recordAt");
        longs(pointer("blockSums"), blocks);
        int n = int32("n");
        IntBuffer places = ints(placesAt, n + 1L);
        int sum = 0;
        for (int v = 0; v < n; v++) {
            int units = places.get(v);
            places.put(v, sum);
            sum += units;
        }
        places.put(n, sum);
    }

    private void writeRecords() {
        long pointersAt = pointer("ptrs");
        long indicesAt = pointer("idx");
        long placesAt = pointer("recordAt");
        long recordsAt = pointer("records");
        int first = int32("first");
        int last = int32("last");
        int radius = int32("radius");
        Lists lists = new Lists(pointersAt, indicesAt);
        IntBuffer places = ints(placesAt, last + 1L);
        for (int v = first; v < last; v++) {
            HostBalls ball = HostBalls.of(lists::of, v, radius);
            int[] record = ball.record();
            ints(recordsAt + Integer.toUnsignedLong(places.get(v)) * BallRecords.UNIT_BYTES, record.length)
                    .put(0, record);
            assertThat(places.get(v + 1) - places.get(v)).isEqualTo(ball.units(radius));
        }
    }

    /** What lies around a vertex, as a search finds it. */
    @FunctionalInterface
    private interface Around {
        /** Neighbours, or all within a few hops: pairs of a vertex and its distance. */
        int[][] of(int vertex);
    }

    private void search(boolean byRecords, boolean bits) {
        long pointersAt = pointer("ptrs");
        long indicesAt = pointer("idx");
        long rowsAt = pointer("rows");
        long placesAt = pointer("recordAt");
        long recordsAt = pointer("records");
        long sourcesAt = pointer("sources");
        long targetsAt = pointer("stopTargets");
        longs(pointer("stopFlag"), 1);
        long levelsAt = pointer("levels");
        long[] state = bits
                ? new long[] {pointer("bits"), pointer("visited")}
                : new long[] {pointer("queue"), pointer("queueAt"), pointer("spillA"), pointer("spillB")};
        long hubsAt = pointer("hubs");
        long hubEdgesAt = pointer("hubEdges");
        long control = pointer("control");
        int n = int32("n");
        int rowBits = int32("rowBits");
        int hops = int32("hops");
        int narrow = bits ? 1 : int32("narrow");
        int sourceCount = int32("sourceCount");
        int targetCount = int32("stopTargetCount");
        int maxDepth = int32("maxDepth");

        Lists lists = new Lists(pointersAt, indicesAt);
        long mostHubs = lists.begin(n) / HUB + 1;
        assertThat(levelsAt % 16).isZero();
        assertThat(hops).isBetween(1, MOST_RADIUS);
        assertThat(narrow).isPositive();
        assertThat(sourceCount).isBetween(1, n);
        if (bits) {
            assertThat(byRecords || hops == 1)
                    .as("windows of one level by rows")
                    .isTrue();
            long words = (n + (1L << 20) - 1) / (1L << 20) * (1L << 15);
            assertThat(state[0] % 16 + state[1] % 16).isZero();
            ints(state[0], 2L * hops * words);
            ints(state[1], words);
        } else {
            ints(state[0], n);
            ints(state[2], n);
            ints(state[3], n);
        }
        ints(hubsAt, mostHubs);
        longs(hubEdgesAt, mostHubs);
        Around around;
        if (byRecords) {
            if (!bits) {
                ints(state[1], n);
            }
            assertThat(recordsAt % 16).isZero();
            IntBuffer places = ints(placesAt, n + 1L);
            IntBuffer records = ints(
                    recordsAt,
                    Integer.toUnsignedLong(places.get(n)) * RECORD_UNIT + RECORDS_ROOM_BYTES / Integer.BYTES);
            around = vertex -> record(records, places.get(vertex) * RECORD_UNIT);
        } else {
            IntBuffer rows = ints(rowsAt, (long) n << rowBits);
            around = vertex -> row(lists, rows, rowBits, vertex);
        }
        int[] sources = new int[sourceCount];
        ints(sourcesAt, sourceCount).get(sources);
        assertThat(sources).doesNotHaveDuplicates();
        int[] targets = new int[targetCount];
        ints(targetsAt, targetCount).get(targets);
        int[] found = levels(around, n, sources, maxDepth);
        int last = Arrays.stream(targets)
                .map(target -> found[target])
                .filter(level -> level >= 0)
                .min()
                .orElse(Integer.MAX_VALUE);
        IntBuffer levels = ints(levelsAt, n);
        int deepest = 0;
        for (int v = 0; v < n; v++) {
            levels.put(v, found[v] > last ? -1 : found[v]);
            deepest = Math.max(deepest, levels.get(v));
        }
        zeroedControl(control).putInt(CONTROL_LEVEL_OFFSET, deepest);
    }

    private static int[][] row(Lists lists, IntBuffer rows, int rowBits, int vertex) {
        List<Integer> neighbours = new ArrayList<>();
        int width = 1 << rowBits;
        for (int i = 0; i < width; i++) {
            int neighbour = rows.get((vertex << rowBits) + i);
            if (neighbour >= 0) {
                neighbours.add(neighbour);
            } else if (neighbour == MORE_NEIGHBOURS) {
                Arrays.stream(lists.of(vertex)).skip(width - 1).forEach(neighbours::add);
            }
        }
        return neighbours.stream().map(neighbour -> new int[] {neighbour, 1}).toArray(int[][]::new);
    }

    private static int[][] record(IntBuffer records, int at) {
        int count = records.get(at);
        int radius = records.get(at + 1);
        int[][] members = new int[count][];
        for (int i = 0; i < count; i++) {
            int hop = 1;
            for (int h = 1; h < radius; h++) {
                int ends = records.get(at + 2 + (h - 1) / 2) >>> (h % 2 == 1 ? 0 : 16) & 0xffff;
                hop += i >= ends ? 1 : 0;
            }
            members[i] = new int[] {records.get(at + RECORD_HEADER + i), hop};
        }
        return members;
    }

    /** Takes vertices by their levels, each once; what lies around them may be several levels on. */
    private static int[] levels(Around around, int n, int[] sources, int maxDepth) {
        int[] levels = new int[n];
        Arrays.fill(levels, -1);
        TreeMap<Integer, List<Integer>> waiting = new TreeMap<>();
        for (int source : sources) {
            levels[source] = 0;
            waiting.computeIfAbsent(0, key -> new ArrayList<>()).add(source);
        }
        while (!waiting.isEmpty()) {
            var next = waiting.pollFirstEntry();
            for (int vertex : next.getValue()) {
                for (int[] member : levels[vertex] == next.getKey() ? around.of(vertex) : new int[0][]) {
                    int level = levels[vertex] + member[1];
                    boolean lowers = levels[member[0]] < 0 || level < levels[member[0]];
                    if (lowers && (maxDepth < 0 || level <= maxDepth)) {
                        levels[member[0]] = level;
                        waiting.computeIfAbsent(level, key -> new ArrayList<>()).add(member[0]);
                    }
                }
            }
        }
        return levels;
    }
}
