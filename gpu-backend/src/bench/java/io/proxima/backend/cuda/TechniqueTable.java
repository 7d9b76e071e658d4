// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How the kernels of single searches compare: the medians that {@link GpuBenchmark} writes for "kernels:K,L:G", one row a
 * kernel and one column a graph, in the faster of the vertex orders. Arguments: the CSV of the benchmark; the table to
 * write, in Markdown; the same figures as a CSV, one line a kernel and graph.
 */
public final class TechniqueTable {

    private static final Pattern ROW = Pattern.compile(
            "([^,]+),\\d+,\\d+,\"single source, kernel[^\"]*\",(\\S+) ([^,]+),ms,[^,]+,([^,]+),[^,]+,.*");
    private static final String CHOSEN = "auto: ";

    private final Map<String, Map<String, Cell>> cells = new LinkedHashMap<>();

    /**
     * The best of a kernel on a graph.
     *
     * @param millis median time of a search
     * @param order the vertex order of the graph
     * @param kernel what ran: the kernel itself, or the one that 'auto' chose
     */
    private record Cell(double millis, String order, String kernel) {}

    private TechniqueTable(List<String> lines) {
        for (String line : lines) {
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                boolean chosen = row.group(3).startsWith(CHOSEN);
                String kernel = chosen ? row.group(3).substring(CHOSEN.length()) : row.group(3);
                var cell = new Cell(Double.parseDouble(row.group(4)), row.group(2), kernel);
                cells.computeIfAbsent(chosen ? "auto" : kernel, name -> new LinkedHashMap<>())
                        .merge(row.group(1), cell, (one, other) -> one.millis <= other.millis ? one : other);
            }
        }
        if (cells.isEmpty()) {
            throw new IllegalArgumentException("the CSV has no kernel times of single searches: " + lines.size()
                    + " lines; measure kernels:K,L:G first");
        }
    }

    /** Writes the table and the CSV. */
    public static void main(String[] args) throws IOException {
        var table = new TechniqueTable(Files.readAllLines(Path.of(args[0])));
        Files.writeString(Path.of(args[1]), table.markdown());
        Files.write(Path.of(args[2]), table.csv());
    }

    /** The table of the lines that the benchmark wrote, in Markdown. */
    static String markdown(List<String> lines) {
        return new TechniqueTable(lines).markdown();
    }

    private String markdown() {
        Set<String> graphs = graphs();
        StringBuilder table = new StringBuilder("| kernel | ")
                .append(String.join(" | ", graphs))
                .append(" |\n|---|")
                .append("---:|".repeat(graphs.size()))
                .append('\n');
        cells.forEach((kernel, times) -> {
            table.append("| ").append(kernel);
            for (String graph : graphs) {
                table.append(" | ").append(shown(kernel, graph));
            }
            table.append(" |\n");
        });
        return table.toString();
    }

    private String shown(String kernel, String graph) {
        Cell cell = cells.get(kernel).get(graph);
        if (cell == null) {
            return "";
        }
        String time = String.format(Locale.ROOT, "%.3f", cell.millis);
        String remark = (cell.kernel.equals(kernel) ? "" : " " + cell.kernel)
                + (cell.order.equals("natural") ? "" : " " + cell.order);
        return (isBest(cell, graph) ? "*" + time + "*" : time) + remark;
    }

    private boolean isBest(Cell cell, String graph) {
        return cells.values().stream()
                .filter(times -> times.containsKey(graph))
                .map(times -> times.get(graph))
                .min(Comparator.comparingDouble(Cell::millis))
                .equals(Optional.of(cell));
    }

    private List<String> csv() {
        List<String> lines = new ArrayList<>(List.of("graph,step,side,repetition,millis"));
        cells.forEach((kernel, times) -> times.forEach((graph, cell) ->
                lines.add(graph + ",search," + kernel + ",1," + String.format(Locale.ROOT, "%.5f", cell.millis))));
        return lines;
    }

    private Set<String> graphs() {
        Set<String> graphs = new LinkedHashSet<>();
        cells.values().forEach(times -> graphs.addAll(times.keySet()));
        return graphs;
    }
}
