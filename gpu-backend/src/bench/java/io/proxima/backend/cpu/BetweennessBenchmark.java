// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cpu;

import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunControl;
import io.proxima.backend.cuda.BenchmarkGraphs;
import io.proxima.projection.Csc;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * The time of betweenness on the CPU. Arguments: the number of threads, then graphs as {@link BenchmarkGraphs} names them,
 * each with {@code :SOURCES} for a sample. Prints lines of CSV: graph, vertices, directed edges, sources, threads, run,
 * seconds, and millions of sources times edges a second.
 */
public final class BetweennessBenchmark {

    private static final int RUNS = 3;
    private static final long SEED = 2026;

    private BetweennessBenchmark() {}

    /** Runs. */
    public static void main(String[] args) {
        int threads = Integer.parseInt(args[0]);
        for (String arg : Arrays.asList(args).subList(1, args.length)) {
            String[] parts = arg.split(":", -1);
            Csc csc = new BenchmarkGraphs(threads).make(parts[0]);
            int[] sources = parts.length == 1
                    ? null
                    : new SplittableRandom(SEED)
                            .ints(0, csc.vertexCount())
                            .distinct()
                            .limit(Integer.parseInt(parts[1]))
                            .toArray();
            int count = sources == null ? csc.vertexCount() : sources.length;
            try (LoadedGraph graph = new CpuBackend().load(csc)) {
                for (int run = 0; run < RUNS; run++) {
                    long begin = System.nanoTime();
                    graph.betweenness(sources, RunControl.of(threads));
                    double seconds = (System.nanoTime() - begin) / 1e9;
                    System.out.printf(
                            "%s,%d,%d,%d,%d,%d,%.3f,%.0f%n",
                            parts[0],
                            csc.vertexCount(),
                            csc.entryCount(),
                            count,
                            threads,
                            run,
                            seconds,
                            (double) count * csc.entryCount() / seconds / 1e6);
                }
            }
        }
    }
}
