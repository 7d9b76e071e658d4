// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import io.proxima.backend.BackendSettings;
import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.DistanceSink;
import io.proxima.backend.Farness;
import io.proxima.backend.Kernel;
import io.proxima.backend.Levels;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.Residences;
import io.proxima.backend.RunContext;
import io.proxima.backend.RunObserver;
import io.proxima.backend.RunOptions;
import io.proxima.backend.TraversalBackend;
import io.proxima.backend.VertexOrder;
import io.proxima.backend.bounds.Eccentricities;
import io.proxima.backend.bounds.EccentricityBounds;
import io.proxima.backend.bounds.TopCloseness;
import io.proxima.backend.cpu.CpuBackend;
import io.proxima.backend.device.run.DeviceBackend;
import io.proxima.backend.result.ClosenessFormula;
import io.proxima.backend.select.TraversalBackends;
import io.proxima.backend.select.TraversalBackends.Wanted;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.memory.HeapBudget;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.WeightedCsc;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Measures runs as the plugin calls them, checks them against the CPU backend, and prints a line of CSV for each. Two
 * builds that print the same columns can be compared: see run.sh of the kit.
 *
 * <p>Arguments: a name for the build; a backend ("cpu", "cuda", "auto", devices such as "cuda:0,cuda:1", or "timed",
 * the first device with the times of its kernels); graphs as {@link BenchmarkGraphs} names them, separated by commas;
 * and tasks {@code OPERATION[@NUMBER][/KERNEL[/ORDER]][*USERS][+OTHER]}:
 *
 * <ul>
 *   <li>OPERATION: search, distances, sums, closeness, harmonic, eccentricity, components, betweenness, paths, or paths
 *       by fractional weights ("fractions") or by the same weights and a single one of 1e12 ("outlier"); the
 *       sums of searches over weights from many sources in one call ("costs"); by bounds, all
 *       eccentricities ("bounds"), or diameter and radius ("diameter"); the best vertices by Wasserman-Faust ("best").
 *       NUMBER is the number of sources, or of best vertices
 *   <li>KERNEL and ORDER: values of the configuration keys of these names
 *   <li>USERS: threads that make the call at the same time
 *   <li>OTHER: an operation that another thread repeats meanwhile
 * </ul>
 *
 * <p>The first call of a task copies the graph to the device. A task without KERNEL is warmed up for
 * {@link #WARM_UP_NANOS}. The calls that are counted begin when the work in the background has ended; a line that
 * begins with # says so where this is not known. Their row has the kernel, order and bytes of these calls, and several
 * joined by "+" if they changed meanwhile.
 */
public final class RunBenchmark {

    static final String HEADER =
            "graph,vertices,entries,task,build,backend,kernel,order,first_ms,warm_median_ms,p99_ms,"
                    + "kernel_ms,launch_ms,runs,per_second,device_bytes,mapped_bytes,checksum";

    private static final long WARM_UP_NANOS = 1_500_000_000L;
    private static final long MEASURED_NANOS = 2_500_000_000L;
    private static final int LEAST_ROUNDS = 2;
    private static final int ROUNDS = 64;
    private static final int ROUNDS_OF_USERS = 512;
    private static final int MOST_SOURCES = 1 << 14;
    private static final int CHECKED = 4;
    private static final int CHECKED_OF_BETWEENNESS = 64;
    private static final double TOLERANCE = 1e-9;
    private static final Set<String> PATHS = Set.of("paths", "fractions", "outlier");
    private static final int[] NO_TARGETS = {};
    static final TraversalBackends BACKENDS =
            TraversalBackends.ofThisHost(BackendSettings.ofSystemProperties().withVulkan(true));
    private static final DistanceSink IGNORE = batch -> {};

    private final String build;
    private final String backendName;
    private final TraversalBackend backend;
    private final TraversalBackend cpu = BACKENDS.select(Wanted.CPU).backend();
    private final KernelClock clock;
    private final long warmUpNanos;
    private final int concurrency = Runtime.getRuntime().availableProcessors();
    private final PrintStream out;

    private String name;
    private Csc csc;
    private WeightedCsc weights;
    private LoadedGraph onCpu;
    private int[] sources;
    private final Map<String, Object> expected = new HashMap<>();

    /**
     * A benchmark of a backend.
     *
     * @param clock null to leave the kernels' times out
     * @param warmUpNanos how long a task without KERNEL is called before it is measured
     */
    RunBenchmark(
            String build,
            String backendName,
            TraversalBackend backend,
            KernelClock clock,
            long warmUpNanos,
            PrintStream out) {
        this.build = build;
        this.backendName = backendName;
        this.backend = backend;
        this.clock = clock;
        this.warmUpNanos = warmUpNanos;
        this.out = out;
    }

    /** Runs; ends with an exception at the first result that differs from the CPU's. */
    public static void main(String[] args) {
        List<String> tasks = List.of(args).subList(3, args.length);
        if (args[1].equals("timed")) {
            KernelClock clock = new KernelClock();
            try (CudaBackends backends = clock.backends()) {
                TraversalBackend device = backends.choose().backend();
                new RunBenchmark(args[0], args[1], device, clock, WARM_UP_NANOS, System.out).run(args[2], tasks);
            }
        } else {
            TraversalBackend backend = backend(args[1]);
            new RunBenchmark(args[0], args[1], backend, null, WARM_UP_NANOS, System.out).run(args[2], tasks);
        }
    }

    static TraversalBackend backend(String name) {
        if (name.contains(":")) {
            return BACKENDS.selectDevices(List.of(name.split(",", -1))).backend();
        }
        Wanted wanted = Wanted.valueOf(name.toUpperCase(Locale.ROOT));
        // as the plugin does when the server starts, so that a first call is that of a running server
        int threads = Runtime.getRuntime().availableProcessors();
        BACKENDS.warmUp(wanted, HeapBudget.UNLIMITED, threads, Stop.NEVER);
        return BACKENDS.select(wanted).backend();
    }

    /** A task of the command line. */
    private record Task(String text, String operation, int number, RunOptions options, int users, String other) {

        static Task of(String text) {
            String[] beside = text.split("\\+", 2);
            String[] users = beside[0].split("\\*", 2);
            String[] options = users[0].split("/", 3);
            String[] operation = options[0].split("@", 2);
            int number = operation.length > 1
                    ? Integer.parseInt(operation[1])
                    : switch (operation[0]) {
                        case "search" -> 64;
                        case "distances", "costs" -> 256;
                        case "sums" -> 1024;
                        case "paths", "fractions", "outlier" -> 16;
                        default -> 0;
                    };
            return new Task(
                    text,
                    operation[0],
                    number,
                    new RunOptions(
                            options.length > 2
                                    ? VertexOrder.valueOf(options[2].toUpperCase(Locale.ROOT))
                                    : VertexOrder.AUTO,
                            options.length > 1 ? Kernel.of(options[1]) : Kernel.AUTO),
                    users.length > 1 ? Integer.parseInt(users[1]) : 1,
                    beside.length > 1 ? beside[1] : "");
        }

        /** Whether each call takes one of the sources. */
        boolean oneSource() {
            return operation.equals("search") || isOfPaths();
        }

        boolean isOfPaths() {
            return PATHS.contains(operation);
        }

        boolean readsWeights() {
            return isOfPaths() || operation.equals("costs");
        }

        Set<DistanceMeasure> measures() {
            return switch (operation) {
                case "harmonic" -> Set.of(DistanceMeasure.HARMONIC);
                case "eccentricity" -> Set.of(DistanceMeasure.ECCENTRICITY);
                default -> Set.of();
            };
        }

        int rounds() {
            return users > 1 || !other.isEmpty() ? ROUNDS_OF_USERS : oneSource() ? number : ROUNDS;
        }
    }

    void run(String graphs, List<String> texts) {
        List<Task> tasks = texts.stream().map(Task::of).toList();
        out.println(HEADER);
        for (String graph : graphs.split(",", -1)) {
            name = graph;
            csc = new BenchmarkGraphs(concurrency).make(graph);
            sources = BenchmarkGraphs.sources(csc, (int) Math.min(MOST_SOURCES, linkedVertices()));
            expected.clear();
            try (LoadedGraph reference = cpu.load(csc)) {
                onCpu = reference;
                for (Task task : tasks) {
                    weights = task.readsWeights() ? BenchmarkWeights.of(csc, task.operation()) : null;
                    try {
                        measure(task);
                    } catch (DeviceMemoryException e) {
                        out.println("# " + graph + " " + task.text() + ": " + e.getMessage());
                    }
                }
            }
        }
    }

    private void measure(Task task) {
        RunContext control = RunContext.of(concurrency).with(task.options());
        try (LoadedGraph graph = backend.load(csc)) {
            long begin = System.nanoTime();
            Object result = call(graph, task, control, 0, IGNORE);
            double first = millisSince(begin);
            warmUp(graph, task, observed(task, new Names()));
            if (!awaitsBackground()) {
                out.println("# " + name + " " + task.text() + ": not known whether work in the background has ended");
            }
            Names names = new Names();
            Times times = times(graph, task, names);
            long checksum = check(graph, task, control, result);
            out.printf(
                    Locale.ROOT,
                    "%s,%d,%d,%s,%s,%s,%s,%s,%.3f,%.4f,%.4f,%s,%s,%d,%.1f,%s,%s,%016x%n",
                    name,
                    csc.vertexCount(),
                    csc.entryCount(),
                    task.text(),
                    build,
                    backendName.replace(',', ' '),
                    names.kernels(),
                    names.orders(),
                    first,
                    quantile(times.calls, 50),
                    quantile(times.calls, 99),
                    times.kernels.isEmpty() ? "" : String.format(Locale.ROOT, "%.4f", quantile(times.kernels, 50)),
                    times.launches.isEmpty() ? "" : String.format(Locale.ROOT, "%.4f", quantile(times.launches, 50)),
                    times.calls.size(),
                    times.calls.size() / times.seconds,
                    times.bytes,
                    times.mapped,
                    checksum);
        }
    }

    private RunContext observed(Task task, Names names) {
        return new RunContext(concurrency, Stop.NEVER, Progress.NONE, names, task.options());
    }

    /** Waits until the graphs are prepared for repeated use; returns whether this can be known. */
    private boolean awaitsBackground() {
        if (backend instanceof DeviceBackend device) {
            device.preparer().awaitIdle();
        }
        return backend instanceof DeviceBackend || backend instanceof CpuBackend;
    }

    /** One call, as the plugin makes it. */
    private Object call(LoadedGraph graph, Task task, RunContext control, int round, DistanceSink sink) {
        int[] chosen = sources(task.number());
        int source = sources[round % chosen.length];
        return switch (task.operation()) {
            case "search" -> graph.bfs(source, LoadedGraph.NO_MAX_DEPTH, NO_TARGETS, control.again());
            case "distances" -> {
                graph.multiSourceBfs(chosen, LoadedGraph.NO_MAX_DEPTH, sink, control);
                yield sink;
            }
            case "sums" -> graph.farness(chosen, task.measures(), control);
            case "closeness", "harmonic", "eccentricity" -> graph.farness(task.measures(), control);
            case "bounds" ->
                bounds(graph, Set.of(Eccentricities.Wanted.ALL), control).eccentricities();
            case "diameter" -> {
                Eccentricities found =
                        bounds(graph, Set.of(Eccentricities.Wanted.DIAMETER, Eccentricities.Wanted.RADIUS), control);
                yield new int[] {found.diameter(), found.radius()};
            }
            case "best" ->
                TopCloseness.of(
                                graph,
                                csc,
                                ClosenessFormula.WASSERMAN_FAUST,
                                Math.max(1, task.number()),
                                null,
                                () -> {},
                                control)
                        .vertices();
            case "components" -> graph.components(control);
            case "betweenness" -> graph.betweenness(task.number() == 0 ? null : chosen, control);
            case "paths", "fractions", "outlier" ->
                graph.shortestPaths(source, weights, LoadedGraph.ANY_DELTA, false, control)
                        .costs();
            case "costs" -> graph.costSums(chosen, weights, false, control).sums();
            default -> throw new IllegalArgumentException("no such operation: " + task.operation());
        };
    }

    /** On a directed graph, the time contains that of loading the reversed one. */
    private Eccentricities bounds(LoadedGraph graph, Set<Eccentricities.Wanted> wanted, RunContext control) {
        if (csc.isSymmetric()) {
            return EccentricityBounds.find(csc, graph, graph, wanted, () -> {}, control);
        }
        TraversalBackend of = graph == onCpu ? cpu : backend;
        try (LoadedGraph reversed = of.load(csc.transposed(concurrency, Stop.NEVER))) {
            return EccentricityBounds.find(csc, graph, reversed, wanted, () -> {}, control);
        }
    }

    /** The first sources; at least one. */
    private int[] sources(int number) {
        return Arrays.copyOf(sources, Math.max(1, Math.min(number, sources.length)));
    }

    private long linkedVertices() {
        return IntStream.range(0, csc.vertexCount())
                .filter(vertex -> csc.degree(vertex) > 0)
                .count();
    }

    private void warmUp(LoadedGraph graph, Task task, RunContext control) {
        boolean prepares = task.options().kernel().equals(Kernel.AUTO);
        long begin = System.nanoTime();
        int round = 0;
        while (round == 0 || (prepares && System.nanoTime() - begin < warmUpNanos)) {
            call(graph, task, control, round, IGNORE);
            round++;
        }
    }

    /** In milliseconds, but the time of all. The kernels' times are known only with a clock and one user. */
    private record Times(
            List<Double> calls,
            List<Double> kernels,
            List<Double> launches,
            double seconds,
            String bytes,
            String mapped) {}

    private Times times(LoadedGraph graph, Task task, Names names) {
        RunContext control = observed(task, names);
        RunContext unnamed = RunContext.of(concurrency).with(task.options());
        Set<Long> bytes = Collections.synchronizedSet(new LinkedHashSet<>());
        Set<Long> mapped = Collections.synchronizedSet(new LinkedHashSet<>());
        List<Double> calls = Collections.synchronizedList(new ArrayList<>());
        List<Double> kernels = new ArrayList<>();
        List<Double> launches = new ArrayList<>();
        AtomicInteger next = new AtomicInteger();
        AtomicBoolean over = new AtomicBoolean();
        ExecutorService threads = Executors.newFixedThreadPool(task.users() + 1);
        // not between the calls, which follow each other without a pause
        bytes.add(Residences.bytes(graph));
        mapped.add(Residences.mappedBytes(graph));
        long begin = System.nanoTime();
        try {
            List<Future<?>> users = new ArrayList<>();
            for (int user = 0; user < task.users(); user++) {
                users.add(threads.submit(() -> {
                    int round = next.getAndIncrement();
                    while (round < task.rounds()
                            && (round < LEAST_ROUNDS || System.nanoTime() - begin < MEASURED_NANOS)) {
                        long called = System.nanoTime();
                        if (clock != null) {
                            clock.reset();
                        }
                        call(graph, task, control, round, IGNORE);
                        calls.add(millisSince(called));
                        if (clock != null && task.users() == 1) {
                            kernels.add(clock.kernelMillis());
                            launches.add(clock.launchMillis());
                        }
                        round = next.getAndIncrement();
                    }
                }));
            }
            Future<?> beside = threads.submit(() -> {
                Task other = Task.of(task.other());
                while (!task.other().isEmpty() && !over.get()) {
                    call(graph, other, unnamed, 0, IGNORE);
                }
            });
            for (Future<?> user : users) {
                user.get();
            }
            double seconds = (System.nanoTime() - begin) / 1e9;
            bytes.add(Residences.bytes(graph));
            mapped.add(Residences.mappedBytes(graph));
            over.set(true);
            beside.get();
            return new Times(calls, kernels, launches, seconds, joined(bytes), joined(mapped));
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        } finally {
            over.set(true);
            threads.shutdownNow();
        }
    }

    /**
     * Compares a part of the results with those of the CPU.
     *
     * @param result of the first call
     * @return a hash of all results, equal for equal results
     */
    private long check(LoadedGraph graph, Task task, RunContext control, Object result) {
        if (task.operation().equals("distances")) {
            return checkDistances(graph, task, control);
        }
        if (task.oneSource()) {
            long hash = 1;
            for (int round = 0; round < sources(task.number()).length; round++) {
                Object found = values(call(graph, task, control, round, IGNORE));
                hash = 31 * hash + hash(found);
                if (round < CHECKED) {
                    require(Arrays.deepEquals(new Object[] {found}, new Object[] {onCpu(task, round)}), task);
                }
            }
            return hash;
        }
        if (result instanceof Farness found) {
            checkFarness(found, task);
        } else if (task.operation().equals("betweenness")) {
            checkBetweenness(graph, control, task);
        } else {
            require(Arrays.deepEquals(new Object[] {result}, new Object[] {onCpu(task, 0)}), task);
        }
        return hash(values(result));
    }

    /** What the CPU finds, computed once. */
    private Object onCpu(Task task, int round) {
        return expected.computeIfAbsent(
                task.operation() + (task.oneSource() ? round : "@" + task.number()),
                key -> values(call(onCpu, task, RunContext.of(concurrency), round, IGNORE)));
    }

    private long checkDistances(LoadedGraph graph, Task task, RunContext control) {
        Task search = Task.of("search");
        long[] hashes = new long[sources(task.number()).length];
        call(graph, task, control, 0, batch -> IntStream.range(0, batch.sourceCount())
                .parallel()
                .forEach(s -> {
                    int source = batch.firstSource() + s;
                    int[] levels = source < CHECKED ? (int[]) onCpu(search, source) : null;
                    long hash = 1;
                    for (int vertex = 0; vertex < csc.vertexCount(); vertex++) {
                        int distance = batch.distance(s, vertex);
                        require(levels == null || levels[vertex] == distance, task);
                        hash = 31 * hash + distance;
                    }
                    hashes[source] = hash;
                }));
        return Arrays.hashCode(hashes);
    }

    private void checkFarness(Farness found, Task task) {
        int[] few = sources(CHECKED);
        Farness right = onCpu.farness(few, task.measures(), RunContext.of(concurrency));
        for (int i = 0; i < few.length; i++) {
            int at = task.operation().equals("sums") ? i : few[i];
            require(found.farness()[at] == right.farness()[i] && found.reach()[at] == right.reach()[i], task);
            require(right.harmonic() == null || found.harmonic()[at] == right.harmonic()[i], task);
            require(right.eccentricity() == null || found.eccentricity()[at] == right.eccentricity()[i], task);
        }
    }

    private void checkBetweenness(LoadedGraph graph, RunContext control, Task task) {
        int[] few = sources(CHECKED_OF_BETWEENNESS);
        double[] found = graph.betweenness(few, control);
        double[] right = onCpu.betweenness(few, RunContext.of(concurrency));
        for (int vertex = 0; vertex < right.length; vertex++) {
            require(Math.abs(found[vertex] - right[vertex]) <= TOLERANCE * right[vertex], task);
        }
    }

    private static Object values(Object result) {
        if (result instanceof Levels levels) {
            return levels.levels();
        }
        return result instanceof Farness sums
                ? new Object[] {sums.farness(), sums.reach(), sums.harmonic(), sums.eccentricity()}
                : result;
    }

    private static long hash(Object values) {
        return Arrays.deepHashCode(new Object[] {values});
    }

    private void require(boolean equal, Task task) {
        if (!equal) {
            throw new IllegalStateException(name + ", " + task.text() + ": the result differs from the CPU's");
        }
    }

    private static double quantile(List<Double> values, int percent) {
        List<Double> sorted = values.stream().sorted().toList();
        return sorted.get(sorted.size() * percent / 100);
    }

    private static double millisSince(long begin) {
        return (System.nanoTime() - begin) / 1e6;
    }

    private static String joined(Set<?> values) {
        // a comma would end the column
        return values.stream().map(value -> value.toString().replace(",", "")).collect(Collectors.joining("+"));
    }

    /** Keeps the orders and the kernels that runs report. */
    private static final class Names implements RunObserver {

        private final Set<String> orders = Collections.synchronizedSet(new LinkedHashSet<>());
        private final Set<String> kernels = Collections.synchronizedSet(new LinkedHashSet<>());

        @Override
        public void runsOn(String backend, String reason) {
            // the backend is an argument of the program
        }

        @Override
        public void runsWith(String order, String kernel, String reason) {
            orders.add(order);
            kernels.add(kernel);
        }

        String orders() {
            return joined(orders);
        }

        String kernels() {
            return joined(kernels);
        }
    }
}
