// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What a benchmark measured: every single time, kept in the order of measuring. */
final class Measurements {

    private final List<Measurement> all = new ArrayList<>();

    /**
     * One time.
     *
     * @param graph what was worked on
     * @param step what was done
     * @param side who did it
     * @param millis how long it took, in milliseconds; infinite if it was stopped before its end
     */
    record Measurement(String graph, String step, String side, double millis) {}

    void add(String graph, String step, String side, double millis) {
        all.add(new Measurement(graph, step, side, millis));
    }

    /** Reads what {@link #writeCsv} wrote. */
    static Measurements read(Path file) throws IOException {
        Measurements measurements = new Measurements();
        List<String> lines = Files.readAllLines(file);
        for (String line : lines.subList(1, lines.size())) {
            String[] cells = line.split(",", -1);
            measurements.add(cells[0], cells[1], cells[2], Double.parseDouble(cells[4]));
        }
        return measurements;
    }

    /** The graphs on which a step was done, in the order of measuring. */
    List<String> graphs(String step) {
        return all.stream()
                .filter(measurement -> measurement.step().equals(step))
                .map(Measurement::graph)
                .distinct()
                .toList();
    }

    /** Those who did a step, in the order of measuring. */
    List<String> sides(String step) {
        return all.stream()
                .filter(measurement -> measurement.step().equals(step))
                .map(Measurement::side)
                .distinct()
                .toList();
    }

    /** The median of one side's times; not a number if there are none. */
    double median(String graph, String step, String side) {
        return median(millis(graph, step, side));
    }

    /** Milliseconds that one side has spent on a step. */
    double total(String graph, String step, String side) {
        return Arrays.stream(millis(graph, step, side)).sum();
    }

    /** Writes every time, one a line, to the file of the option {@code --name}. */
    void writeCsv(Map<String, String> options) throws IOException {
        Path folder = Files.createDirectories(Path.of(System.getProperty("proxima.benchmark.directory")));
        List<String> lines = new ArrayList<>(List.of("graph,step,side,repetition,millis"));
        List<String> keys = new ArrayList<>();
        for (Measurement measurement : all) {
            String key = measurement.graph() + "," + measurement.step() + "," + measurement.side();
            long repetition = keys.stream().filter(key::equals).count() + 1;
            keys.add(key);
            lines.add(key + "," + repetition + "," + String.format(Locale.ROOT, "%.3f", measurement.millis()));
        }
        Files.write(folder.resolve(options.get("name") + ".csv"), lines);
    }

    /** Medians of both sides, as a table in Markdown; what a side did not do is left empty. */
    String table(String ours, String theirs) {
        StringBuilder table = new StringBuilder("| graph | step | " + ours + ", ms | " + theirs
                + ", ms | times faster | runs |\n|---|---|---:|---:|---:|---:|\n");
        all.stream()
                .map(measurement -> List.of(measurement.graph(), measurement.step()))
                .distinct()
                .forEach(key -> {
                    double[] our = millis(key.get(0), key.get(1), ours);
                    double[] their = millis(key.get(0), key.get(1), theirs);
                    table.append(String.format(
                            Locale.ROOT,
                            "| %s | %s | %s | %s | %s | %d / %d |%n",
                            key.get(0),
                            key.get(1),
                            shown(median(our)),
                            shown(median(their)),
                            !Double.isFinite(median(their) / median(our))
                                    ? ""
                                    : String.format(Locale.ROOT, "%.1f", median(their) / median(our)),
                            our.length,
                            their.length));
                });
        return table.toString();
    }

    private double[] millis(String graph, String step, String side) {
        return all.stream()
                .filter(m -> m.graph().equals(graph)
                        && m.step().equals(step)
                        && m.side().equals(side))
                .mapToDouble(Measurement::millis)
                .toArray();
    }

    private static double median(double[] values) {
        if (values.length == 0) {
            return Double.NaN;
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    private static String shown(double millis) {
        if (Double.isNaN(millis)) {
            return "";
        }
        return Double.isInfinite(millis) ? "no end" : String.format(Locale.ROOT, "%,.1f", millis);
    }
}
