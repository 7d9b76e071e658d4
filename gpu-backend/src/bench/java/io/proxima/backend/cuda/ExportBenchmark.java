// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import io.proxima.backend.BackendSettings;
import io.proxima.backend.Farness;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.Residences;
import io.proxima.backend.RunContext;
import io.proxima.backend.TraversalBackend;
import io.proxima.backend.Workload;
import io.proxima.backend.select.TraversalBackends;
import io.proxima.backend.select.TraversalBackends.Wanted;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.projection.GraphFingerprint;
import io.proxima.projection.GraphProjection;
import io.proxima.projection.IdMap;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.file.ExportedGraph;
import io.proxima.projection.file.ExportedGraph.Origin;
import io.proxima.projection.file.ExportedGraph.TypeSchema;
import io.proxima.projection.file.GraphFile;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;

/**
 * Exports a benchmark graph as proxima.graph.export does, and measures its closeness on this host, for a comparison
 * with executors of Spark (the class ClusterBenchmark of the module spark). Arguments: a folder, the number of rounds,
 * a graph as {@link BenchmarkGraphs} names it, and backends: "cpu", or devices such as "cuda:0,cuda:1".
 *
 * <p>Writes GRAPH.proxima, and GRAPH.sums: the farness of each vertex, then its reach, as big-endian longs. Vertex v
 * has the id v.
 */
public final class ExportBenchmark {

    private static final double NANOS = 1e9;
    private static final String ELEMENT_ID_PREFIX = "4:6b1e1d2c-8a0f-4b9e-9d3a-2f0c5e7a1b44:";

    private ExportBenchmark() {}

    /** Runs; ends with an exception if two backends differ. */
    public static void main(String[] arguments) throws IOException {
        run(System.out, arguments);
    }

    static void run(PrintStream out, String... arguments) throws IOException {
        Path folder = Files.createDirectories(Path.of(arguments[0]));
        int rounds = Integer.parseInt(arguments[1]);
        String name = arguments[2];
        RunContext control = RunContext.of(Runtime.getRuntime().availableProcessors());
        long begin = System.nanoTime();
        Csc graph = new BenchmarkGraphs(control.concurrency()).make(name);
        out.printf(
                Locale.ROOT,
                "%s: %,d vertices, %,d entries, made in %.1f s%n",
                name,
                graph.vertexCount(),
                graph.entryCount(),
                seconds(begin));
        begin = System.nanoTime();
        Path file = folder.resolve(name + ".proxima");
        export(name, graph, file, control.concurrency());
        out.printf(Locale.ROOT, "%s: exported %,d bytes in %.1f s%n", name, Files.size(file), seconds(begin));
        Farness first = null;
        for (String backend : Arrays.copyOfRange(arguments, 3, arguments.length)) {
            Farness sums = closeness(out, name, graph, backend(backend), rounds, control);
            if (first != null
                    && !(Arrays.equals(first.farness(), sums.farness())
                            && Arrays.equals(first.reach(), sums.reach()))) {
                throw new IllegalStateException("The sums on " + backend + " differ.");
            }
            first = sums;
        }
        if (first != null) {
            write(first, folder.resolve(name + ".sums"));
        }
    }

    private static void export(String name, Csc graph, Path file, int concurrency) {
        Map<String, long[]> labels = new LinkedHashMap<>();
        labels.put("N", null);
        IdMap ids = IdMap.of(LongStream.range(0, graph.vertexCount()).toArray());
        GraphProjection projection = new GraphProjection(ids, labels, Map.of("R", graph), Map.of("R", Map.of()));
        ExportedGraph exported = new ExportedGraph(
                new Origin(name, "neo4j", "neo4j", ELEMENT_ID_PREFIX, Instant.EPOCH, "store", "1"),
                GraphFingerprint.of(projection, concurrency, Stop.NEVER),
                projection,
                Map.of("R", new TypeSchema(graph.isSymmetric(), Map.of())),
                List.of());
        GraphFile.write(file, exported, concurrency, Stop.NEVER, Progress.NONE, () -> {});
    }

    private static TraversalBackend backend(String name) {
        TraversalBackends backends = TraversalBackends.ofThisHost(BackendSettings.ofSystemProperties());
        return name.equals("cpu")
                ? backends.select(Wanted.CPU).backend()
                : backends.selectDevices(List.of(name.split(",", -1))).backend();
    }

    private static Farness closeness(
            PrintStream out, String name, Csc graph, TraversalBackend backend, int rounds, RunContext control) {
        try (LoadedGraph loaded = backend.load(graph)) {
            long begin = System.nanoTime();
            loaded.reserve(Workload.farness(Set.of()), graph.vertexCount(), control)
                    .close();
            double prepared = seconds(begin);
            Farness sums = null;
            double[] times = new double[rounds];
            for (int round = 0; round < rounds; round++) {
                begin = System.nanoTime();
                sums = loaded.farness(Set.of(), control);
                times[round] = seconds(begin);
            }
            String where = Residences.residentOn(loaded);
            out.printf(
                    Locale.ROOT,
                    "%s: closeness on %s: prepared in %.3f s, %s s%n",
                    name,
                    where,
                    prepared,
                    Arrays.toString(times));
            Arrays.sort(times);
            out.printf(Locale.ROOT, "RESULT %s,in this JVM on %s,%.3f s%n", name, where, times[rounds / 2]);
            return sums;
        }
    }

    private static void write(Farness sums, Path file) throws IOException {
        try (DataOutputStream out =
                new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file), 1 << 20))) {
            for (long[] ofAll : List.of(sums.farness(), sums.reach())) {
                for (long sum : ofAll) {
                    out.writeLong(sum);
                }
            }
        }
    }

    private static double seconds(long beginNanos) {
        return (System.nanoTime() - beginNanos) / NANOS;
    }
}
