// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.DistanceBatch;
import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.Farness;
import io.proxima.backend.Kernel;
import io.proxima.backend.Levels;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunControl;
import io.proxima.backend.RunOptions;
import io.proxima.backend.TraversalBackend;
import io.proxima.backend.TraversalBackend.Run;
import io.proxima.backend.bvss.BvssLayout;
import io.proxima.backend.cpu.CpuBackend;
import io.proxima.backend.cuda.choice.KernelChoice;
import io.proxima.backend.cuda.device.CudaDevice;
import io.proxima.backend.cuda.device.DeviceArray;
import io.proxima.backend.cuda.device.DeviceLease;
import io.proxima.backend.cuda.family.balls.BallsLevelKernels;
import io.proxima.backend.cuda.family.balls.WindowsLevelKernels;
import io.proxima.backend.cuda.family.blocks.BlocksBatchKernels;
import io.proxima.backend.cuda.family.brandes.DeviceBetweenness;
import io.proxima.backend.cuda.family.bvss.BvssBatchKernels;
import io.proxima.backend.cuda.family.bvss.BvssLevelKernels;
import io.proxima.backend.cuda.family.bvss.BvssStructure;
import io.proxima.backend.cuda.family.directional.DirectionalLevelKernels;
import io.proxima.backend.cuda.family.tiles.NeighbourTiles;
import io.proxima.backend.cuda.family.tiles.TilesSumKernels;
import io.proxima.backend.cuda.family.words.WordsBatchKernels;
import io.proxima.backend.cuda.graph.Csr;
import io.proxima.backend.cuda.graph.GraphView;
import io.proxima.backend.cuda.graph.HeldGraph;
import io.proxima.backend.cuda.graph.ResidentGraph;
import io.proxima.backend.cuda.graph.WeakComponents;
import io.proxima.backend.cuda.kernel.BatchKernels;
import io.proxima.backend.cuda.kernel.BatchedSums;
import io.proxima.backend.cuda.kernel.KernelFamilies;
import io.proxima.backend.cuda.kernel.LevelKernels;
import io.proxima.backend.cuda.kernel.SumKernels;
import io.proxima.backend.cuda.kernel.SumsLayout;
import io.proxima.backend.cuda.run.DeviceDistances;
import io.proxima.backend.cuda.run.FarnessSums;
import io.proxima.backend.order.NestedBalls;
import io.proxima.backend.order.VertexOrder;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.concurrent.Workers;
import io.proxima.projection.Csc;
import io.proxima.projection.GraphDepth;
import io.proxima.projection.GraphFiles;
import io.proxima.projection.Orientation;
import io.proxima.projection.TestGraphs;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * Measures every variant on benchmark graphs, each result checked against the CPU backend, and prints a table and a CSV.
 * Arguments: the CSV's path, then graphs as {@link BenchmarkGraphs} names them; "closeness:" before a name measures exact
 * closeness, "orders:" compares all orders, "prepare:" what comes before the first run, "many:" the families of many searches,
 * "kernels:K,L:G" single searches of graph G with these values of the key {@code kernel} and with 'auto', "sums:"
 * those of closeness (with ":0.01" from a hundredth of the sources only), "wcc:" weakly connected components,
 * "betweenness:G" betweenness of G (with ":1000" from so many sources only),
 * "beside:A:B" searches graph B while another thread measures closeness of graph A, "crossover:S" compares the backends on graphs of up to 2^S vertices, "stop" measures how soon a run stops, "full:" before a
 * name leaves out variants A and AB of many searches, which take minutes on graphs of thousands of levels, "large:FILE" does
 * what 'auto' takes only, on a graph of {@link GraphFiles}.
 */
public final class GpuBenchmark {

    private static final List<Set<DistanceMeasure>> MEASURES = List.of(
            Set.of(),
            Set.of(DistanceMeasure.HARMONIC),
            Set.of(DistanceMeasure.ECCENTRICITY),
            EnumSet.of(DistanceMeasure.ECCENTRICITY, DistanceMeasure.HOPS));

    private static final int SOURCES = 64;
    private static final int WARM_UP = 3;
    private static final int CHECKED = 8;
    private static final int CHECKED_OF_A_LARGE_GRAPH = 2;
    private static final int BATCH = 256;
    private static final int BATCH_ROUNDS = 3;
    private static final int COMPONENT_ROUNDS = 5;
    private static final int SEARCHES_BESIDE = 100;
    private static final long PAUSE_BETWEEN_CALLS_NANOS = 10_000_000;
    private static final int[] NO_TARGETS = {};

    private final CudaBackend backend;
    private final CudaDevice device;
    private final CpuBackend cpu = new CpuBackend();
    private final RunControl control = RunControl.of(Runtime.getRuntime().availableProcessors());
    private final PrintStream out;
    private final PrintWriter csv;

    private GpuBenchmark(CudaBackend backend, PrintStream out, PrintWriter csv) {
        this.backend = backend;
        this.device = backend.device();
        this.out = out;
        this.csv = csv;
    }

    /** Runs; ends with an exception at the first result that differs from the CPU's. */
    public static void main(String[] args) throws IOException {
        PrintStream out = System.out;
        Path file = Path.of(args[0]);
        CudaBackends backends = CudaBackends.ofThisHost();
        CudaBackends.Choice choice = backends.choose();
        if (choice.backend() == null) {
            throw new IllegalStateException(choice.reason());
        }
        try (backends;
                PrintWriter csv = new PrintWriter(Files.newBufferedWriter(file, StandardCharsets.US_ASCII))) {
            run((CudaBackend) choice.backend(), out, csv, List.of(args).subList(1, args.length));
        }
    }

    static void run(CudaBackend backend, PrintStream out, PrintWriter csv, List<String> tasks) {
        out.println(backend.info());
        csv.println("graph,vertices,entries,what,variant,unit,mean,median,worst,checked");
        GpuBenchmark benchmark = new GpuBenchmark(backend, out, csv);
        for (String task : tasks) {
            String[] parts = task.split(":", 2);
            switch (parts[0]) {
                case "crossover" -> benchmark.crossover(Integer.parseInt(parts[1]));
                case "stop" -> benchmark.stopLatency();
                case "closeness" -> benchmark.closeness(parts[1]);
                case "orders" -> benchmark.orders(parts[1]);
                case "prepare" -> benchmark.prepare(parts[1]);
                case "many" -> benchmark.many(parts[1]);
                case "kernels" -> {
                    String[] names = parts[1].split(":", 2);
                    benchmark.kernels(List.of(names[0].split(",")), names[1]);
                }
                case "sums" -> benchmark.sums(parts[1]);
                case "wcc" -> benchmark.components(parts[1]);
                case "betweenness" -> benchmark.betweenness(parts[1]);
                case "beside" -> {
                    String[] names = parts[1].split(":", 2);
                    benchmark.beside(names[0], names[1]);
                }
                case "large" -> benchmark.large(Path.of(parts[1]));
                case "full" -> benchmark.searches(parts[1], true);
                default -> benchmark.searches(task, false);
            }
            csv.flush();
        }
    }

