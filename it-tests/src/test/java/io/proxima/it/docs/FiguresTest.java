// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each measured time in README and manual is in a raw file of docs/benchmarks that its paragraph or table names. A time
 * in code, or after the word "about", is no measured one. Files with one time for each repetition are compared by their
 * medians.
 */
class FiguresTest {

    private static final Path ROOT =
            Path.of(System.getProperty("proxima.it.directory"), "../..").normalize();
    private static final Path RESULTS = ROOT.resolve("docs/benchmarks");
    private static final String REPETITIONS = "graph,step,side,repetition,millis";

    private static final Pattern FILE = Pattern.compile("\\b[a-z0-9-]+\\.(?:csv|txt)\\b");
    private static final Pattern NUMBER = Pattern.compile("\\d+(?:\\.\\d+)?");
    private static final Pattern CODE = Pattern.compile("`[^`]*`|\\(docs/[^)]*\\)");
    private static final Pattern TIME =
            Pattern.compile("(about )?\\b(\\d[\\d,]*(?:\\.\\d+)?) (µs|ms|s|seconds?|minutes?|hours?|days?)\\b");
    private static final Pattern CELL = Pattern.compile("\\d[\\d,]*(?:\\.\\d+)?");
    private static final Set<String> OTHER_COLUMNS =
            Set.of("Nodes", "Relationships", "Runs", "Clients", "Ratio", "Sources a second of a GPU");

    /** A paragraph, or a table with the lines above it. */
    private record Block(int line, String text) {

        boolean isTable() {
            return text.contains("|===");
        }
    }

