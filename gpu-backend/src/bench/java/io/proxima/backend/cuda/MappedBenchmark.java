// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import io.proxima.backend.Farness;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunControl;
import io.proxima.backend.RunObserver;
import io.proxima.backend.RunOptions;
import io.proxima.backend.cpu.CpuBackend;
import io.proxima.backend.cuda.device.LaunchPolicy;
import io.proxima.backend.cuda.device.MappedBudget;
import io.proxima.backend.cuda.driver.CudaProbe;
import io.proxima.backend.cuda.driver.KernelImages;
import io.proxima.backend.cuda.kernel.KernelFamilies;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.projection.Csc;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Searches and closeness of a sample over lists on the device, over lists in mapped host memory, and on the CPU, with
 * equal results. Arguments: graphs as {@link BenchmarkGraphs} names them, each followed by ":BYTES" for each budget of the
 * device that is tried in MiB, and then by numbers of sources of closeness, as in "kron24:3000,2100:256,1024".
 *
 * <p>"mapped" has the whole device for the state of the searches. "budget" has as much device memory as its budget; where
 * the lists lie is for the backend to decide.
 */
public final class MappedBenchmark {

    private static final int SEARCHES = 16;
    private static final int CPU_SOURCES = 16;
    private static final int ROUNDS = 3;
    private static final long HOST_BYTES = 64L << 30;
    private static final int[] NO_TARGETS = {};

    private final PrintStream out;
    private final Names names = new Names();
    private final RunControl control;
    private final String name;
    private final Csc graph;
    private final int[] searched;
    private final int[][] levels = new int[SEARCHES][];
    private Farness onCpu;

    private MappedBenchmark(String name, PrintStream out) {
        this.name = name;
        this.out = out;
        int threads = Runtime.getRuntime().availableProcessors();
        control = new RunControl(threads, Stop.NEVER, Progress.NONE, names, RunOptions.AUTO);
        long begin = System.nanoTime();
        graph = new BenchmarkGraphs(threads).make(name);
        searched = BenchmarkGraphs.sources(graph, SEARCHES);
        out.printf(
                Locale.ROOT, "# %s made in %.1f s with %d threads%n", name, (System.nanoTime() - begin) / 1e9, threads);
    }

    /** Runs; ends with an exception at the first result that differs. */
    public static void main(String[] args) {
        run(CudaProbe.ofThisHost(), KernelImages.PACKED, System.out, List.of(args));
    }

    static void run(CudaProbe probe, KernelImages images, PrintStream out, List<String> tasks) {
        out.println("graph,vertices,entries,where,budgetBytes,deviceBytes,mappedBytes,run,kernel,sources,firstMillis,"
                + "medianMillis,microsPerSource");
        for (String task : tasks) {
            String[] parts = task.split(":", -1);
            MappedBenchmark benchmark = new MappedBenchmark(parts[0], out);
            int[] counts = ints(parts[2]);
            benchmark.onCpu();
            benchmark.onDevice(probe, images, "resident", 0, counts);
            benchmark.onDevice(probe, images, "mapped", 0, counts);
            for (int budget : ints(parts[1])) {
                benchmark.onDevice(probe, images, "budget", (long) budget << 20, counts);
            }
        }
    }

    private static int[] ints(String list) {
        return list.isEmpty()
                ? new int[0]
                : Arrays.stream(list.split(",")).mapToInt(Integer::parseInt).toArray();
    }

    private void onCpu() {
        try (CpuBackend cpu = new CpuBackend();
                LoadedGraph loaded = cpu.load(graph)) {
            search(loaded, "cpu", 0);
            int[] sources = Arrays.copyOf(searched, CPU_SOURCES);
            long begin = System.nanoTime();
            onCpu = loaded.farness(sources, Set.of(), control);
            double millis = (System.nanoTime() - begin) / 1e6;
            row(loaded, "cpu", 0, "closeness", CPU_SOURCES, millis, millis);
        }
    }