    private Csc make(String name) {
        long begin = System.nanoTime();
        Csc csc = new BenchmarkGraphs(control.concurrency()).make(name);
        out.printf(
                Locale.ROOT,
                "%n%s: %,d vertices, %,d entries, made in %.1f s%n",
                name,
                csc.vertexCount(),
                csc.entryCount(),
                seconds(begin));
        return csc;
    }

    private void searches(String name, boolean onlyFull) {
        Csc csc = make(name);
        int[] sources = BenchmarkGraphs.sources(csc, BATCH);
        try (LoadedGraph onCpu = cpu.load(csc)) {
            int[][] expected = levels(onCpu, sources);
            Map<String, Double> means = new LinkedHashMap<>();
            // first, as a call finds the graph: 'auto' decides by what lies on the device
            String picked = singleSearches(name, csc, VertexOrder.AUTO, sources, expected, means);
            singleSearches(name, csc, VertexOrder.NATURAL, sources, expected, means);
            double best = means.values().stream()
                    .mapToDouble(Double::doubleValue)
                    .min()
                    .orElseThrow();
            double ratio = means.get(picked) / best;
            row(name, csc, "single source, 'auto' to the best", picked, "times", ratio, ratio, ratio, "");
            wholeCalls(name, csc, sources, onCpu);
            double full = means.get(variant(VertexOrder.NATURAL.key(), BvssLevelKernels.Variant.FULL.name()));
            row(name, csc, "multi-source 256 as single searches", "FULL", "ms", BATCH * full, BATCH * full, 0, "");
            long[] hashes = new long[BATCH];
            onCpu.multiSourceBfs(sources, -1, batch -> hash(batch, csc.vertexCount(), hashes), control);
            ResidentGraph resident = new ResidentGraph(csc, device, backend.improver());
            resident.hold();
            try (HeldGraph view = resident.acquire(in(VertexOrder.NATURAL), 1)) {
                view.require(Set.of(BvssStructure.BVSS));
                for (BvssBatchKernels.Variant kernel : BvssBatchKernels.Variant.values()) {
                    if (!onlyFull || kernel.smallestWidth != BATCH) {
                        BatchKernels kernels = new BvssBatchKernels(device, kernel, BATCH);
                        multiSource(name, csc, view, kernels, kernel.name(), sources, hashing(csc, hashes));
                    }
                }
            } finally {
                resident.letGo();
                device.workspace().close();
            }
        }
    }

    private RunControl in(VertexOrder order) {
        return control.with(new RunOptions(order, Kernel.AUTO));
    }

    private static String variant(String order, String kernels) {
        return order + " " + kernels;
    }

    /** All kernels of one search. */
    private Map<String, LevelKernels> kernelsOfOneSearch() {
        Map<String, LevelKernels> kernels = new LinkedHashMap<>();
        for (BvssLevelKernels.Variant kernel : BvssLevelKernels.Variant.values()) {
            kernels.put(kernel.name(), new BvssLevelKernels(device, kernel));
        }
        LevelKernels directional = new DirectionalLevelKernels(device);
        kernels.put(directional.name(), directional);
        for (boolean records : new boolean[] {false, true}) {
            String family = BallsLevelKernels.name(records);
            kernels.put(family, new BallsLevelKernels(device, records));
            kernels.put(family + " bits", new WindowsLevelKernels(device, records));
        }
        return kernels;
    }

    /** Searches with every kernel in an order, unless that was done; returns what 'auto' picks there, with the order. */
    private String singleSearches(
            String name, Csc csc, VertexOrder wanted, int[] sources, int[][] expected, Map<String, Double> means) {
        ResidentGraph resident = new ResidentGraph(csc, device, backend.improver());
        resident.hold();
        try (HeldGraph view = resident.acquire(in(wanted), 1)) {
            String order = view.order().name();
            long begin = System.nanoTime();
            KernelChoice choice = new KernelChoice(device, KernelFamilies.SHIPPED);
            LevelKernels chosen = choice.levels(view, Run.BFS, in(wanted));
            row(name, csc, "graph for " + chosen.name(), order, begin);
            if (view.depth() == GraphDepth.DEEP) {
                begin = System.nanoTime();
                view.require(choice.records(view));
                // as when the graph has been used a few times
                chosen = choice.levels(view, Run.BFS, in(wanted));
                row(name, csc, "records for " + chosen.name(), order, begin);
            }
            Map<String, LevelKernels> kernels = kernelsOfOneSearch();
            kernels.put(chosen.name() + " as picked", chosen);
            String picked = "";
            for (Map.Entry<String, LevelKernels> one : kernels.entrySet()) {
                String variant = variant(order, one.getKey());
                if (!means.containsKey(variant) && fits(view, one.getValue())) {
                    means.put(variant, search(name, csc, view, one.getValue(), variant, sources, expected));
                }
                picked = one.getValue().equals(chosen) ? variant : picked;
            }
            return picked;
        } finally {
            resident.letGo();
            device.workspace().close();
        }
    }

    /** Single searches with the requested kernels and those that 'auto' picks, in the order of 'auto' and as projected. */
    private void kernels(List<String> keywords, String name) {
        Csc csc = make(name);
        int[] sources = BenchmarkGraphs.sources(csc, SOURCES);
        int[][] expected;
        try (LoadedGraph onCpu = cpu.load(csc)) {
            expected = levels(onCpu, sources);
        }
        Set<String> measured = new HashSet<>();
        for (VertexOrder wanted : List.of(VertexOrder.AUTO, VertexOrder.NATURAL)) {
            ResidentGraph resident = new ResidentGraph(csc, device, backend.improver());
            resident.hold();
            try (HeldGraph view = resident.acquire(in(wanted), 1)) {
                KernelChoice choice = new KernelChoice(device, KernelFamilies.SHIPPED);
                if (view.depth() == GraphDepth.DEEP) {
                    view.require(choice.records(view));
                }
                LevelKernels picked = choice.levels(view, Run.BFS, in(wanted));
                Map<String, LevelKernels> kernels = new LinkedHashMap<>();
                kernels.put("auto: " + picked.name(), picked);
                for (String keyword : keywords) {
                    kernels.put(keyword, KernelFamilies.SHIPPED.levels(device, Kernel.of(keyword)));
                }
                kernels.forEach((keyword, one) -> {
                    String variant = variant(view.order().name(), keyword);
                    if (measured.add(variant) && fits(view, one)) {
                        search(name, csc, view, one, variant, sources, expected);
                    }
                });
            } finally {
                resident.letGo();
                device.workspace().close();
            }
        }
    }

