// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import io.proxima.backend.BackendTask;
import io.proxima.backend.DeviceUse;
import io.proxima.backend.DistanceSink;
import io.proxima.backend.Farness;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunContext;
import io.proxima.backend.RunObserver;
import io.proxima.backend.RunOptions;
import io.proxima.backend.TraversalBackend;
import io.proxima.backend.cpu.CpuBackend;
import io.proxima.backend.device.run.DeviceBackend;
import io.proxima.backend.device.run.DeviceGroup;
import io.proxima.backend.device.run.SourcePart;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Task;
import io.proxima.concurrent.Workers;
import io.proxima.projection.csc.Csc;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Exact closeness of all vertices of graphs as large as those of Table III of BLEST, checked as a whole. Prints a line
 * of CSV for each graph or part, and the progress to the log.
 *
 * <p>Arguments: a backend as in {@link RunBenchmark}; undirected graphs as {@link BenchmarkGraphs} names them, or parts
 * of them: {@code GRAPH:I/N} is the I-th of N parts of the sources, see {@link SourcePart}. The sums of parts are kept
 * in the folder {@code proxima.table.parts}. After the last of N parts, the parts are added, and their sums are checked
 * as those of a whole graph.
 *
 * <p>{@code call_s} is the time of the first call, with the copies to all devices, the order of the vertices and the
 * choice of kernels; devices are open and warm. {@code host_gb} and {@code device_gb} are the most memory that this
 * process and one device have had, checks included. The paper's GPU seconds are those of its graph of that class, and
 * {@code fewer} is their share for the searched sources, divided by {@code gpu_s}. Checks:
 *
 * <ul>
 *   <li>reach: that of every vertex is the size of its component, by union-find on the CPU. In a part, see {@link
 *       ClosenessSums}
 *   <li>neighbours: {@link ClosenessSums#areNeighboursRight}, of every edge
 *   <li>searches: {@link #SEARCHED} vertices equal the CPU's breadth-first searches from them
 *   <li>at-source: {@link #COUNTED} vertices equal the sums of another run, which counts them at the source. Not in a
 *       part
 *   <li>both-directions: the distances from each part to the sources of each other one add up to the same as back
 * </ul>
 */
public final class ClosenessTable {

    static final String HEADER =
            "graph,part,vertices,linked,entries,backend,gpus,order,kernel,make_s,call_s,gpu_s,sources,"
                    + "paper_graph,paper_gpu_s,fewer,host_gb,device_gb,farness_sum,reach_sum,checks";

    private static final int SEARCHED = 16;
    private static final int COUNTED = 1 << 14;
    private static final int SECONDS_OF_A_LINE = 10;
    private static final long NANOS_OF_A_LOOK = 100_000_000L;
    private static final int LONGS_AT_ONCE = 1 << 17;
    private static final double GIGA = 1e9;

    /** Table III of BLEST. */
    private record Paper(String graph, int gpus, int seconds) {
        long gpuSeconds() {
            return (long) gpus * seconds;
        }
    }

    private static final Paper FRIENDSTER = new Paper("com-Friendster", 100, 3665);
    private static final Map<String, Paper> PAPER = Map.of(
            "kron26", FRIENDSTER,
            "kron27", FRIENDSTER,
            "rgg24", new Paper("rgg_n_2_24", 10, 4711),
            "delaunay24", new Paper("delaunay_n24", 10, 4836),
            "roadc5000", new Paper("GAP-road", 100, 1701));

    private final TraversalBackend backend;
    private final Supplier<List<DeviceUse>> use;
    private final Path parts;
    private final PrintStream out;
    private final PrintStream log;
    private final int concurrency = Runtime.getRuntime().availableProcessors();

    private boolean passed = true;
    private String name = "";
    private Csc csc;
    private int[] component;
    private int linked;
    private double makeSeconds;
    private Ticker ticker;
    private final List<String> checks = new ArrayList<>();

    /**
     * A table.
     *
     * @param use supplies the use of the devices
     * @param parts an existing folder for the sums of parts
     */
    ClosenessTable(
            TraversalBackend backend, Supplier<List<DeviceUse>> use, Path parts, PrintStream out, PrintStream log) {
        this.backend = backend;
        this.use = use;
        this.parts = parts;
        this.out = out;
        this.log = log;
    }

    /** Measures; exits with 1 if a check has failed. */
    public static void main(String[] args) {
        Path parts = Path.of(System.getProperty("proxima.table.parts"));
        TraversalBackend backend = RunBenchmark.backend(args[0]);
        ClosenessTable table =
                new ClosenessTable(backend, RunBenchmark.BACKENDS::deviceUse, parts, System.out, System.err);
        if (!table.run(List.of(args).subList(1, args.length))) {
            System.exit(1);
        }
    }

    /** Returns whether all checks have passed. */
    boolean run(List<String> words) {
        out.println(HEADER);
        for (String word : words) {
            String[] graphAndPart = word.split(":", 2);
            SourcePart part = SourcePart.parse(graphAndPart.length == 1 ? "1/1" : graphAndPart[1]);
            try (Ticker ticks = new Ticker(graphAndPart[0])) {
                ticker = ticks;
                if (!name.equals(graphAndPart[0])) {
                    make(graphAndPart[0]);
                }
                measure(part);
                if (!part.isWhole()
                        && IntStream.rangeClosed(1, part.of())
                                .allMatch(i -> Files.exists(fileOf(new SourcePart(i, part.of()))))) {
                    addUp(part.of());
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return passed;
    }

    private void make(String graph) {
        ticker.begin("making the graph");
        csc = null;
        component = null;
        long begin = System.nanoTime();
        csc = new BenchmarkGraphs(concurrency).make(graph);
        makeSeconds = secondsSince(begin);
        if (!csc.isSymmetric()) {
            throw new IllegalArgumentException("graphs of the table are undirected: " + graph);
        }
        name = graph;
        linked = (int) IntStream.range(0, csc.vertexCount())
                .parallel()
                .filter(v -> csc.degree(v) > 0)
                .count();
        try (LoadedGraph onCpu = new CpuBackend().load(csc)) {
            component = onCpu.components(RunContext.of(concurrency));
        }
        log.printf(
                Locale.ROOT,
                "%s: %d vertices, %d with edges, %d entries, made in %.1f s%n",
                name,
                csc.vertexCount(),
                linked,
                csc.entryCount(),
                makeSeconds);
    }

    private void measure(SourcePart part) throws IOException {
        checks.clear();
        Names names = new Names();
        RunContext control = new RunContext(concurrency, Stop.NEVER, ticker, names, RunOptions.AUTO);
        long begin = System.nanoTime();
        try (LoadedGraph graph = backend.load(csc)) {
            Farness found = part.isWhole() ? graph.farness(Set.of(), control) : ofPart(part, control);
            double seconds = secondsSince(begin);
            ticker.look();
            long sources = part.isWhole() ? linked : ticker.volume;
            log.printf(Locale.ROOT, "%s: closeness from %d sources took %.1f s%n", name, sources, seconds);
            ClosenessSums sums = new ClosenessSums(csc, component, found.farness(), found.reach(), concurrency);
            check("reach", () -> sums.isReachRight(sources, part.isWhole() ? 0 : csc.vertexCount() - linked));
            checkSums(sums);
            if (part.isWhole()) {
                checkAtSource(graph, sums);
            }
            print(part.number() + "/" + part.of(), names, seconds, sources, sums);
            if (!part.isWhole()) {
                write(part, new Kept(sources, seconds, sums));
            }
        }
    }

    private void checkSums(ClosenessSums sums) {
        check("neighbours", sums::areNeighboursRight);
        check("searches", () -> {
            try (LoadedGraph onCpu = new CpuBackend().load(csc)) {
                return sums.equalSearches(onCpu, vertices(SEARCHED));
            }
        });
    }

    private void checkAtSource(LoadedGraph graph, ClosenessSums sums) {
        int[] chosen = vertices(COUNTED);
        check("at-source", () -> sums.equal(chosen, graph.farness(chosen, Set.of(), RunContext.of(concurrency))));
    }

    private int[] vertices(int most) {
        return BenchmarkGraphs.sources(csc, Math.min(most, linked));
    }

    private void check(String what, BooleanSupplier isRight) {
        ticker.begin("check of " + what);
        long begin = System.nanoTime();
        boolean right;
        try {
            right = isRight.getAsBoolean();
        } catch (RuntimeException e) {
            log.println(name + ": check of " + what + ": " + e);
            right = false;
        }
        passed &= right;
        checks.add(right ? what : "FAILED:" + what);
        log.printf(
                Locale.ROOT,
                "%s: check of %s %s, %.1f s%n",
                name,
                what,
                right ? "passed" : "FAILED",
                secondsSince(begin));
    }

    private Farness ofPart(SourcePart part, RunContext control) {
        List<DeviceBackend> devices = devices();
        return devices.isEmpty() ? ofPartOnCpu(part, control) : part.sums(devices, csc, control);
    }

    private List<DeviceBackend> devices() {
        if (backend instanceof DeviceGroup group) {
            return group.usable().get();
        }
        return backend instanceof DeviceBackend device ? List.of(device) : List.of();
    }

    /** To try parts without a device: the backend has no sums over some sources. */
    private Farness ofPartOnCpu(SourcePart part, RunContext control) {
        int[] all = IntStream.range(0, csc.vertexCount())
                .filter(v -> csc.degree(v) > 0)
                .toArray();
        int[] own = IntStream.range(0, all.length)
                .filter(i -> part.has(i / part.chunk(all.length)))
                .map(i -> all[i])
                .toArray();
        Farness sums = Farness.zeros(csc.vertexCount(), Set.of());
        DistanceSink sink = batch -> Workers.forRanges(
                concurrency, csc.vertexCount(), ClosenessSums.CHUNK, Stop.NEVER, (worker, from, to) -> {
                    for (int v = (int) from; v < to; v++) {
                        for (int i = 0; i < batch.sourceCount(); i++) {
                            if (batch.distance(i, v) > 0) {
                                sums.add(v, 1, batch.distance(i, v));
                            }
                        }
                    }
                });
        try (LoadedGraph graph = backend.load(csc)) {
            graph.multiSourceBfs(own, LoadedGraph.NO_MAX_DEPTH, sink, control);
        }
        control.progress().beginTask(BackendTask.FARNESS, own.length);
        return sums;
    }

    /** The sums of a part, and the sources and seconds that they took. */
    private record Kept(long sources, double seconds, ClosenessSums sums) {}

    private Path fileOf(SourcePart part) {
        return parts.resolve(name + "-" + part.number() + "-of-" + part.of() + ".sums");
    }

    private void write(SourcePart part, Kept kept) throws IOException {
        Path complete = fileOf(part);
        Path incomplete = complete.resolveSibling(complete.getFileName() + ".part");
        try (WritableByteChannel file = Files.newByteChannel(
                incomplete,
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE,
                StandardOpenOption.TRUNCATE_EXISTING)) {
            write(file, new long[] {
                csc.vertexCount(), csc.entryCount(), kept.sources(), Double.doubleToLongBits(kept.seconds())
            });
            write(file, kept.sums().farness());
            write(file, kept.sums().reach());
        }
        Files.move(incomplete, complete, StandardCopyOption.REPLACE_EXISTING);
    }

    private static void write(WritableByteChannel file, long[] values) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocateDirect(LONGS_AT_ONCE * Long.BYTES);
        for (int from = 0; from < values.length; from += LONGS_AT_ONCE) {
            int count = Math.min(LONGS_AT_ONCE, values.length - from);
            bytes.clear().asLongBuffer().put(values, from, count);
            bytes.limit(count * Long.BYTES);
            while (bytes.hasRemaining()) {
                file.write(bytes);
            }
        }
    }

    private Kept read(SourcePart part) throws IOException {
        try (ReadableByteChannel file = Files.newByteChannel(fileOf(part))) {
            long[] head = read(file, 4);
            if (head[0] != csc.vertexCount() || head[1] != csc.entryCount()) {
                throw new IOException("not of this graph: " + fileOf(part));
            }
            long[] farness = read(file, csc.vertexCount());
            long[] reach = read(file, csc.vertexCount());
            return new Kept(
                    head[2],
                    Double.longBitsToDouble(head[3]),
                    new ClosenessSums(csc, component, farness, reach, concurrency));
        }
    }

    private static long[] read(ReadableByteChannel file, int length) throws IOException {
        long[] values = new long[length];
        ByteBuffer bytes = ByteBuffer.allocateDirect(LONGS_AT_ONCE * Long.BYTES);
        for (int from = 0; from < length; from += LONGS_AT_ONCE) {
            int count = Math.min(LONGS_AT_ONCE, length - from);
            bytes.clear().limit(count * Long.BYTES);
            while (bytes.hasRemaining()) {
                if (file.read(bytes) < 0) {
                    throw new IOException("the file is too short");
                }
            }
            bytes.flip().asLongBuffer().get(values, from, count);
        }
        return values;
    }

    /** Checks the sums of all parts as those of the whole, and forgets them. */
    private void addUp(int of) throws IOException {
        checks.clear();
        ticker.begin("adding the parts");
        List<ClosenessSums> all = new ArrayList<>();
        long[] farness = new long[csc.vertexCount()];
        long[] reach = new long[csc.vertexCount()];
        long sources = 0;
        double seconds = 0;
        for (int number = 1; number <= of; number++) {
            Kept kept = read(new SourcePart(number, of));
            ClosenessSums part = kept.sums();
            all.add(part);
            sources += kept.sources();
            seconds += kept.seconds();
            for (int v = 0; v < farness.length; v++) {
                farness[v] += part.farness()[v];
                reach[v] += part.reach()[v];
            }
        }
        ClosenessSums whole = new ClosenessSums(csc, component, farness, reach, concurrency);
        check("reach", () -> whole.isReachRight(linked, 0));
        checkSums(whole);
        try (LoadedGraph graph = backend.load(csc)) {
            checkAtSource(graph, whole);
        }
        check("both-directions", () -> all.stream()
                .allMatch(part -> all.stream().allMatch(part::isSymmetricTo)));
        print("all of " + of, new Names(), seconds, sources, whole);
        for (int number = 1; number <= of; number++) {
            Files.delete(fileOf(new SourcePart(number, of)));
        }
    }

    private void print(String part, Names names, double seconds, long sources, ClosenessSums sums) {
        int gpus = devices().size();
        Paper paper = PAPER.get(name);
        double gpuSeconds = gpus * seconds;
        long searched = Math.min(sources, linked);
        out.printf(
                Locale.ROOT,
                "%s,%s,%d,%d,%d,%s,%d,%s,%s,%.1f,%.2f,%.1f,%d,%s,%s,%s,%.1f,%.1f,%d,%d,%s%n",
                name,
                part,
                csc.vertexCount(),
                linked,
                csc.entryCount(),
                backend.info().name().replace(',', ' '),
                gpus,
                names.order,
                names.kernel,
                makeSeconds,
                seconds,
                gpuSeconds,
                sources,
                paper == null ? "" : paper.graph(),
                paper == null ? "" : paper.gpuSeconds(),
                paper == null || gpus == 0
                        ? ""
                        : String.format(
                                Locale.ROOT, "%.1f", paper.gpuSeconds() * ((double) searched / linked) / gpuSeconds),
                hostBytes() / GIGA,
                ticker.mostDeviceBytes.get() / GIGA,
                sum(sums.farness()),
                sum(sums.reach()),
                String.join("+", checks));
        out.flush();
    }

    private static long sum(long[] values) {
        long sum = 0;
        for (long value : values) {
            sum = Math.addExact(sum, value);
        }
        return sum;
    }

    /** The most memory that this process has had, as Linux knows it. */
    private static long hostBytes() {
        try {
            return Files.readAllLines(Path.of("/proc/self/status")).stream()
                    .filter(line -> line.startsWith("VmHWM"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
                    .findFirst()
                    .orElse(0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static double secondsSince(long begin) {
        return (System.nanoTime() - begin) / 1e9;
    }

    /** Keeps the order and the kernel that a run reports. */
    private static final class Names implements RunObserver {
        private String order = "";
        private String kernel = "";

        @Override
        public void runsOn(String backend, String reason) {
            // the backend is a column of its own
        }

        @Override
        public void runsWith(String usedOrder, String usedKernel, String reason) {
            order = usedOrder;
            kernel = usedKernel;
        }
    }

    /** Prints the progress, and keeps the most memory of a device. */
    private final class Ticker implements Progress, AutoCloseable {
        private final String graph;
        private final long begin = System.nanoTime();
        private final AtomicLong mostDeviceBytes = new AtomicLong();
        private final AtomicLong done = new AtomicLong();
        private final Workers.Background watch;
        private volatile String task = "";
        private volatile long volume;

        Ticker(String graph) {
            this.graph = graph;
            watch = Workers.inBackground(this::watch);
        }

        private void watch(Stop stop) {
            int lines = 0;
            while (!stop.requested()) {
                LockSupport.parkNanos(NANOS_OF_A_LOOK);
                look();
                if (secondsSince(begin) >= (lines + 1.0) * SECONDS_OF_A_LINE) {
                    tell();
                    lines++;
                }
            }
        }

        void begin(String what) {
            volume = 0;
            task = what;
        }

        private void look() {
            use.get().forEach(device -> mostDeviceBytes.accumulateAndGet(device.usedBytes(), Math::max));
        }

        private void tell() {
            log.printf(
                    Locale.ROOT,
                    "%s: %.0f s, %s, %.1f %%, host %.1f GB, device %.1f GB%n",
                    graph,
                    secondsSince(begin),
                    task,
                    volume == 0 ? 0 : 100.0 * done.get() / volume,
                    hostBytes() / GIGA,
                    mostDeviceBytes.get() / GIGA);
        }

        @Override
        public void beginTask(Task begun, long work) {
            done.set(0);
            volume = work;
            task = begun.name();
        }

        @Override
        public void advance(long work) {
            done.addAndGet(work);
        }

        @Override
        public void close() {
            watch.cancel();
            watch.await();
        }
    }
}