    static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>(Manual.pages());
        pages.add(ROOT.resolve("README.md"));
        return pages;
    }

    @ParameterizedTest
    @MethodSource("pages")
    void shouldBeInARawFile(Path page) throws IOException {
        for (Block block : blocks(Files.readAllLines(page))) {
            assertThat(missing(block))
                    .as("%s:%d", page.getFileName(), block.line)
                    .isEmpty();
        }
    }

    @Test
    void shouldMissAFigureThatNobodyMeasured() throws IOException {
        assertThat(missing(new Block(1, "It took 729.9 ms, and 10 s in GDS (`peers.csv`).")))
                .isEmpty();
        assertThat(missing(new Block(1, "It took 730.1 ms (`peers.csv`)."))).containsExactly("730.1 ms");
        assertThat(missing(new Block(1, "It took 729.9 ms."))).containsExactly("729.9 ms");
        assertThat(missing(new Block(1, "It pauses after about 20 ms."))).isEmpty();
        assertThat(missing(new Block(1, """
                        .Times (`peers.csv`)
                        |===
                        | Step | Proxima | GDS | Ratio

                        | closeness | 729.9 | 10,312.1 | 14.1
                        | closeness | 730.1 | 10,312.1 | 14.3
                        |==="""))).containsExactly("730.1", "a ratio of 14.3");
    }

    private static List<Block> blocks(List<String> lines) {
        List<Block> blocks = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        int start = 0;
        boolean inTable = false;
        for (int i = 0; i <= lines.size(); i++) {
            String line = i == lines.size() ? "" : lines.get(i);
            inTable ^= line.equals("|===");
            if (line.isBlank() && !inTable) {
                blocks.add(new Block(start + 1, text.toString()));
                text.setLength(0);
                start = i + 1;
            } else {
                text.append(line).append('\n');
            }
        }
        return blocks;
    }

    /** The figures of a block that none of its files has. */
    private static List<String> missing(Block block) throws IOException {
        List<Double> measured = new ArrayList<>();
        for (MatchResult file : FILE.matcher(block.text).results().toList()) {
            Path raw = RESULTS.resolve(file.group());
            if (Files.exists(raw)) {
                measured.addAll(measured(raw));
            }
        }
        List<String> missing = new ArrayList<>();
        TIME.matcher(CODE.matcher(block.text).replaceAll(""))
                .results()
                .filter(time -> time.group(1) == null && !isIn(measured, time.group(2), factors(time.group(3))))
                .forEach(time -> missing.add(time.group(2) + " " + time.group(3)));
        if (block.isTable() && !measured.isEmpty()) {
            missing.addAll(missingCells(block.text, measured));
        }
        return missing;
    }

    private static List<String> missingCells(String table, List<Double> measured) {
        List<String> missing = new ArrayList<>();
        List<String> heads = List.of();
        for (String line : table.lines().filter(row -> row.startsWith("| ")).toList()) {
            List<String> cells = Stream.of(line.substring(1).split("\\|", -1))
                    .map(String::strip)
                    .toList();
            if (heads.isEmpty()) {
                heads = cells;
                continue;
            }
            for (int column = 0; column < cells.size(); column++) {
                String cell = cells.get(column);
                String head = heads.get(column);
                if (!CELL.matcher(cell).matches()) {
                    continue;
                }
                if (head.equals("Ratio")) {
                    if (!isRatio(cells.get(column - 1), cells.get(column - 2), cell)) {
                        missing.add("a ratio of " + cell);
                    }
                } else if (!OTHER_COLUMNS.contains(head) && !isIn(measured, cell, factors("ms"))) {
                    missing.add(cell);
                }
            }
        }
        return missing;
    }

    /** Whether a measured value is the figure, rounded as the figure is. */
    private static boolean isIn(List<Double> measured, String figure, List<Double> factors) {
        return measured.stream().anyMatch(value -> factors.stream()
                .anyMatch(factor -> Math.abs(value * factor - number(figure)) <= rounding(figure)));
    }

    /** Whether the ratio of two rounded figures can be the third. */
    private static boolean isRatio(String dividend, String divisor, String ratio) {
        double least = (number(dividend) - rounding(dividend)) / (number(divisor) + rounding(divisor));
        double most = (number(dividend) + rounding(dividend)) / (number(divisor) - rounding(divisor));
        return least <= number(ratio) + rounding(ratio) && number(ratio) - rounding(ratio) <= most;
    }

    /** Half a unit of the last digit, and a little for the rounding of doubles. */
    private static double rounding(String figure) {
        return 0.501 * Math.pow(10, -new BigDecimal(figure.replace(",", "")).scale());
    }

    private static double number(String figure) {
        return Double.parseDouble(figure.replace(",", ""));
    }

    /** From the units of raw files to that of the figure. */
    private static List<Double> factors(String unit) {
        return switch (unit.charAt(0) + (unit.startsWith("mi") ? "i" : "")) {
            case "d" -> List.of(1 / 24.0);
            case "h" -> List.of(1.0);
            case "mi" -> List.of(60.0);
            default -> List.of(1.0, 1e3, 1e-3);
        };
    }

    private static List<Double> measured(Path raw) throws IOException {
        List<String> all = Files.readAllLines(raw);
        List<String> lines = all.stream().filter(line -> !line.startsWith("#")).toList();
        if (!lines.get(0).equals(REPETITIONS)) {
            return NUMBER.matcher(String.join("\n", all))
                    .results()
                    .map(number -> Double.valueOf(number.group()))
                    .toList();
        }
        Map<String, List<Double>> times = new LinkedHashMap<>();
        for (String line : lines.subList(1, lines.size())) {
            int millis = line.lastIndexOf(',');
            int repetition = line.lastIndexOf(',', millis - 1);
            times.computeIfAbsent(line.substring(0, repetition), key -> new ArrayList<>())
                    .add(Double.valueOf(line.substring(millis + 1)));
        }
        return times.values().stream().map(FiguresTest::median).toList();
    }

    private static double median(List<Double> times) {
        double[] sorted =
                times.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        return DoubleStream.of(sorted[(sorted.length - 1) / 2], sorted[sorted.length / 2])
                .average()
                .orElseThrow();
    }
}