    /** The levels from the first sources, which those of a device are compared with. */
    private int[][] levels(LoadedGraph onCpu, int[] sources) {
        int[][] levels = new int[CHECKED][];
        for (int s = 0; s < CHECKED; s++) {
            levels[s] = onCpu.bfs(sources[s], -1, NO_TARGETS, control).levels();
        }
        return levels;
    }

    /** Whether there is room for what a search needs; then it is there. */
    private boolean fits(HeldGraph view, LevelKernels kernels) {
        try {
            view.require(kernels.structures());
            return true;
        } catch (DeviceMemoryException e) {
            out.println(kernels.name() + ": " + e.getMessage());
            return false;
        }
    }

    /** What every order costs and gives: the columns of the paper's Table VII, and the searches of one source. */
    private void orders(String name) {
        Csc csc = make(name);
        int[] sources = BenchmarkGraphs.sources(csc, SOURCES);
        int[][] expected;
        try (LoadedGraph onCpu = cpu.load(csc)) {
            expected = levels(onCpu, sources);
        }
        long[] sums = new long[0];
        for (VertexOrder order : VertexOrder.values()) {
            if (order != VertexOrder.AUTO) {
                // the second round finds the code compiled
                order(name, csc, order, "first", new int[0], expected, sums);
                sums = order(name, csc, order, "second", sources, expected, sums);
            }
        }
    }

    private long[] order(
            String name,
            Csc csc,
            VertexOrder order,
            String round,
            int[] sources,
            int[][] expected,
            long[] expectedSums) {
        RunControl ordered = control.with(new RunOptions(order, Kernel.AUTO));
        ResidentGraph resident = new ResidentGraph(csc, device, backend.improver());
        resident.hold();
        long begin = System.nanoTime();
        try (HeldGraph view = resident.acquire(ordered, 1)) {
            row(name, csc, "order, " + round, order.key(), begin);
            begin = System.nanoTime();
            view.require(Set.of(Csr.OUT));
            row(name, csc, "copy and relabel, " + round, order.key(), begin);
            begin = System.nanoTime();
            view.require(Set.of(Csr.OUT, BvssStructure.BVSS));
            row(name, csc, "BVSS, " + round, order.key(), begin);
            if (sources.length == 0) {
                return expectedSums;
            }
            ordered(name, csc, view, ordered, sources, expected);
            return manySources(name, csc, view, expectedSums);
        } finally {
            resident.letGo();
            device.workspace().close();
        }
    }

    private void ordered(String name, Csc csc, HeldGraph view, RunControl ordered, int[] sources, int[][] expected) {
        String order = view.order().name();
        BvssStructure.SliceSets sets = view.structure(BvssStructure.BVSS);
        double ratio = csc.entryCount() / ((double) BvssLayout.SLICE_SIZE * sets.slices());
        row(name, csc, "virtual slice sets", order, "", sets.virtualSliceSets(), 0, 0, "");
        row(name, csc, "bits set / stored", order, "", ratio, 0, 0, "");
        row(name, csc, "update divergence", order, "rows", sets.divergence(), 0, 0, "");
        view.require(Set.of(Csr.IN));
        for (int grid : new int[] {0, 1, 2}) {
            LevelKernels eager = new BvssLevelKernels(device, BvssLevelKernels.Variant.AB, 0, grid);
            search(name, csc, view, eager, order + " AB grid " + grid, sources, expected);
        }
        for (BvssLevelKernels.Variant lazy : List.of(BvssLevelKernels.Variant.ABCD, BvssLevelKernels.Variant.FULL)) {
            search(name, csc, view, new BvssLevelKernels(device, lazy), order + " " + lazy, sources, expected);
        }
        LevelKernels directional = new DirectionalLevelKernels(device);
        view.require(directional.structures());
        search(name, csc, view, directional, variant(order, directional.name()), sources, expected);
    }

    /** Sums of 256 searches, equal for every order; those of the first order are returned to be compared with. */
    private long[] manySources(String name, Csc csc, GraphView view, long[] expected) {
        int[] slots = view.order().toSlots(BenchmarkGraphs.sources(csc, BATCH));
        BatchKernels kernels = new BvssBatchKernels(device, BvssBatchKernels.Variant.FULL, BATCH);
        SumsLayout plan = SumsLayout.of(csc.vertexCount(), csc.vertexCount(), Set.of());
        double[] millis = new double[BATCH_ROUNDS];
        long[] farness = new long[csc.vertexCount()];
        try (DeviceArray sums = device.memory().allocate("sums", plan.bytes());
                DeviceLease lease = device.lease(Stop.NEVER)) {
            long base = sums.address();
            BatchKernels.Sums into = BatchKernels.Sums.ofFarness(base + plan.farness(), base + plan.reach());
            long at = lease.workspace(kernels.plan(view, BATCH, BATCH, 0).bytes());
            for (int round = 0; round < BATCH_ROUNDS; round++) {
                lease.fill(base, 0, plan.bytes());
                millis[round] = kernels.launch(lease, view, BATCH, at, slots, 0, BATCH, -1, 0, into)
                        .millis();
            }
            lease.download(view.inVertexOrder(base + plan.farness(), Long.BYTES), farness, control.concurrency());
        }
        require(
                expected.length == 0 || Arrays.equals(farness, expected),
                name,
                view.order().name(),
                "sums");
        row(name, csc, "multi-source 256, sums only", view.order().name() + " FULL", "ms", millis, "between orders");
        return farness;
    }

    /** What comes before the first search, and before many, when everything is left to the backend. */
    private void prepare(String name) {
        Csc csc = make(name);
        for (long searches : new long[] {1, 1000, csc.vertexCount()}) {
            for (int round = 1; round <= 3; round++) {
                try (LoadedGraph loaded = backend.load(csc)) {
                    long begin = System.nanoTime();
                    loaded.prepare(searches == 1 ? Run.BFS : Run.MULTI_SOURCE_BFS, searches, control);
                    row(name, csc, "prepare for " + searches + ", round " + round, "auto " + loaded.order(), begin);
                }
            }
        }
    }

    private double search(
            String name,
            Csc csc,
            GraphView view,
            LevelKernels kernels,
            String variant,
            int[] sources,
            int[][] expected) {
        double[] events = new double[SOURCES];
        double[] walls = new double[SOURCES];
        LevelKernels.Plan plan = kernels.plan(view, 1, 0);
        int levels = 0;
        for (int s = -WARM_UP; s < SOURCES; s++) {
            int[] source = {sources[Math.max(s, 0)]};
            try (DeviceLease lease = device.lease(Stop.NEVER)) {
                long at = lease.workspace(plan.bytes());
                long begin = System.nanoTime();
                DeviceLease.Outcome outcome =
                        kernels.launch(lease, view, at, view.order().toSlots(source), -1, NO_TARGETS);
                if (s >= 0) {
                    walls[s] = seconds(begin) * 1000;
                    events[s] = outcome.millis();
                    levels = Math.max(levels, outcome.level());
                }
                if (s >= 0 && s < expected.length) {
                    int[] found = new int[csc.vertexCount()];
                    lease.download(view.inVertexOrder(at + plan.levels(), Integer.BYTES), found, control.concurrency());
                    require(Arrays.equals(found, expected[s]), name, variant, "levels from " + source[0]);
                }
            }
        }
        row(name, csc, "single source, kernel, depth " + levels, variant, "ms", events, expected.length + " sources");
        row(name, csc, "single source, upload to sync", variant, "ms", walls, expected.length + " sources");
        return Arrays.stream(events).average().orElse(0);
    }