    private void onDevice(CudaProbe probe, KernelImages images, String where, long budget, int[] counts) {
        LaunchPolicy shipped = LaunchPolicy.shipped();
        long total = probe.devices().get(0).facts().totalBytes();
        LaunchPolicy policy = new LaunchPolicy(
                budget == 0 ? shipped.memoryShare() : (double) budget / total,
                shipped.recordsShare(),
                shipped.blockThreads(),
                shipped.stagingBytes(),
                shipped.batchSources(),
                shipped.levelCapacity(),
                Integer.MAX_VALUE,
                shipped.defaults());
        try (CudaBackends backends = new CudaBackends(
                KernelFamilies.SHIPPED,
                () -> probe,
                images,
                () -> policy,
                new MappedBudget(1, () -> HOST_BYTES),
                LaunchPolicy.LEAST_SHARED_SUMS)) {
            CudaBackends.Choice choice = backends.choose();
            if (choice.backend() == null) {
                throw new IllegalStateException(choice.reason());
            }
            CudaBackend backend = (CudaBackend) choice.backend();
            try (LoadedGraph loaded = backend.load(graph)) {
                if (where.equals("mapped")) {
                    require(backend.resident(graph).map(0).isPresent(), "the lists cannot be mapped");
                }
                search(loaded, where, backend.device().memory().budget());
                close(loaded, where, backend.device().memory().budget(), counts);
            }
        }
    }

    private void search(LoadedGraph loaded, String where, long budget) {
        long begin = System.nanoTime();
        loaded.bfs(searched[0], -1, NO_TARGETS, control);
        double first = (System.nanoTime() - begin) / 1e6;
        double[] millis = new double[SEARCHES];
        for (int i = 0; i < SEARCHES; i++) {
            begin = System.nanoTime();
            int[] found = loaded.bfs(searched[i], -1, NO_TARGETS, control).levels();
            millis[i] = (System.nanoTime() - begin) / 1e6;
            if (levels[i] == null) {
                levels[i] = found;
            }
            require(Arrays.equals(levels[i], found), "the levels from " + searched[i] + " differ");
        }
        row(loaded, where, budget, "bfs", 1, first, median(millis));
    }

    private void close(LoadedGraph loaded, String where, long budget, int[] counts) {
        Farness few = loaded.farness(Arrays.copyOf(searched, CPU_SOURCES), Set.of(), control);
        require(Arrays.equals(onCpu.farness(), few.farness()), "farness differs");
        require(Arrays.equals(onCpu.reach(), few.reach()), "reach differs");
        for (int count : counts) {
            int[] sources = BenchmarkGraphs.sources(graph, count);
            double[] millis = new double[ROUNDS];
            double first = 0;
            for (int round = 0; round <= ROUNDS; round++) {
                long begin = System.nanoTime();
                Farness found = loaded.farness(sources, Set.of(), control);
                double took = (System.nanoTime() - begin) / 1e6;
                if (round == 0) {
                    first = took;
                    for (int i = 0; i < CPU_SOURCES; i++) {
                        // the sources of a larger number begin with those of a smaller one
                        require(found.farness()[i] == onCpu.farness()[i], "farness differs");
                    }
                } else {
                    millis[round - 1] = took;
                }
            }
            row(loaded, where, budget, "closeness", count, first, median(millis));
        }
    }

    private static double median(double[] millis) {
        double[] sorted = millis.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private void row(
            LoadedGraph loaded, String where, long budget, String run, int sources, double first, double median) {
        out.printf(
                Locale.ROOT,
                "%s,%d,%d,%s,%d,%d,%d,%s,%s,%d,%.3f,%.3f,%.3f%n",
                name,
                graph.vertexCount(),
                graph.entryCount(),
                where,
                budget,
                budget == 0 ? 0 : loaded.bytes(),
                loaded.mappedBytes(),
                run,
                names.latest,
                sources,
                first,
                median,
                1e3 * median / sources);
    }

    private static void require(boolean holds, String failure) {
        if (!holds) {
            throw new IllegalStateException(failure);
        }
    }

    /** Keeps the name of the kernels that a run reports. */
    private static final class Names implements RunObserver {
        private String latest = "cpu";

        @Override
        public void runsOn(String backend, String reason) {
            // there is only one device
        }

        @Override
        public void runsWith(String order, String kernel, String reason) {
            latest = kernel;
        }
    }
}
