// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.spark;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/**
 * Simulates {@link ClosenessJob} on a cluster with one GPU for each executor: its waves, its tasks and the order in
 * which Spark gives them to executors. The sizes of waves and tasks are computed by the code of the job. Prints a table
 * of CSV; docs/benchmarks/spark.md describes the model, and says which of the constants were measured.
 */
final class ScalingModel {

    static final String HEAD = "graph,nodes,sources a second of a GPU,GPUs,hours,efficiency,waves,tasks,"
            + "seconds until the first task,seconds at the ends of waves";

    /** From the start of the application until an executor can fetch the graph; executors start one after another. */
    private static final double START_SECONDS = 12;

    private static final double START_SPREAD_SECONDS = 5;

    private static final int GPUS_OF_A_HOST = 8;
    private static final double STORAGE_BYTES_A_SECOND = 20e9;
    private static final double HOST_BYTES_A_SECOND = 2.5e9;

    /** Checking the graph, and copying it to the GPU. */
    private static final double LOADED_BYTES_A_SECOND = 1e9;

    /** Of the driver, for each task, one after another. */
    private static final double TASK_SECONDS = 0.005;

    /** Planning and committing a wave. */
    private static final double WAVE_SECONDS = 5;

    /** The times of tasks differ by up to so much in both directions. */
    private static final double TASK_SPREAD = 0.1;

    /** One executor of so many works at half the rate. */
    private static final int ONE_SLOW_OF = 100;

    private static final int WAVE_MINUTES = 30;
    private static final double SECONDS_OF_AN_HOUR = 3600;
    private static final int BYTES_OF_AN_ENTRY = 4;
    private static final int BYTES_OF_A_NODE = 16;

    private static final int[] GPUS = {1, 8, 64, 256, 1000};

    /**
     * A graph.
     *
     * @param rate sources that a GPU searches from in a second
     */
    record Graph(String name, int nodes, long entries, double rate) {
        double bytes() {
            return (double) BYTES_OF_AN_ENTRY * entries + (double) BYTES_OF_A_NODE * nodes;
        }
    }

    /**
     * A simulated job.
     *
     * @param seconds from its start to its end
     * @param efficiency the time of the searches alone on as many GPUs, divided by the seconds
     * @param untilFirstTask until the first executor has the graph
     * @param atEndsOfWaves from the end of the mean executor's last task to the end of the wave, summed over the waves
     */
    record Job(double seconds, double efficiency, int waves, long tasks, double untilFirstTask, double atEndsOfWaves) {}

    /** The graphs of the table; docs/benchmarks/h200-scale27.md has the times of 1,024 searches. */
    static final List<Graph> GRAPHS = List.of(
            new Graph("kron27", 1 << 27, 4_223_297_610L, 1024 / 0.238),
            new Graph("urand27", 1 << 27, 4_294_966_740L, 1024 / 0.727),
            new Graph("any of 100 sources a second", 100_000_000, 2_000_000_000L, 100));

    private ScalingModel() {}

    /** Prints the table. */
    public static void main(String[] arguments) {
        table().forEach(System.out::println);
    }

    /** The lines of the table, with their head. */
    static List<String> table() {
        List<String> lines = new ArrayList<>(List.of(HEAD));
        for (Graph graph : GRAPHS) {
            for (int gpus : GPUS) {
                Job job = simulate(graph, gpus);
                lines.add(String.format(
                        Locale.ROOT,
                        "%s,%d,%.0f,%d,%.3f,%.3f,%d,%d,%.0f,%.0f",
                        graph.name(),
                        graph.nodes(),
                        graph.rate(),
                        gpus,
                        job.seconds() / SECONDS_OF_AN_HOUR,
                        job.efficiency(),
                        job.waves(),
                        job.tasks(),
                        job.untilFirstTask(),
                        job.atEndsOfWaves()));
            }
        }
        return lines;
    }

    /** An executor that is free from a time on. */
    private record Free(int executor, double from) {}

    /** Simulates a job; the same for the same arguments. */
    static Job simulate(Graph graph, int gpus) {
        SplittableRandom random = new SplittableRandom(7);
        double[] free = new double[gpus];
        double[] rates = new double[gpus];
        for (int executor = 0; executor < gpus; executor++) {
            free[executor] = START_SECONDS + random.nextDouble(START_SPREAD_SECONDS) + loaded(graph, gpus);
            rates[executor] = executor % ONE_SLOW_OF == ONE_SLOW_OF - 1 ? graph.rate() / 2 : graph.rate();
        }
        double firstTask = Arrays.stream(free).min().orElseThrow();
        double clock = START_SECONDS;
        double atEnds = 0;
        int waves = 0;
        long tasks = 0;
        double rate = 0;
        for (int from = 0, size; from < graph.nodes(); from += size) {
            size = WaveStream.size(rate, graph.nodes() - from, gpus, WAVE_MINUTES);
            int batch = ProximaScan.batch(size, gpus);
            double begin = clock;
            double driver = clock;
            PriorityQueue<Free> executors =
                    new PriorityQueue<>(Comparator.comparingDouble(Free::from).thenComparingInt(Free::executor));
            for (int executor = 0; executor < gpus; executor++) {
                free[executor] = Math.max(free[executor], begin);
                executors.add(new Free(executor, free[executor]));
            }
            for (int done = 0; done < size; done += batch, tasks++) {
                int executor = executors.remove().executor();
                driver = Math.max(driver, begin) + TASK_SECONDS;
                double spread = 1 + TASK_SPREAD * (2 * random.nextDouble() - 1);
                free[executor] =
                        Math.max(free[executor], driver) + Math.min(batch, size - done) / rates[executor] * spread;
                executors.add(new Free(executor, free[executor]));
            }
            double end = Arrays.stream(free).max().orElseThrow();
            atEnds += end - Arrays.stream(free).average().orElseThrow();
            clock = end + WAVE_SECONDS;
            rate = size / (clock - begin);
            waves++;
        }
        return new Job(clock, graph.nodes() / (gpus * graph.rate()) / clock, waves, tasks, firstTask, atEnds);
    }

    /** Seconds to load the graph, which all executors read from the storage at the same time. */
    private static double loaded(Graph graph, int gpus) {
        double ofHost = HOST_BYTES_A_SECOND / Math.min(gpus, GPUS_OF_A_HOST);
        return graph.bytes() / Math.min(LOADED_BYTES_A_SECOND, Math.min(ofHost, STORAGE_BYTES_A_SECOND / gpus));
    }
}