    private void wholeCalls(String name, Csc csc, int[] sources, LoadedGraph onCpu) {
        double[] gpuMillis = new double[16];
        double[] cpuMillis = new double[16];
        try (LoadedGraph loaded = backend.load(csc)) {
            loaded.prepare(control);
            for (int s = -WARM_UP; s < gpuMillis.length; s++) {
                int source = sources[Math.max(s, 0)];
                long begin = System.nanoTime();
                Levels found = loaded.bfs(source, -1, NO_TARGETS, control);
                double gpuTook = seconds(begin) * 1000;
                begin = System.nanoTime();
                Levels expected = onCpu.bfs(source, -1, NO_TARGETS, control);
                double cpuTook = seconds(begin) * 1000;
                if (s >= 0) {
                    gpuMillis[s] = gpuTook;
                    cpuMillis[s] = cpuTook;
                }
                require(
                        Arrays.equals(found.levels(), expected.levels())
                                && Arrays.equals(found.frontierSizes(), expected.frontierSizes()),
                        name,
                        "bfs()",
                        "levels from " + source);
            }
        }
        row(name, csc, "bfs() with levels on the heap", "cuda", "ms", gpuMillis, "all");
        row(name, csc, "bfs() with levels on the heap", "cpu", "ms", cpuMillis, "");
    }

    /** Times a batch with distances and one with sums, in milliseconds on average. */
    private Batch multiSource(
            String name, Csc csc, GraphView view, BatchKernels kernels, String kernel, int[] sources, Check check) {
        int[] slots = view.order().toSlots(sources);
        int width = Byte.BYTES;
        DeviceDistances distances = new DeviceDistances(csc.vertexCount(), control.concurrency());
        double[] withLevels = new double[BATCH_ROUNDS];
        int round = -1;
        while (round < BATCH_ROUNDS) {
            try (DeviceLease lease = device.lease(Stop.NEVER)) {
                BatchKernels.Plan plan = kernels.plan(view, BATCH, BATCH, width);
                long at = lease.workspace(plan.bytes());
                DeviceLease.Outcome outcome =
                        kernels.launch(lease, view, BATCH, at, slots, 0, BATCH, -1, width, BatchKernels.Sums.NONE);
                if (outcome.levelsTooNarrow()) {
                    width *= 2;
                    continue;
                }
                if (round >= 0) {
                    withLevels[round] = outcome.millis();
                } else {
                    distances.reset(0, BATCH, outcome.level(), width);
                    lease.download(view.inVertexOrder(at + plan.levels(), width), BATCH, distances::take);
                    require(check.holds().test(distances), name, kernel, "distances");
                }
                round++;
            }
        }
        row(name, csc, "multi-source 256, distances", kernel, "ms", withLevels, check.what());
        double[] sums = new double[BATCH_ROUNDS];
        SumsLayout sumsPlan = SumsLayout.of(csc.vertexCount(), csc.vertexCount(), Set.of());
        try (DeviceArray array = device.memory().allocate("sums", sumsPlan.bytes())) {
            for (round = -1; round < BATCH_ROUNDS; round++) {
                try (DeviceLease lease = device.lease(Stop.NEVER)) {
                    lease.fill(array.address(), 0, sumsPlan.bytes());
                    BatchKernels.Plan plan = kernels.plan(view, BATCH, BATCH, 0);
                    long at = lease.workspace(plan.bytes());
                    long base = array.address();
                    BatchKernels.Sums into =
                            new BatchKernels.Sums(base + sumsPlan.farness(), base + sumsPlan.reach(), 0, 0, 1, 0, 0);
                    DeviceLease.Outcome outcome = kernels.launch(lease, view, BATCH, at, slots, 0, BATCH, -1, 0, into);
                    if (round >= 0) {
                        sums[round] = outcome.millis();
                    }
                    long[] farness = new long[csc.vertexCount()];
                    lease.download(
                            view.inVertexOrder(base + sumsPlan.farness(), Long.BYTES), farness, control.concurrency());
                    checkSums(name, kernel, farness, distances);
                }
            }
        }
        row(name, csc, "multi-source 256, sums only", kernel, "ms", sums, "1000 vertices");
        return new Batch(
                Arrays.stream(withLevels).average().orElseThrow(),
                Arrays.stream(sums).average().orElseThrow());
    }

    /** What is compared of a batch. */
    private record Check(String what, Predicate<DistanceBatch> holds) {}

    private Check hashing(Csc csc, long[] expected) {
        return new Check(BATCH + " sources", distances -> {
            long[] found = new long[BATCH];
            hash(distances, csc.vertexCount(), found);
            return Arrays.equals(found, expected);
        });
    }

    private Check comparing(int[][] expected) {
        return new Check(expected.length + " sources", distances -> hasRows(distances, expected));
    }

    /** What 'auto' takes for one search and for 256, with as few searches of the CPU backend as tell that they are right. */
    private void large(Path file) {
        long begin = System.nanoTime();
        Csc csc = GraphFiles.read(file, control.concurrency());
        String name = file.getFileName().toString();
        row(name, csc, "graph read", "", begin);
        int[] sources = BenchmarkGraphs.sources(csc, BATCH);
        int[][] expected = new int[CHECKED_OF_A_LARGE_GRAPH][];
        try (LoadedGraph onCpu = cpu.load(csc)) {
            for (int s = 0; s < expected.length; s++) {
                begin = System.nanoTime();
                expected[s] = onCpu.bfs(sources[s], -1, NO_TARGETS, control).levels();
                row(name, csc, "bfs() with levels on the heap", "cpu", begin);
            }
        }
        ResidentGraph resident = new ResidentGraph(csc, device, backend.improver());
        resident.hold();
        begin = System.nanoTime();
        try (HeldGraph view = resident.acquire(control, 1)) {
            LevelKernels chosen = new KernelChoice(device, KernelFamilies.SHIPPED).levels(view, Run.BFS, control);
            String order = view.order().name();
            row(name, csc, "graph for " + chosen.name(), order, begin);
            search(name, csc, view, chosen, variant(order, chosen.name()), sources, expected);
            begin = System.nanoTime();
            BatchKernels many = new KernelChoice(device, KernelFamilies.SHIPPED).distances(view, control);
            row(name, csc, "structures of " + many.name(), order, begin);
            multiSource(name, csc, view, many, variant(order, many.name()), sources, comparing(expected));
        } finally {
            resident.letGo();
            device.workspace().close();
        }
    }

