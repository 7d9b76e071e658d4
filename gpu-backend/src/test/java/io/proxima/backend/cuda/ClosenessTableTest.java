// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.DeviceUse;
import io.proxima.backend.Farness;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunContext;
import io.proxima.backend.RunOptions;
import io.proxima.backend.TraversalBackend;
import io.proxima.backend.cpu.CpuBackend;
import io.proxima.backend.cuda.fake.FakeDriver;
import io.proxima.projection.csc.Csc;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The table of large graphs, on small ones: parts add up, and wrong sums are found. */
class ClosenessTableTest {

    @TempDir
    private Path parts;

    @Test
    void shouldAddPartsUpOnTheCpu() {
        assertThatPartsAreTheWhole(new CpuBackend(), List::of, "kron9");
    }

    @Test
    void shouldAddPartsUpOnOneDeviceAndSeveral() {
        for (int devices = 1; devices <= 3; devices += 2) {
            for (String graph : List.of("kron9", "roadc30", "delaunay9")) {
                FakeDriver driver = FakeDriver.hoppers(devices, FakeDevices.PLENTY);
                try (CudaBackends backends = FakeDevices.sharing(driver, FakeDevices.smallBatches(RunOptions.AUTO))) {
                    assertThatPartsAreTheWhole(backends.chooseAll().backend(), backends::use, graph);
                }
            }
        }
    }

    private void assertThatPartsAreTheWhole(TraversalBackend backend, Supplier<List<DeviceUse>> use, String graph) {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        boolean passed;
        try (PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
                PrintStream told = new PrintStream(log, true, StandardCharsets.UTF_8)) {
            passed = new ClosenessTable(backend, use, parts, out, told)
                    .run(List.of(graph, graph + ":1/2", graph + ":2/2"));
        }
        assertThat(passed).as(log.toString(StandardCharsets.UTF_8)).isTrue();
        List<String> rows = printed.toString(StandardCharsets.UTF_8).lines().toList();
        assertThat(column(rows, "part")).containsExactly("1/1", "1/2", "2/2", "all of 2");
        assertThat(column(rows, "checks"))
                .containsExactly(
                        "reach+neighbours+searches+at-source",
                        "reach+neighbours+searches",
                        "reach+neighbours+searches",
                        "reach+neighbours+searches+at-source+both-directions");
        for (String sums : List.of("farness_sum", "reach_sum")) {
            List<Long> values = column(rows, sums).stream().map(Long::valueOf).toList();
            assertThat(values.get(1) + values.get(2)).isEqualTo(values.get(0)).isEqualTo(values.get(3));
            assertThat(values.get(1)).as("both parts have sources").isBetween(1L, values.get(0) - 1);
        }
    }

    private static List<String> column(List<String> rows, String name) {
        int index = List.of(ClosenessTable.HEADER.split(",")).indexOf(name);
        return rows.stream().skip(1).map(row -> row.split(",", -1)[index]).toList();
    }

    @Test
    void shouldFindWrongSums() {
        Csc csc = new BenchmarkGraphs(1).make("road20");
        try (LoadedGraph onCpu = new CpuBackend().load(csc)) {
            int[] component = onCpu.components(RunContext.of(1));
            Farness right = onCpu.farness(Set.of(), RunContext.of(1));
            long linked = 0;
            for (int v = 0; v < csc.vertexCount(); v++) {
                linked += csc.degree(v) > 0 ? 1 : 0;
            }
            for (int v = 0; v < csc.vertexCount(); v++) {
                long[] reach = right.reach().clone();
                reach[v] += v % 2 == 0 ? 1 : -1;
                ClosenessSums ofReach = new ClosenessSums(csc, component, right.farness(), reach, 1);
                assertThat(ofReach.isReachRight(linked, 0)).isFalse();
                assertThat(ofReach.equalSearches(onCpu, new int[] {v})).isFalse();

                long[] farness = right.farness().clone();
                farness[v] += 1;
                ClosenessSums ofFarness = new ClosenessSums(csc, component, farness, right.reach(), 1);
                assertThat(ofFarness.isReachRight(linked, 0)).isTrue();
                assertThat(ofFarness.equalSearches(onCpu, new int[] {v})).isFalse();
                assertThat(ofFarness.equal(new int[] {v}, onCpu.farness(new int[] {v}, Set.of(), RunContext.of(1))))
                        .isFalse();
                if (csc.degree(v) == 1) {
                    assertThat(ofFarness.areNeighboursRight()).isFalse();
                }
                farness[v] += 2 * linked;
                if (csc.degree(v) > 0) {
                    assertThat(ofFarness.areNeighboursRight()).isFalse();
                }
            }
        }
    }

