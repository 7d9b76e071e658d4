// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import io.proxima.backend.Levels;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunControl;
import io.proxima.backend.TraversalBackend.Run;
import io.proxima.backend.cpu.CpuBackend;
import io.proxima.backend.cuda.choice.KernelChoice;
import io.proxima.backend.cuda.device.CudaDevice;
import io.proxima.backend.cuda.device.DeviceLease;
import io.proxima.backend.cuda.graph.HeldGraph;
import io.proxima.backend.cuda.kernel.KernelFamilies;
import io.proxima.backend.cuda.kernel.LevelKernels;
import io.proxima.backend.cuda.run.LevelSearch;
import io.proxima.projection.Csc;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.IntToDoubleFunction;
import java.util.stream.Collectors;

/**
 * What one search costs from Java, with the kernel and order that 'auto' takes for a graph in use. Arguments: a folder, then
 * graphs as {@link BenchmarkGraphs} names them.
 *
 * <p>Writes to the folder GRAPH.bin and GRAPH.sources for programs beside it: vertices and entries (32 bits each), a byte that is
 * 1 for Kronecker graphs, pointers and indices (32 bits each); and the sources as text. Prints a hash of the levels of every
 * source, and lines of CSV: graph, what, order, kernel, median, mean and least, in microseconds.
 */
public final class SearchBenchmark {

    private static final int SOURCES = 64;
    private static final int ROUNDS = 5;
    private static final int WARM_UP = 1024;
    private static final long WAIT_FOR_THE_BACKGROUND_MILLIS = 3000;
    private static final int[] NO_TARGETS = {};
    private static final long FNV_BASIS = 1469598103934665603L;
    private static final long FNV_PRIME = 1099511628211L;

    private final CudaBackend backend;
    private final Path folder;
    private final RunControl control = RunControl.of(Runtime.getRuntime().availableProcessors());
    private final PrintStream out = System.out;

    private SearchBenchmark(CudaBackend backend, Path folder) {
        this.backend = backend;
        this.folder = folder;
    }

    /** Runs; ends with an exception at the first levels that differ from the CPU's. */
    public static void main(String[] args) throws IOException, InterruptedException {
        try (CudaBackends backends = CudaBackends.ofThisHost()) {
            SearchBenchmark benchmark =
                    new SearchBenchmark((CudaBackend) backends.choose().backend(), Path.of(args[0]));
            for (String graph : Arrays.asList(args).subList(1, args.length)) {
                benchmark.measure(graph);
            }
        }
    }

    private void measure(String name) throws IOException, InterruptedException {
        Csc csc = new BenchmarkGraphs(control.concurrency()).make(name);
        int[] sources = BenchmarkGraphs.sources(csc, SOURCES);
        export(name, csc, sources);
        try (LoadedGraph graph = backend.load(csc);
                LoadedGraph onCpu = new CpuBackend().load(csc)) {
            for (int source : sources) {
                int[] levels = levels(graph, source).levels();
                if (!Arrays.equals(levels, levels(onCpu, source).levels())) {
                    throw new IllegalStateException("wrong levels: " + name + ", source " + source);
                }
                out.printf("%s source %d hash %x%n", name, source, hash(levels));
            }
            warmUp(graph, sources);
            Thread.sleep(WAIT_FOR_THE_BACKGROUND_MILLIS);
            warmUp(graph, sources);
            inside(name, csc, sources);
            rows(name, "call with levels on the heap", graph.order(), "", sources, source -> {
                long begin = System.nanoTime();
                levels(graph, source);
                return microsSince(begin);
            });
            rows(name, "the same, widened to ints by the caller", graph.order(), "", sources, source -> {
                long begin = System.nanoTime();
                levels(graph, source).levels();
                return microsSince(begin);
            });
        }
    }

    private Levels levels(LoadedGraph graph, int source) {
        return graph.bfs(source, LoadedGraph.NO_MAX_DEPTH, NO_TARGETS, control);
    }