    private boolean hasRows(DistanceBatch distances, int[][] expected) {
        AtomicBoolean equal = new AtomicBoolean(true);
        for (int s = 0; s < expected.length; s++) {
            int source = s;
            Workers.forRanges(control.concurrency(), expected[s].length, 1 << 16, Stop.NEVER, (worker, from, to) -> {
                for (int v = (int) from; v < to; v++) {
                    if (distances.distance(source, v) != expected[source][v]) {
                        equal.set(false);
                    }
                }
            });
        }
        return equal.get();
    }

    /** Milliseconds of a batch. */
    private record Batch(double distances, double sums) {}

    /** The families of many searches beside Algorithm 5, in the order that 'auto' gives the graph, and what 'auto' picks. */
    private void many(String name) {
        Csc csc = make(name);
        int[] sources = BenchmarkGraphs.sources(csc, WordsBatchKernels.MOST_WORDS);
        int[] batch = Arrays.copyOf(sources, BATCH);
        long[] hashes = new long[BATCH];
        try (LoadedGraph onCpu = cpu.load(csc)) {
            onCpu.multiSourceBfs(batch, -1, one -> hash(one, csc.vertexCount(), hashes), control);
        }
        ResidentGraph resident = new ResidentGraph(csc, device, backend.improver());
        resident.hold();
        try (HeldGraph view = resident.acquire(control, csc.vertexCount())) {
            String order = view.order().name();
            KernelChoice dispatch = new KernelChoice(device, KernelFamilies.SHIPPED);
            long begin = System.nanoTime();
            String ofDistances = dispatch.distances(view, control).name();
            row(name, csc, "graph for " + ofDistances, order, begin);
            SumKernels ofSums = dispatch.sums(view, control);
            BatchKernels algorithm5 = new BvssBatchKernels(device, BvssBatchKernels.Variant.FULL_AND, BATCH);
            Map<String, Batch> times = new LinkedHashMap<>();
            for (BatchKernels kernels :
                    List.of(new WordsBatchKernels(device), new BlocksBatchKernels(device), algorithm5)) {
                view.require(kernels.structures());
                String variant = variant(order, kernels.name());
                times.put(kernels.name(), multiSource(name, csc, view, kernels, variant, batch, hashing(csc, hashes)));
            }
            double best =
                    times.values().stream().mapToDouble(Batch::distances).min().orElseThrow();
            double ratio = times.get(ofDistances).distances() / best;
            row(name, csc, "multi-source 256, 'auto' to the best", ofDistances, "times", ratio, ratio, ratio, "");
            grouped(name, csc, view, sources);
            wideSums(name, csc, view, sources, algorithm5);
            if (ofSums.name().equals(Kernel.of("words").keyword())) {
                allPairs(name, csc, view, ofSums, Set.of());
            }
        } finally {
            resident.letGo();
            device.workspace().close();
        }
    }

    /** Distances from sources in several batches, as they come and with near ones together: sorted by their slots. */
    private void grouped(String name, Csc csc, GraphView view, int[] sources) {
        BatchKernels words = new WordsBatchKernels(device);
        int[] given = view.order().toSlots(sources);
        int[] sorted = given.clone();
        Arrays.sort(sorted);
        for (int[] slots : List.of(given, sorted)) {
            double[] millis = new double[slots.length / BATCH];
            try (DeviceLease lease = device.lease(Stop.NEVER)) {
                for (int i = 0; i < millis.length; i++) {
                    long at = lease.workspace(
                            words.plan(view, BATCH, BATCH, Short.BYTES).bytes());
                    DeviceLease.Outcome outcome = words.launch(
                            lease, view, BATCH, at, slots, i * BATCH, BATCH, -1, Short.BYTES, BatchKernels.Sums.NONE);
                    require(!outcome.levelsTooNarrow(), name, words.name(), "width of the distances");
                    millis[i] = outcome.millis();
                }
            }
            String what = "multi-source 256, distances, " + (slots == given ? "as given" : "sorted by slot");
            row(name, csc, what, words.name(), "ms", millis, "");
        }
    }

    /** Sums of as many searches as the word-parallel kernels do at once, against Algorithm 5 in batches. */
    private void wideSums(String name, Csc csc, GraphView view, int[] sources, BatchKernels algorithm5) {
        BatchKernels words = new WordsBatchKernels(device);
        int[] slots = view.order().toSlots(sources);
        long[] expected = new long[csc.vertexCount()];
        double whole = sums(view, algorithm5, slots, BATCH, expected);
        double[] millis = new double[BATCH_ROUNDS];
        for (int round = -1; round < BATCH_ROUNDS; round++) {
            long[] found = new long[csc.vertexCount()];
            double took = sums(view, words, slots, slots.length, found);
            require(Arrays.equals(found, expected), name, words.name(), "sums of " + slots.length + " searches");
            if (round >= 0) {
                millis[round] = took;
            }
        }
        String what = "multi-source " + slots.length + ", sums only";
        row(name, csc, what, algorithm5.name(), "ms", whole, whole, whole, "");
        row(name, csc, what, words.name(), "ms", millis, "all");
    }

    private double sums(GraphView view, BatchKernels kernels, int[] slots, int width, long[] farness) {
        SumsLayout plan = SumsLayout.of(view.vertexCount(), view.vertexCount(), Set.of());
        double millis = 0;
        try (DeviceArray array = device.memory().allocate("sums", plan.bytes());
                DeviceLease lease = device.lease(Stop.NEVER)) {
            long base = array.address();
            lease.fill(base, 0, plan.bytes());
            BatchKernels.Sums into = BatchKernels.Sums.ofFarness(base + plan.farness(), base + plan.reach());
            for (int first = 0; first < slots.length; first += width) {
                int count = Math.min(width, slots.length - first);
                long at = lease.workspace(kernels.plan(view, width, count, 0).bytes());
                millis += kernels.launch(lease, view, width, at, slots, first, count, -1, 0, into)
                        .millis();
            }
            lease.download(view.inVertexOrder(base + plan.farness(), Long.BYTES), farness, control.concurrency());
        }
        return millis;
    }

