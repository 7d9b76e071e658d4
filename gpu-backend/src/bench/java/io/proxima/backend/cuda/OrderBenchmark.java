// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import com.sun.management.OperatingSystemMXBean;
import io.proxima.backend.bvss.Bvss;
import io.proxima.backend.bvss.BvssBuilder;
import io.proxima.backend.order.Bandwidth;
import io.proxima.backend.order.GraphClass;
import io.proxima.backend.order.Orders;
import io.proxima.backend.order.Permutation;
import io.proxima.backend.order.VertexOrder;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.projection.Csc;
import io.proxima.projection.GraphFingerprint;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * What each order costs on the host and what it does to a graph: the columns of table VII of Elbek and Kaya,
 * arXiv:2606.05081, and beside them the compression ratio and the bandwidth. Arguments: the CSV's
 * path, then graphs as {@link BenchmarkGraphs} names them. Each time is that of the shortest of three, with one thread a
 * core; the processor time beside it is of all threads, so it tells what is to be had on a host that others use too.
 */
public final class OrderBenchmark {

    private static final int ROUNDS = 3;

    /** Above this one round must do. */
    private static final double LONG_MILLIS = 20_000;

    private static final int CORES = Runtime.getRuntime().availableProcessors();

    private static final OperatingSystemMXBean PROCESS =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private OrderBenchmark() {}

    /** Runs. */
    public static void main(String[] args) throws IOException {
        try (PrintWriter csv = new PrintWriter(Files.newBufferedWriter(Path.of(args[0]), StandardCharsets.US_ASCII))) {
            run(System.out, csv, List.of(args).subList(1, args.length));
        }
    }

    static void run(PrintStream out, PrintWriter csv, List<String> graphs) {
        csv.println(
                "graph,vertices,entries,cores,scale_free_like,classify_ms,fingerprint_ms,order,order_ms,"
                        + "order_cpu_ms,relabel_ms,relabel_cpu_ms,bvss_ms,bvss_cpu_ms,compression_ratio,virtual_slice_sets,bandwidth");
        for (String name : graphs) {
            Csc graph = new BenchmarkGraphs(CORES).make(name);
            Timed<GraphClass> graphClass = timed(() -> GraphClass.of(graph, CORES, Stop.NEVER));
            double fingerprintMillis = timed(() -> GraphFingerprint.of(graph, CORES, Stop.NEVER)).millis;
            String ofGraph = String.format(
                    Locale.ROOT,
                    "%s,%d,%d,%d,%b,%.1f,%.1f",
                    name,
                    graph.vertexCount(),
                    graph.entryCount(),
                    CORES,
                    graphClass.value.scaleFreeLike(),
                    graphClass.millis,
                    fingerprintMillis);
            out.printf("%n%s %s%n", ofGraph, graphClass.value.out());
            for (VertexOrder order : VertexOrder.values()) {
                if (order != VertexOrder.AUTO) {
                    String row = ofGraph + "," + measure(graph, order);
                    out.println(row);
                    csv.println(row);
                    csv.flush();
                }
            }
        }
    }

    private static String measure(Csc graph, VertexOrder order) {
        Timed<Permutation> permutation = timed(
                () -> Orders.permutation(order, graph, Orders.Settings.DEFAULT, CORES, Stop.NEVER, Progress.NONE));
        permutation.value.validate();
        Timed<Csc> ordered = timed(() -> permutation.value.apply(graph, CORES, Stop.NEVER));
        Timed<Bvss> bvss = timed(() -> BvssBuilder.build(ordered.value, CORES, Stop.NEVER, Progress.NONE));
        return String.format(
                Locale.ROOT,
                "%s,%.1f,%.0f,%.1f,%.0f,%.1f,%.0f,%.4f,%d,%d",
                order.key(),
                permutation.millis,
                permutation.cpuMillis,
                ordered.millis,
                ordered.cpuMillis,
                bvss.millis,
                bvss.cpuMillis,
                bvss.value.compressionRatio(),
                bvss.value.virtualSliceSetCount(),
                Bandwidth.of(graph, permutation.value, CORES, Stop.NEVER));
    }

    private record Timed<T>(T value, double millis, double cpuMillis) {}

    private static <T> Timed<T> timed(Supplier<T> work) {
        double shortest = Double.MAX_VALUE;
        double cpuOfShortest = 0;
        T value = null;
        for (int round = 0; round < ROUNDS && (round == 0 || shortest < LONG_MILLIS); round++) {
            value = null;
            long cpuBegin = PROCESS.getProcessCpuTime();
            long begin = System.nanoTime();
            value = work.get();
            double millis = (System.nanoTime() - begin) / 1e6;
            if (millis < shortest) {
                shortest = millis;
                cpuOfShortest = (PROCESS.getProcessCpuTime() - cpuBegin) / 1e6;
            }
        }
        return new Timed<>(value, shortest, cpuOfShortest);
    }
}