    @Test
    void shouldFindDistancesThatDifferFromThoseBack() {
        Csc csc = new BenchmarkGraphs(1).make("kron6");
        int n = csc.vertexCount();
        long[][] farness = new long[2][n];
        long[][] reach = new long[2][n];
        int[] component;
        try (LoadedGraph onCpu = new CpuBackend().load(csc)) {
            component = onCpu.components(RunContext.of(1));
            for (int source = 0; source < n; source++) {
                int[] levels = onCpu.bfs(source, LoadedGraph.NO_MAX_DEPTH, new int[0], RunContext.of(1))
                        .levels();
                for (int v = 0; v < n; v++) {
                    if (levels[v] > 0) {
                        farness[source % 2][v] += levels[v];
                        reach[source % 2][v]++;
                    }
                }
            }
        }
        ClosenessSums even = new ClosenessSums(csc, component, farness[0], reach[0], 1);
        ClosenessSums odd = new ClosenessSums(csc, component, farness[1], reach[1], 1);
        assertThat(even.isSymmetricTo(odd)).isTrue();
        int changed = 1;
        while (csc.degree(changed) == 0) {
            changed += 2;
        }
        farness[0][changed]++;
        assertThat(even.isSymmetricTo(odd)).isFalse();
    }

    /** By another method: the part of each bisector that is nearer to two points than to all others. */
    @Test
    void shouldLinkPointsWhoseVoronoiCellsTouch() {
        for (int count = 1; count <= 64; count *= 2) {
            for (int side : new int[] {1, 3, 8}) {
                RandomPoints points = new RandomPoints(count, side);
                Csc csc = points.delaunay(2);
                for (int p = 0; p < count; p++) {
                    for (int q = 0; q < p; q++) {
                        assertThat(csc.hasEdge(p, q))
                                .as("%d points in %d cells: %d and %d", count, side * side, p, q)
                                .isEqualTo(doCellsTouch(points, p, q));
                    }
                }
            }
        }
    }

    private static boolean doCellsTouch(RandomPoints points, int p, int q) {
        double middleX = (points.x(p) + points.x(q)) / 2;
        double middleY = (points.y(p) + points.y(q)) / 2;
        double alongX = points.y(p) - points.y(q);
        double alongY = points.x(q) - points.x(p);
        // middle + t * along
        double[] interval = {Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY};
        keepAtMost(interval, alongX, 1 - middleX);
        keepAtMost(interval, -alongX, middleX);
        keepAtMost(interval, alongY, 1 - middleY);
        keepAtMost(interval, -alongY, middleY);
        for (int other = 0; other < points.count(); other++) {
            double x = points.x(other) - points.x(p);
            double y = points.y(other) - points.y(p);
            if (other != p && other != q) {
                double nearer = (points.x(other) + points.x(p)) / 2 - middleX;
                double alsoNearer = (points.y(other) + points.y(p)) / 2 - middleY;
                keepAtMost(interval, alongX * x + alongY * y, nearer * x + alsoNearer * y);
            }
        }
        return interval[0] < interval[1];
    }

    /** Keeps the t with {@code factor * t <= most}. */
    private static void keepAtMost(double[] interval, double factor, double most) {
        if (factor > 0) {
            interval[1] = Math.min(interval[1], most / factor);
        } else if (factor < 0) {
            interval[0] = Math.max(interval[0], most / factor);
        } else if (most < 0) {
            interval[1] = Double.NEGATIVE_INFINITY;
        }
    }
}