    /** Components by the CPU, from lists on the device, and by calls of which the second finds them on the device. */
    private void components(String name) {
        Csc csc = make(name);
        int[] expected = null;
        try (LoadedGraph onCpu = cpu.load(csc)) {
            for (int round = 1; round <= COMPONENT_ROUNDS; round++) {
                long begin = System.nanoTime();
                expected = onCpu.components(control);
                row(name, csc, "components, round " + round, "cpu", begin);
            }
        }
        for (int round = 1; round <= COMPONENT_ROUNDS; round++) {
            ResidentGraph resident = new ResidentGraph(csc, device, backend.improver());
            resident.hold();
            try (HeldGraph view = resident.acquire(control, 1)) {
                view.require(Set.of(Csr.OUT));
                long begin = System.nanoTime();
                view.require(Set.of(WeakComponents.COMPONENTS));
                row(
                        name,
                        csc,
                        "components from lists, round " + round,
                        view.order().name(),
                        begin);
            } finally {
                resident.letGo();
            }
        }
        try (LoadedGraph loaded = backend.load(csc)) {
            for (int call = 1; call <= COMPONENT_ROUNDS; call++) {
                long begin = System.nanoTime();
                int[] found = loaded.components(control);
                row(name, csc, "components, call " + call, loaded.order(), begin);
                require(Arrays.equals(found, expected), name, loaded.order(), "components");
            }
        }
    }

    /** Whole calls of betweenness, of all sources or a sample; checked against the CPU from a few batches of sources. */
    private void betweenness(String task) {
        String[] parts = task.split(":", 2);
        String name = parts[0];
        Csc csc = make(name);
        int[] checked = BenchmarkGraphs.sources(csc, 2 * DeviceBetweenness.SOURCES);
        int[] sources = parts.length == 1 ? null : BenchmarkGraphs.sources(csc, Integer.parseInt(parts[1]));
        try (LoadedGraph onCpu = cpu.load(csc);
                LoadedGraph loaded = backend.load(csc)) {
            long begin = System.nanoTime();
            double[] expected = onCpu.betweenness(checked, control);
            row(name, csc, "betweenness from " + checked.length + " sources", "cpu", begin);
            for (int call = 1; call <= 2; call++) {
                begin = System.nanoTime();
                double[] found = loaded.betweenness(checked, control);
                row(name, csc, "betweenness from " + checked.length + " sources, call " + call, "cuda", begin);
                for (int vertex = 0; vertex < found.length; vertex++) {
                    boolean near = Math.abs(found[vertex] - expected[vertex]) <= 1e-9 * expected[vertex];
                    require(near, name, "cuda", "betweenness");
                }
            }
            double[] first = null;
            String what = sources == null ? "betweenness" : "betweenness from " + sources.length + " sources";
            for (int call = 1; call <= (sources == null ? 1 : 2); call++) {
                begin = System.nanoTime();
                double[] found = loaded.betweenness(sources, control);
                row(name, csc, what + ", call " + call, "cuda", begin);
                require(first == null || Arrays.equals(first, found), name, "cuda", "the same betweenness again");
                first = found;
            }
        }
    }

    /** The families of sums, from amid the graph, and closeness with what 'auto' picks: whole, or a share of the sources. */
    private void sums(String task) {
        String[] parts = task.split(":", 2);
        String name = parts[0];
        Csc csc = make(name);
        ResidentGraph resident = new ResidentGraph(csc, device, backend.improver());
        resident.hold();
        try (HeldGraph view = resident.acquire(control, csc.vertexCount())) {
            String order = view.order().name();
            long begin = System.nanoTime();
            SumKernels picked = new KernelChoice(device, KernelFamilies.SHIPPED).sums(view, control);
            row(name, csc, "graph for " + picked.name(), order, begin);
            SumKernels algorithm5 =
                    new BatchedSums(new BvssBatchKernels(device, BvssBatchKernels.Variant.FULL_AND, BATCH));
            double best = Double.POSITIVE_INFINITY;
            Map<String, Double> times = new LinkedHashMap<>();
            for (SumKernels kernels :
                    List.of(new TilesSumKernels(device), new BatchedSums(new WordsBatchKernels(device)), algorithm5)) {
                begin = System.nanoTime();
                view.require(kernels.structures());
                row(name, csc, "structures of " + kernels.name(), order, begin);
                double micros = microsASource(view, kernels);
                String what = "closeness, us a source, " + kernels.leastShare(view) + " from amid the graph";
                row(name, csc, what, kernels.name(), "us", micros, micros, micros, "");
                times.put(kernels.name(), micros);
                best = Math.min(best, micros);
            }
            double ratio = times.get(picked.name()) / best;
            row(name, csc, "closeness, 'auto' to the best", picked.name(), "times", ratio, ratio, ratio, "");
            view.require(picked.structures());
            if (parts.length == 1) {
                for (Set<DistanceMeasure> measures : MEASURES) {
                    allPairs(name, csc, view, picked, measures);
                }
            } else {
                shareOfPairs(name, csc, view, Double.parseDouble(parts[1]));
            }
        } finally {
            resident.letGo();
            device.workspace().close();
        }
    }

    private double microsASource(GraphView view, SumKernels kernels) {
        int count = Math.min(kernels.leastShare(view), view.vertexCount());
        int first = (view.vertexCount() - count) / 2 / TilesSumKernels.KAPPA * TilesSumKernels.KAPPA;
        double micros = 0;
        try (DeviceLease lease = device.lease(Stop.NEVER)) {
            SumsLayout layout = SumsLayout.of(view.vertexCount(), view.vertexCount(), Set.of());
            long state = kernels.bytes(view, kernels.mostSources(), count);
            long at = lease.workspace(state + layout.bytes());
            BatchKernels.Sums into =
                    BatchKernels.Sums.ofFarness(at + state + layout.farness(), at + state + layout.reach());
            for (int round = 0; round < 2; round++) {
                SumKernels.Added added = kernels.begin(lease, view, kernels.mostSources(), at, first, count, into)
                        .end();
                micros = 1000.0 * added.outcome().millis() / added.sources();
            }
        }
        return micros;
    }