    private void warmUp(LoadedGraph graph, int[] sources) {
        for (int i = 0; i < WARM_UP; i++) {
            levels(graph, sources[i % SOURCES]);
        }
    }

    private void inside(String name, Csc csc, int[] sources) {
        CudaDevice device = backend.device();
        try (HeldGraph view = backend.resident(csc).acquire(control, 1)) {
            LevelKernels kernels = new KernelChoice(device, KernelFamilies.SHIPPED).levels(view, Run.BFS, control);
            String order = view.order().name();
            rows(
                    name,
                    "kernel, between events, calls in between",
                    order,
                    kernels.name(),
                    sources,
                    source -> 1e3
                            * LevelSearch.run(
                                            device,
                                            kernels,
                                            view,
                                            new int[] {source},
                                            LoadedGraph.NO_MAX_DEPTH,
                                            NO_TARGETS,
                                            control)
                                    .outcome()
                                    .millis());
            double[] launches = new double[ROUNDS * SOURCES];
            int[] next = {0};
            rows(name, "kernel, between events, one after the other", order, kernels.name(), sources, source -> {
                int[] slot = view.order().toSlots(new int[] {source});
                LevelKernels.Plan plan = kernels.plan(view, 1, 0);
                try (DeviceLease lease = device.lease(control.stop())) {
                    long at = lease.workspace(plan.bytes());
                    long begin = System.nanoTime();
                    DeviceLease.Outcome outcome =
                            kernels.launch(lease, view, at, slot, LoadedGraph.NO_MAX_DEPTH, NO_TARGETS);
                    launches[next[0]++] = microsSince(begin);
                    return 1e3 * outcome.millis();
                }
            });
            row(name, "from the source to the outcome, one after the other", order, kernels.name(), launches);
        }
    }

    private void rows(
            String name, String what, String order, String kernel, int[] sources, IntToDoubleFunction microsOf) {
        double[] micros = new double[ROUNDS * SOURCES];
        for (int i = 0; i < micros.length; i++) {
            micros[i] = microsOf.applyAsDouble(sources[i % SOURCES]);
        }
        row(name, what, order, kernel, micros);
    }

    private void row(String name, String what, String order, String kernel, double[] micros) {
        double[] sorted = micros.clone();
        Arrays.sort(sorted);
        out.printf(
                Locale.ROOT,
                "csv,%s,\"%s\",%s,%s,%.1f,%.1f,%.1f%n",
                name,
                what,
                order,
                kernel,
                sorted[sorted.length / 2],
                Arrays.stream(micros).average().orElseThrow(),
                sorted[0]);
    }

    private void export(String name, Csc csc, int[] sources) throws IOException {
        try (DataOutputStream file = new DataOutputStream(
                new BufferedOutputStream(Files.newOutputStream(folder.resolve(name + ".bin")), 1 << 20))) {
            writeInt(file, csc.vertexCount());
            writeInt(file, (int) csc.entryCount());
            file.writeByte(name.startsWith("kron") ? 1 : 0);
            for (long pointer : csc.columnPointers()) {
                writeInt(file, (int) pointer);
            }
            for (long i = 0; i < csc.entryCount(); i++) {
                writeInt(file, csc.rowIndices().get(i));
            }
        }
        Files.writeString(
                folder.resolve(name + ".sources"),
                Arrays.stream(sources).mapToObj(Integer::toString).collect(Collectors.joining("\n", "", "\n")),
                StandardCharsets.US_ASCII);
    }

    /** In little-endian order. */
    private static void writeInt(DataOutputStream file, int value) throws IOException {
        file.writeInt(Integer.reverseBytes(value));
    }

    /** FNV-1a over the levels as 32-bit words. */
    private static long hash(int[] levels) {
        long hash = FNV_BASIS;
        for (int level : levels) {
            hash = (hash ^ Integer.toUnsignedLong(level)) * FNV_PRIME;
        }
        return hash;
    }

    private static double microsSince(long begin) {
        return (System.nanoTime() - begin) / 1e3;
    }
}