    /** A share of closeness by tiles, from sources at four places, some sums checked; the time of all by that. */
    private void shareOfPairs(String name, Csc csc, HeldGraph view, double share) {
        int n = csc.vertexCount();
        TilesSumKernels tiles = new TilesSumKernels(device);
        int places = 4;
        int batches = Math.max(1, (int) (share * n / TilesSumKernels.KAPPA / places));
        int[] slotAt = NestedBalls.of(
                csc,
                view.order().permutation(),
                TilesSumKernels.KAPPA,
                NeighbourTiles.POSITIONS,
                control.concurrency(),
                Stop.NEVER);
        boolean[] isSource = new boolean[n];
        SumsLayout plan = SumsLayout.of(n, n, Set.of());
        double millis = 0;
        long visits = 0;
        int searched = 0;
        long[] farness = new long[n];
        try (DeviceArray array = device.memory().allocate("sums", plan.bytes());
                DeviceLease lease = device.lease(Stop.NEVER)) {
            long base = array.address();
            lease.fill(base, 0, plan.bytes());
            BatchKernels.Sums into = BatchKernels.Sums.ofFarness(base + plan.farness(), base + plan.reach());
            for (int place = 0; place < places; place++) {
                int first = (int) ((long) n * place / places) / TilesSumKernels.KAPPA * TilesSumKernels.KAPPA;
                int last = Math.min(n, first + batches * TilesSumKernels.KAPPA);
                while (first < last) {
                    long at = lease.workspace(tiles.bytes(view, tiles.mostSources(), last - first));
                    SumKernels.Added added = tiles.begin(
                                    lease, view, tiles.mostSources(), at, first, last - first, into)
                            .end();
                    for (int i = first; i < first + added.sources(); i++) {
                        int slot = slotAt[i];
                        isSource[
                                view.order().isNatural()
                                        ? slot
                                        : view.order().permutation().vertex(slot)] = true;
                    }
                    millis += added.outcome().millis();
                    visits += added.outcome().work();
                    searched += added.sources();
                    first += added.sources();
                }
            }
            lease.download(view.inVertexOrder(base + plan.farness(), Long.BYTES), farness, control.concurrency());
        }
        try (LoadedGraph onCpu = cpu.load(csc.transposed(control.concurrency(), Stop.NEVER))) {
            for (int vertex : BenchmarkGraphs.sources(csc, CHECKED)) {
                int[] levels = onCpu.bfs(vertex, -1, NO_TARGETS, control).levels();
                long expected = 0;
                for (int source = 0; source < n; source++) {
                    expected += isSource[source] ? Math.max(0, levels[source]) : 0;
                }
                require(farness[vertex] == expected, name, tiles.name(), "farness of " + vertex);
            }
        }
        double whole = millis / 1000 * n / searched;
        double ofTile = (double) visits * TilesSumKernels.KAPPA / searched / NeighbourTiles.tiles(n);
        row(name, csc, "visits of a tile in a batch", tiles.name(), "", ofTile, ofTile, ofTile, "");
        String what = "closeness, kernels, by " + searched + " of the sources";
        row(name, csc, what, tiles.name(), "s", whole, whole, whole, CHECKED + " vertices");
    }

    /** Exact closeness of all vertices, some of them checked, with what of the time was not the kernels'. */
    private void allPairs(String name, Csc csc, GraphView view, SumKernels kernels, Set<DistanceMeasure> measures) {
        Timed timed = new Timed(kernels);
        long begin = System.nanoTime();
        Farness found = FarnessSums.run(device, timed, view, measures, control);
        double took = seconds(begin);
        double onDevice = timed.millis / 1000;
        Csc reversed = csc.transposed(control.concurrency(), Stop.NEVER);
        try (LoadedGraph onCpu = cpu.load(reversed)) {
            for (int vertex : BenchmarkGraphs.sources(csc, CHECKED)) {
                long[] sizes = onCpu.bfs(vertex, -1, NO_TARGETS, control).frontierSizes();
                long farness = 0;
                double harmonic = 0;
                for (int level = 1; level < sizes.length; level++) {
                    farness += level * sizes[level];
                    harmonic += (double) sizes[level] / level;
                }
                boolean right = found.farness()[vertex] == farness
                        && (found.harmonic() == null || found.harmonic()[vertex] == harmonic)
                        && (found.eccentricity() == null || found.eccentricity()[vertex] == sizes.length - 1);
                require(right, name, kernels.name(), measures + " of " + vertex);
            }
        }
        String what = measures.isEmpty() ? "closeness" : "closeness with " + measures;
        row(name, csc, what + ", whole", kernels.name(), "s", took, took, took, CHECKED + " vertices");
        row(name, csc, what + ", kernels", kernels.name(), "s", onDevice, onDevice, onDevice, "");
        double share = 1 - onDevice / took;
        row(name, csc, what + ", share of the host", kernels.name(), "", share, share, share, "");
    }

    /** Sums the time of the launches up. */
    private static final class Timed extends ForwardingSumKernels {
        private double millis;

        Timed(SumKernels kernels) {
            super(kernels);
        }

        @Override
        public Adding begin(
                DeviceLease lease, GraphView graph, int most, long at, int first, int count, BatchKernels.Sums sums) {
            Adding adding = super.begin(lease, graph, most, at, first, count, sums);
            return () -> {
                Added added = adding.end();
                millis += added.outcome().millis();
                return added;
            };
        }
    }

    private static void checkSums(String name, Object kernel, long[] farness, DeviceDistances distances) {
        for (int i = 0; i < 1000; i++) {
            int vertex = (int) ((long) i * farness.length / 1000);
            long expected = 0;
            for (int s = 0; s < BATCH; s++) {
                expected += Math.max(0, distances.distance(s, vertex));
            }
            require(farness[vertex] == expected, name, kernel, "sum of distances to " + vertex);
        }
    }

    private void closeness(String name) {
        Csc csc = make(name);
        try (LoadedGraph loaded = backend.load(csc);
                LoadedGraph onCpu = cpu.load(csc)) {
            loaded.prepare(control);
            for (Set<DistanceMeasure> measures : MEASURES) {
                long begin = System.nanoTime();
                Farness found = loaded.farness(measures, control);
                double gpuTook = seconds(begin);
                begin = System.nanoTime();
                Farness expected = onCpu.farness(measures, control);
                double cpuTook = seconds(begin);
                require(
                        Arrays.equals(found.farness(), expected.farness())
                                && Arrays.equals(found.reach(), expected.reach())
                                && Arrays.equals(found.harmonic(), expected.harmonic())
                                && Arrays.equals(found.eccentricity(), expected.eccentricity())
                                && Arrays.equals(found.hops(), expected.hops()),
                        name,
                        "farness()",
                        measures.toString());
                String what = "farness(" + measures + ")";
                row(name, csc, what, "cuda", "s", gpuTook, gpuTook, gpuTook, "all");
                row(name, csc, what, "cpu", "s", cpuTook, cpuTook, cpuTook, "");
            }
        }
    }

    private void crossover(int largest) {
        for (int scale = 6; scale <= largest; scale += 2) {
            String name = "kron" + scale;
            Csc csc = make(name);
            int[] sources = BenchmarkGraphs.sources(csc, 32);
            for (TraversalBackend measured : List.of(cpu, backend)) {
                String variant = measured.info().name();
                try (LoadedGraph loaded = measured.load(csc)) {
                    loaded.prepare(control);
                    double[] bfs = new double[32];
                    double[] many = new double[32];
                    double[] all = new double[scale <= 14 ? 8 : 0];
                    for (int warm = 0; warm < 20; warm++) {
                        loaded.bfs(sources[warm], -1, NO_TARGETS, control);
                    }
                    for (int i = 0; i < bfs.length; i++) {
                        long begin = System.nanoTime();
                        loaded.bfs(sources[i], -1, NO_TARGETS, control);
                        bfs[i] = seconds(begin) * 1000;
                        begin = System.nanoTime();
                        loaded.multiSourceBfs(sources, -1, batch -> {}, control);
                        many[i] = seconds(begin) * 1000;
                    }
                    for (int i = 0; i < all.length; i++) {
                        long begin = System.nanoTime();
                        loaded.farness(Set.of(), control);
                        all[i] = seconds(begin) * 1000;
                    }
                    row(name, csc, "crossover bfs()", variant, "ms", bfs, "");
                    row(name, csc, "crossover multiSourceBfs(32)", variant, "ms", many, "");
                    if (all.length > 0) {
                        row(name, csc, "crossover farness()", variant, "ms", all, "");
                    }
                }
            }
        }
    }

    /**
     * How long one user waits for another: leases and searches on a small graph while closeness of another graph runs, what the
     * same searches take alone, and what closeness takes alone and beside them. Closeness must find the same both times.
     */
    private void beside(String longName, String shortName) {
        Csc closeness = make(longName);
        Csc searched = make(shortName);
        int[] sources = BenchmarkGraphs.sources(searched, SEARCHES_BESIDE);
        RunControl one = RunControl.of(1);
        try (LoadedGraph longGraph = backend.load(closeness);
                LoadedGraph shortGraph = backend.load(searched);
                LoadedGraph onCpu = cpu.load(searched)) {
            longGraph.prepare(Run.FARNESS, closeness.vertexCount(), control);
            shortGraph.prepare(Run.BFS, sources.length, one);
            int[][] expected = levels(onCpu, sources);
            callsBeside(shortName, searched, "alone", shortGraph, sources, expected, () -> false);
            long begin = System.nanoTime();
            Farness alone = longGraph.farness(Set.of(), control);
            row(longName, closeness, "closeness", "alone", begin);
            AtomicBoolean over = new AtomicBoolean();
            Workers.run(2, Stop.NEVER, (worker, stop) -> {
                if (worker == 0) {
                    long beginBeside = System.nanoTime();
                    Farness found = longGraph.farness(Set.of(), control);
                    over.set(true);
                    row(longName, closeness, "closeness", "beside searches", beginBeside);
                    require(
                            Arrays.equals(found.farness(), alone.farness())
                                    && Arrays.equals(found.reach(), alone.reach()),
                            longName,
                            "beside searches",
                            "closeness");
                } else {
                    String variant = "beside closeness of " + longName;
                    callsBeside(shortName, searched, variant, shortGraph, sources, expected, over::get);
                }
            });
        }
    }

    /** Waits for a lease and searches, again and again, until all sources are searched from or the other run is over. */
    private void callsBeside(
            String name,
            Csc csc,
            String variant,
            LoadedGraph graph,
            int[] sources,
            int[][] expected,
            BooleanSupplier over) {
        double[] waits = new double[sources.length];
        double[] calls = new double[sources.length];
        int done = 0;
        while (done < sources.length && !over.getAsBoolean()) {
            // so that the long run is amid a launch
            LockSupport.parkNanos(PAUSE_BETWEEN_CALLS_NANOS);
            long begin = System.nanoTime();
            try (DeviceLease lease = device.lease(Stop.NEVER)) {
                waits[done] = seconds(begin) * 1000;
                lease.await();
            }
            LockSupport.parkNanos(PAUSE_BETWEEN_CALLS_NANOS);
            begin = System.nanoTime();
            int[] levels =
                    graph.bfs(sources[done], -1, NO_TARGETS, RunControl.of(1)).levels();
            calls[done] = seconds(begin) * 1000;
            require(
                    done >= expected.length || Arrays.equals(levels, expected[done]),
                    name,
                    variant,
                    "levels from " + sources[done]);
            done++;
        }
        if (done > 0) {
            distribution(name, csc, "wait for the device", variant, Arrays.copyOf(waits, done));
            distribution(name, csc, "call of one search", variant, Arrays.copyOf(calls, done));
        }
    }

    private void distribution(String name, Csc csc, String what, String variant, double[] millis) {
        row(name, csc, what, variant, "ms", millis, millis.length + " calls");
        double[] sorted = millis.clone();
        Arrays.sort(sorted);
        double p99 = sorted[(sorted.length - 1) * 99 / 100];
        row(name, csc, what + ", p99", variant, "ms", p99, p99, p99, "");
    }

    /** Milliseconds from the request to stop until the call has ended, in one kernel that would run for seconds. */
    private void stopLatency() {
        Csc csc = TestGraphs.path(4_000_000).toCsc(Orientation.NATURAL, control.concurrency(), Stop.NEVER);
        double[] millis = new double[5];
        try (LoadedGraph loaded = backend.load(csc)) {
            loaded.prepare(control);
            for (int i = 0; i < millis.length; i++) {
                long requestAt = System.nanoTime() + 200_000_000;
                Stop stop = () -> System.nanoTime() >= requestAt;
                try {
                    loaded.bfs(0, -1, NO_TARGETS, new RunControl(1, stop, Progress.NONE));
                    throw new IllegalStateException("the run ended before it was stopped");
                } catch (StoppedException e) {
                    millis[i] = seconds(requestAt) * 1000;
                }
            }
        }
        row("path4000000", csc, "stop inside a kernel", "auto", "ms", millis, "all");
    }

    private void hash(DistanceBatch batch, int vertexCount, long[] hashes) {
        Workers.forRanges(control.concurrency(), batch.sourceCount(), 1, Stop.NEVER, (worker, from, to) -> {
            for (int s = (int) from; s < to; s++) {
                long hash = 1;
                for (int v = 0; v < vertexCount; v++) {
                    hash = 31 * hash + batch.distance(s, v);
                }
                hashes[batch.firstSource() + s] = hash;
            }
        });
    }

    private void row(String name, Csc csc, String what, String variant, long beginNanos) {
        double millis = seconds(beginNanos) * 1000;
        row(name, csc, what, variant, "ms", millis, millis, millis, "");
    }

    private void row(String name, Csc csc, String what, String variant, String unit, double[] values, String checked) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        double mean = Arrays.stream(values).average().orElse(0);
        row(name, csc, what, variant, unit, mean, sorted[sorted.length / 2], sorted[sorted.length - 1], checked);
    }

    private void row(
            String name,
            Csc csc,
            String what,
            String variant,
            String unit,
            double mean,
            double median,
            double worst,
            String checked) {
        out.printf(
                Locale.ROOT,
                "%-12s %-38s %-10s mean %10.4f  median %10.4f  worst %10.4f %s  %s%n",
                name,
                what,
                variant,
                mean,
                median,
                worst,
                unit,
                checked.isEmpty() ? "" : "checked: " + checked);
        csv.printf(
                Locale.ROOT,
                "%s,%d,%d,\"%s\",%s,%s,%.5f,%.5f,%.5f,%s%n",
                name,
                csc.vertexCount(),
                csc.entryCount(),
                what,
                variant,
                unit,
                mean,
                median,
                worst,
                checked);
        csv.flush();
        out.flush();
    }

    private static void require(boolean equal, String name, Object variant, String what) {
        if (!equal) {
            throw new IllegalStateException(name + ", " + variant + ": wrong " + what);
        }
    }

    private static double seconds(long beginNanos) {
        return (System.nanoTime() - beginNanos) / 1e9;
    }
}
