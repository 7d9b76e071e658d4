// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device;

import io.proxima.backend.DeviceFailureException;
import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.LoadedGraph;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.concurrent.Workers;
import io.proxima.projection.csc.DoublePages;
import io.proxima.projection.csc.IntPages;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.LockSupport;
import java.util.function.DoubleToIntFunction;
import java.util.function.IntUnaryOperator;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/**
 * Exclusive use of a device by the thread that took the lease: launches, and copies between the heap and the device.
 * Closing waits for all submitted work.
 *
 * <p>Copies go chunk by chunk through two page-locked buffers: one is filled or read by the host while the other one is
 * copied. Between chunks, the run can be stopped.
 *
 * <p>A run that has used the device for {@link LaunchPolicy#NANOS_OF_A_TURN} yields to waiting runs: between the chunks
 * of a copy, or by pausing its launch, which resumes with the next lease. Device memory keeps its content, so callers
 * only notice the longer time. docs/decisions/0030.
 */
public final class DeviceLease implements AutoCloseable {

    /** Levels that fit a signed byte, with that of the unreached, which is the first. */
    public static final int LEVELS_OF_A_BYTE = Byte.MAX_VALUE + 2;

    /** Bytes that one thread copies between the heap and a page-locked buffer at a time. */
    private static final int COPY_GRAIN = 1 << 20;

    private static final String COUNT_LEVELS = "permute_levels_count_thread";

    private static final int[] NOTHING = {};

    private final Device device;
    private final DeviceDriver driver;
    private final Stop stop;

    private boolean pending;
    private int launchesBegun;
    private int launchesEnded;
    // input of the next launch
    private int[] given = NOTHING;
    private Object ticket;
    private long since;
    // whether the lease has ended, or was passed to another run and has not been taken again
    private boolean leasePassedOn;

    DeviceLease(Device device, DeviceDriver driver, Object ticket, Stop stop) {
        this.device = device;
        this.driver = driver;
        this.stop = stop;
        this.ticket = ticket;
        this.since = System.nanoTime();
    }

    /**
     * The final control block of a kernel.
     *
     * @param level the deepest level with a new vertex; a single search may report the level after it, as a push that
     *     only marks vertices does not learn whether they are new
     * @param overflow {@link ControlBlock#LEVELS_TOO_NARROW} and {@link ControlBlock#COUNTS_TOO_SHALLOW}
     * @param work the kernel's own count of its work, such as virtual slice sets or tiles; see the head of its source
     * @param millis time between begin and end on the device
     * @param hasPaused whether the kernel was paused, so that work submitted behind it ran too early
     */
    public record Outcome(int level, int overflow, long work, float millis, boolean hasPaused) {

        private static final long MOST_ROUNDS = 1 << 30;

        /** Whether a level did not fit the width of the distances. The batch is then void. */
        public boolean levelsTooNarrow() {
            return (overflow & ControlBlock.LEVELS_TOO_NARROW) != 0;
        }

        /**
         * The rounds of work of the next launch of a run, so that it takes this long: at most twice as many as this one
         * had.
         */
        public int nextRounds(int rounds, float wantedMillis) {
            float wanted = rounds * wantedMillis / Math.max(millis, 1e-3f);
            return (int) Math.max(1, Math.min(Math.min(2L * rounds, MOST_ROUNDS), (long) wanted));
        }

        /** Whether there were more levels than counters. */
        public boolean countsTooShallow() {
            return (overflow & ControlBlock.COUNTS_TOO_SHALLOW) != 0;
        }
    }

    /**
     * Allocates memory that outlives the lease.
     *
     * @param promise of the run; null for work in the background, which was promised nothing
     * @param what noun for the error message, such as "the graph"
     * @throws DeviceMemoryException if memory is short even after all idle structures were evicted
     */
    public DeviceArray allocate(Promise promise, String what, long bytes) {
        return device.memory().allocate(promise, what, bytes);
    }

    /**
     * Allocates mapped memory that outlives the lease. The driver page-locks the memory in one call, which takes half a
     * second for a gibibyte, so another thread makes this call. If the run is stopped meanwhile, it leaves the lease to
     * that thread.
     *
     * @param promise and {@code what} as for {@link #allocate}
     * @throws DeviceMemoryException as {@link DeviceMemory#allocateMapped} does
     * @throws StoppedException if the stop was requested
     */
    public DeviceArray allocateMapped(Promise promise, String what, long bytes) {
        await();
        PageLocking locking = new PageLocking(device, promise, what, bytes);
        try {
            return locking.await(stop);
        } catch (StoppedException e) {
            leasePassedOn = true;
            locking.leave(ticket);
            throw e;
        }
    }

    /**
     * The device address of a workspace of at least {@code bytes} bytes.
     *
     * @param promise of the run; null for work in the background, which was promised nothing
     */
    public long workspace(Promise promise, long bytes) {
        Workspace workspace = device.workspace();
        long at = workspace.require(promise, bytes);
        if (!workspace.isPrepared()) {
            for (int launch = 0; launch < HostLink.MOST_IN_FLIGHT; launch++) {
                fill(workspace.control(launch), 0, ControlBlock.BYTES);
            }
            workspace.prepared();
        }
        return at;
    }

    private int nextLaunch() {
        return launchesBegun % HostLink.MOST_IN_FLIGHT;
    }

    /**
     * Passes integers to the next launch, which reads them from page-locked memory. Longer arrays are copied to the
     * device.
     *
     * @param to device address with room for the integers
     * @return the device address from which the launch reads them
     */
    public long give(long to, int[] numbers) {
        if (numbers.length > HostLink.MOST_GIVEN) {
            upload(to, numbers, 0, numbers.length);
            return to;
        }
        given = numbers;
        return device.link().inFlight(nextLaunch()).givenAddress();
    }

    /** Sets bytes. */
    public void fill(long address, int value, long bytes) {
        if (bytes > 0) {
            submit(() -> driver.fill(address, (byte) value, bytes));
        }
    }

    /**
     * Launches a kernel that has a control block, as {@link #beginLaunch} does, and waits for its end.
     *
     * @throws StoppedException if the stop was requested; the kernel has ended
     */
    public Outcome launch(Grid grid, KernelArguments arguments) {
        return beginLaunch(grid, arguments).end();
    }

    /**
     * Launches a kernel with a control block of the caller's, and waits for its end.
     *
     * @param control device address of the control block; it must be zero, and is zero again after the launch
     */
    public Outcome launch(Grid grid, long control, KernelArguments arguments) {
        return beginLaunch(grid, control, false, arguments).end();
    }

    /**
     * Launches a kernel that has a control block. Launches run one after the other in one stream, so they may share
     * state. One more may be launched before the caller waits for this one. Callers wait for launches in order. Closing
     * the lease stops those that nobody has waited for.
     *
     * @param arguments all but the control block, the report and the stop flag, which are set here
     * @throws StoppedException if the stop was requested; nothing was launched
     */
    public Launch beginLaunch(Grid grid, KernelArguments arguments) {
        return beginLaunch(grid, device.workspace().control(nextLaunch()), true, arguments);
    }

    private Launch beginLaunch(Grid grid, long control, boolean ofWorkspace, KernelArguments arguments) {
        stop.check();
        if (launchesBegun - launchesEnded == HostLink.MOST_IN_FLIGHT) {
            throw new IllegalStateException("at most " + HostLink.MOST_IN_FLIGHT
                    + " launches may be in flight; wait for one before "
                    + arguments.entry().name());
        }
        HostLink.InFlight place = device.link().inFlight(nextLaunch());
        arguments
                .set("control", control)
                .set("report", place.reportAddress())
                .set("stopFlag", device.stopFlagAddress());
        Launch launch = new Launch(place, grid, control, ofWorkspace, arguments, given);
        given = NOTHING;
        if (launchesBegun == launchesEnded) {
            device.link().letKernelsRun();
        }
        // first: a kernel may run even if its launch fails later
        launchesBegun++;
        launch.begin();
        return launch;
    }

    /** A launch in flight. */
    public final class Launch {

        private final HostLink.InFlight place;
        private Grid grid;
        private final long control;
        // whether the control block is one of the workspace
        private final boolean ofWorkspace;
        private final KernelArguments arguments;
        private final int[] given;

        private Launch(
                HostLink.InFlight place,
                Grid grid,
                long control,
                boolean ofWorkspace,
                KernelArguments arguments,
                int[] given) {
            this.place = place;
            this.grid = grid;
            this.control = control;
            this.ofWorkspace = ofWorkspace;
            this.arguments = arguments;
            this.given = given;
        }

        private void begin() {
            place.give(given);
            Runnable launch = kernel(grid, arguments);
            submit(place.begin()::put);
            submit(launch);
            submit(place.end()::put);
        }

        private void resume(float millis) {
            device.link().letKernelsRun();
            // the flags of the launch that has paused
            fill(
                    control + ControlBlock.FIRST_FLAG_OFFSET,
                    0,
                    ControlBlock.PAUSED_OFFSET + Integer.BYTES - ControlBlock.FIRST_FLAG_OFFSET);
            fill(control + ControlBlock.RESUMES_OFFSET, 1, Integer.BYTES);
            grid = grid.afterSteps(millis);
            begin();
        }

        /**
         * Waits for the end of the launch. Other runs may use the device meanwhile.
         *
         * @throws StoppedException if the stop was requested; this kernel has ended, and the queued ones end soon
         */
        public Outcome end() {
            ByteBuffer block = place.report();
            float last = awaitLaunch(block);
            float millis = last;
            boolean hasPaused = block.getInt(ControlBlock.PAUSED_OFFSET) != 0;
            while (block.getInt(ControlBlock.PAUSED_OFFSET) != 0) {
                if (launchesBegun - launchesEnded != 1) {
                    throw new IllegalStateException("a launch was paused with another behind it: "
                            + arguments.entry().name());
                }
                giveWay();
                resume(last);
                last = awaitLaunch(block);
                millis += last;
            }
            if (hasPaused && ofWorkspace) {
                device.workspace().prepared();
            }
            launchesEnded++;
            return new Outcome(
                    block.getInt(ControlBlock.LEVEL_OFFSET),
                    block.getInt(ControlBlock.OVERFLOW_OFFSET),
                    block.getLong(ControlBlock.WORK_OFFSET),
                    millis,
                    hasPaused);
        }

        private float awaitLaunch(ByteBuffer block) {
            try {
                awaitOrStop(place.end());
            } finally {
                // also if the run is stopped now, and never resumed
                if (ofWorkspace && block.getInt(ControlBlock.PAUSED_OFFSET) != 0) {
                    device.workspace().holdsPausedRun();
                }
            }
            if (block.getInt(ControlBlock.STOPPED_OFFSET) != 0) {
                throw new StoppedException();
            }
            return millisOf(place);
        }
    }

    /**
     * Launches a short kernel without a control block, with one thread for each element up to the capacity of the
     * device.
     */
    public void launchThreads(long elements, KernelArguments arguments) {
        begin(Grid.cooperative(elements), arguments);
    }

    /** Loads the code of a kernel. */
    private void load(String kernel) {
        kernel(Grid.cooperative(1), device.arguments(kernel));
    }

    /** Launches a kernel with complete arguments, without waiting for it or watching it. */
    public void begin(Grid grid, KernelArguments arguments) {
        submit(kernel(grid, arguments));
    }

    /**
     * The launch of a kernel, whose module is loaded first; the grid is sized by the number of blocks that can be
     * resident.
     */
    private Runnable kernel(Grid grid, KernelArguments arguments) {
        KernelInterface.Entry entry = arguments.entry();
        int threads = entry.threads() == 0 ? LaunchPolicy.BLOCK_THREADS : entry.threads();
        DeviceDriver.Function function = ask(() -> device.function(entry));
        int resident = ask(() -> function.blocksPerMultiprocessor(threads, grid.sharedBytes()));
        int blocks = grid.blocks(threads, resident, device.facts().multiprocessors());
        DeviceDriver.Shape shape = new DeviceDriver.Shape(blocks, threads, grid.sharedBytes(), grid.cooperative());
        return grid.steps() == 0
                ? () -> driver.launch(function, shape, arguments)
                : () -> driver.launchSteps(function, shape, arguments, grid.steps());
    }

    /** Reads or fills the page-locked buffers of a copy, chunk by chunk. */
    @FunctionalInterface
    public interface Chunk {
        /**
         * Reads or fills {@code bytes} bytes, at the start of the buffer.
         *
         * @param buffer native byte order; valid during the call only
         * @param offset of the chunk's first byte within the copy
         * @param bytes a multiple of 8 except at the end
         */
        void accept(ByteBuffer buffer, long offset, int bytes);
    }

    /** Copies {@code count} entries of an array, from index {@code first} on. */
    public void upload(long to, int[] from, int first, int count) {
        uploadChunks(to, (long) count * Integer.BYTES, (buffer, offset, bytes) -> buffer.asIntBuffer()
                .put(0, from, first + (int) (offset / Integer.BYTES), bytes / Integer.BYTES));
    }

    /** Copies a whole array. */
    public void upload(long to, long[] from, int concurrency) {
        uploadChunks(
                to,
                (long) from.length * Long.BYTES,
                (buffer, offset, bytes) -> inGrains(concurrency, bytes, (at, length) -> buffer.asLongBuffer()
                        .put(at / Long.BYTES, from, (int) ((offset + at) / Long.BYTES), length / Long.BYTES)));
    }

    /** Copies {@code count} values, which are computed during the copy. */
    public void upload(long to, int count, IntUnaryOperator valueAt, int concurrency) {
        uploadChunks(
                to,
                (long) count * Integer.BYTES,
                (buffer, offset, bytes) -> inGrains(concurrency, bytes, (at, length) -> {
                    for (int i = at; i < at + length; i += Integer.BYTES) {
                        buffer.putInt(i, valueAt.applyAsInt((int) ((offset + i) / Integer.BYTES)));
                    }
                }));
    }

    /** Copies all pages. */
    public void upload(long to, IntPages from, int concurrency) {
        upload(to, from, concurrency, entries -> {});
    }

    /**
     * Copies all pages.
     *
     * @param begun receives, after each chunk, the number of entries that a kernel launched now would find; the next
     *     chunk is filled while that kernel runs
     */
    public void upload(long to, IntPages from, int concurrency, LongConsumer begun) {
        uploadChunks(
                to,
                from.bytes(),
                (buffer, offset, bytes) -> inGrains(
                        concurrency,
                        bytes,
                        (at, length) -> copy(from, (offset + at) / Integer.BYTES, buffer, at, length)),
                bytes -> begun.accept(bytes / Integer.BYTES));
    }

    private static void copy(IntPages from, long first, ByteBuffer to, int at, int bytes) {
        from.forParts(first, first + bytes / Integer.BYTES, Stop.NEVER, (page, within, index, length) -> {
            int place = at / Integer.BYTES + (int) (index - first);
            to.asIntBuffer().put(place, page, within, length);
        });
    }

    /**
     * Copies all pages as words of 4 bytes.
     *
     * @param word converts a value
     */
    public void upload(long to, DoublePages from, DoubleToIntFunction word, int concurrency) {
        uploadChunks(
                to,
                from.length() * Integer.BYTES,
                (buffer, offset, bytes) -> inGrains(concurrency, bytes, (at, length) -> {
                    long first = (offset + at) / Integer.BYTES;
                    for (int i = 0; i < length / Integer.BYTES; i++) {
                        buffer.putInt(at + i * Integer.BYTES, word.applyAsInt(from.get(first + i)));
                    }
                }));
    }

    /** Copies all pages. */
    public void upload(long to, DoublePages from, int concurrency) {
        uploadChunks(
                to,
                from.bytes(),
                (buffer, offset, bytes) -> inGrains(concurrency, bytes, (at, length) -> {
                    long first = (offset + at) / Double.BYTES;
                    for (int i = 0; i < length / Double.BYTES; i++) {
                        buffer.putDouble(at + i * Double.BYTES, from.get(first + i));
                    }
                }));
    }

    private void uploadChunks(long to, long bytes, Chunk filler) {
        uploadChunks(to, bytes, filler, begun -> {});
    }

    private void uploadChunks(long to, long bytes, Chunk filler, LongConsumer begun) {
        device.memory().countUpload(bytes);
        int size = device.policy().stagingBytes();
        boolean[] used = new boolean[2];
        int which = 0;
        for (long offset = 0; offset < bytes; offset += size) {
            stop.check();
            giveWayIfDue();
            int length = (int) Math.min(size, bytes - offset);
            if (used[which]) {
                await(device.link().staging(which).mark());
            }
            HostLink.Staging staging = device.link().staging(which);
            filler.accept(staging.buffer(), offset, length);
            long at = to + offset;
            submit(() -> driver.copyToDevice(at, staging.buffer(), length));
            submit(staging.mark()::put);
            used[which] = true;
            which ^= 1;
            begun.accept(offset + length);
        }
        // the buffers can be reused only after the copies
        finish();
    }

    /**
     * Copies rows to the host in vertex order, chunk by chunk; a chunk is copied while the previous one is processed.
     * If the graph is resident in another order, a kernel gathers the rows directly into page-locked memory.
     */
    public void download(VertexOrderedArray from, int rows, Chunk chunk) {
        String gather = from.slotOfVertex() == 0 ? "" : "permute_rows_gather" + 8 * from.entryBytes() + "_thread";
        download(from, (long) rows * from.vertexCount() * from.entryBytes(), from.entryBytes(), gather, chunk);
    }

    /**
     * Loads the code for {@link #beginLevels}. To be called before the search, because a driver that loads code waits
     * for running kernels, and meanwhile nobody can stop them.
     */
    public void loadLevels(int entryBytes) {
        load(COUNT_LEVELS);
        load(gatherLevels(entryBytes));
    }

    /**
     * Begins to copy levels as signed numbers of fewer bytes, {@link LoadedGraph#UNREACHED} included. May be called
     * behind a search that runs; must be repeated if that was paused.
     *
     * @param from a row of ints
     * @param entryBytes 1, 2 or 4
     * @param counts device address of {@link #LEVELS_OF_A_BYTE} ints
     */
    public void beginLevels(VertexOrderedArray from, int entryBytes, long counts) {
        if (entryBytes == Byte.BYTES) {
            ByteBuffer counted = device.link().staging(0).levelCounts();
            submit(() -> driver.fill(counts, (byte) 0, counted.capacity()));
            launchThreads(
                    from.vertexCount(),
                    device.arguments(COUNT_LEVELS)
                            .set("levels", from.address())
                            .set("counts", counts)
                            .set("n", from.vertexCount()));
            submit(() -> driver.copyToHost(counted, counts, counted.capacity()));
        }
        beginDownload(from, 0, from.vertexCount() * (long) entryBytes, entryBytes, gatherLevels(entryBytes), 0);
    }

    /**
     * Copies levels chunk by chunk, after {@link #beginLevels} with the same width and the end of all launches. May end
     * the lease before the last chunk is processed, so that the next run need not wait for that. The caller can only
     * close the lease afterwards.
     *
     * @return at i, the vertices of level i - 1, if levels have one byte; the first are the unreached
     */
    public int[] endLevels(VertexOrderedArray from, int entryBytes, Chunk chunk) {
        int[] counts = new int[LEVELS_OF_A_BYTE];
        ByteBuffer counted = device.link().staging(0).levelCounts();
        long bytes = from.vertexCount() * (long) entryBytes;
        long begun = Math.min(device.policy().stagingBytes(), bytes);
        Chunk counting = (buffer, offset, length) -> {
            if (offset == 0) {
                counted.asIntBuffer().get(0, counts);
            }
            chunk.accept(buffer, offset, length);
        };
        endDownload(from, bytes, entryBytes, gatherLevels(entryBytes), begun, counting, true);
        return counts;
    }

    private static String gatherLevels(int entryBytes) {
        return entryBytes == Integer.BYTES
                ? "permute_rows_gather32_thread"
                : "permute_levels_gather" + 8 * entryBytes + "_thread";
    }

    /**
     * Copies rows to the host, chunk by chunk.
     *
     * @param gather the kernel of the module permute that gathers the rows; empty if they are copied unchanged
     */
    private void download(VertexOrderedArray from, long bytes, int entryBytes, String gather, Chunk chunk) {
        long begun = beginDownload(from, 0, bytes, entryBytes, gather, 0);
        endDownload(from, bytes, entryBytes, gather, begun, chunk, false);
    }

    /**
     * Copies the rest of the rows after the first {@link #beginDownload}.
     *
     * @param endsLease whether to end the lease before the last chunk is processed, if the next run has a buffer
     */
    private void endDownload(
            VertexOrderedArray from,
            long bytes,
            int entryBytes,
            String gather,
            long begunBytes,
            Chunk chunk,
            boolean endsLease) {
        int size = device.policy().stagingBytes();
        long begun = begunBytes;
        int which = 0;
        for (long offset = 0; offset < bytes; offset += size) {
            if (offset > 0 && giveWayIfDue()) {
                // other runs have used the buffers
                begun = offset + beginDownload(from, offset, bytes, entryBytes, gather, which);
            }
            begun += beginDownload(from, begun, bytes, entryBytes, gather, which ^ 1);
            await(device.link().staging(which).mark());
            stop.check();
            HostLink.Staging full = device.link().staging(which);
            boolean taken = endsLease && offset + size >= bytes && device.link().takeAway(which);
            try {
                if (taken) {
                    leasePassedOn = true;
                    device.endLease(ticket);
                }
                chunk.accept(full.buffer(), offset, (int) Math.min(size, bytes - offset));
            } finally {
                if (taken) {
                    device.link().giveBack(full);
                    // the context of a lost device waits for that
                    device.reclaim();
                }
            }
            which ^= 1;
        }
        // all submitted work is known to have ended
        pending = false;
    }

    private long beginDownload(
            VertexOrderedArray from, long offset, long bytes, int entryBytes, String gather, int which) {
        long length = Math.min(device.policy().stagingBytes(), bytes - offset);
        if (length > 0) {
            HostLink.Staging staging = device.link().staging(which);
            if (gather.isEmpty()) {
                submit(() -> driver.copyToHost(staging.buffer(), from.address() + offset, length));
            } else {
                long entries = length / entryBytes;
                launchThreads(
                        entries,
                        device.arguments(gather)
                                .set("in", from.address())
                                .set("slotOfVertex", from.slotOfVertex())
                                .set("out", staging.address())
                                .set("n", from.vertexCount())
                                .set("first", offset / entryBytes)
                                .set("count", entries));
            }
            submit(staging.mark()::put);
        }
        return length;
    }

    /** Copies {@code to.length} ints to the heap, in device order. */
    public void download(long from, int[] to, int concurrency) {
        download(new VertexOrderedArray(from, Integer.BYTES, to.length, 0), to, concurrency);
    }

    /** Copies {@code to.length} longs to the heap, in device order. */
    public void download(long from, long[] to) {
        download(new VertexOrderedArray(from, Long.BYTES, to.length, 0), to, 1);
    }

    /** The long at a device address. */
    public long readLong(long from) {
        long[] read = new long[1];
        download(from, read);
        return read[0];
    }

    /** Copies a row of ints to the heap. */
    public void download(VertexOrderedArray from, int[] to, int concurrency) {
        download(
                from,
                1,
                (buffer, offset, bytes) -> inGrains(concurrency, bytes, (at, length) -> buffer.asIntBuffer()
                        .get(at / Integer.BYTES, to, (int) ((offset + at) / Integer.BYTES), length / Integer.BYTES)));
    }

    /** Copies a row of doubles to the heap. */
    public void download(VertexOrderedArray from, double[] to, int concurrency) {
        download(
                from,
                1,
                (buffer, offset, bytes) -> inGrains(concurrency, bytes, (at, length) -> buffer.asDoubleBuffer()
                        .get(at / Double.BYTES, to, (int) ((offset + at) / Double.BYTES), length / Double.BYTES)));
    }

    /** Copies a row of longs to the heap. */
    public void download(VertexOrderedArray from, long[] to, int concurrency) {
        download(
                from,
                1,
                (buffer, offset, bytes) -> inGrains(concurrency, bytes, (at, length) -> buffer.asLongBuffer()
                        .get(at / Long.BYTES, to, (int) ((offset + at) / Long.BYTES), length / Long.BYTES)));
    }

    @FunctionalInterface
    private interface Grain {
        void copy(int at, int bytes);
    }

    private static void inGrains(int concurrency, int bytes, Grain grain) {
        Workers.forRanges(
                concurrency,
                bytes,
                COPY_GRAIN,
                Stop.NEVER,
                (worker, from, to) -> grain.copy((int) from, (int) (to - from)));
    }

    /**
     * Waits for all submitted work.
     *
     * @throws StoppedException if the stop was requested meanwhile
     */
    public void await() {
        finish();
        stop.check();
    }

    /** Yields if this run has used up its time, others wait, and nothing is in flight; returns whether it yielded. */
    private boolean giveWayIfDue() {
        boolean due = launchesBegun == launchesEnded && isDue();
        if (due) {
            giveWay();
        }
        return due;
    }

    private boolean isDue() {
        return System.nanoTime() - since >= LaunchPolicy.NANOS_OF_A_TURN
                && device.leases().isWanted()
                && device.workspace().mayPause();
    }

    /** Passes the lease to the waiting runs, and waits for it again. Nothing may be in flight. */
    private void giveWay() {
        if (device.leases().isWanted() && device.workspace().mayPause()) {
            finish();
            Workspace.Suspended suspended = device.workspace().suspend();
            if (suspended != null) {
                leasePassedOn = true;
                ticket = device.passLease(ticket, suspended, stop);
                leasePassedOn = false;
            }
        }
        since = System.nanoTime();
    }

    private void awaitOrStop(DeviceDriver.Mark mark) {
        boolean mayPause = launchesBegun - launchesEnded == 1;
        boolean pausing = false;
        boolean stopping = false;
        long begin = System.nanoTime();
        while (!reached(mark)) {
            if (!stopping && stop.requested()) {
                stopping = true;
                device.link().stopKernels();
            }
            if (mayPause && !pausing && isDue()) {
                pausing = true;
                device.link().pauseKernel();
            }
            if (System.nanoTime() - begin < LaunchPolicy.SPIN_NANOS) {
                Thread.onSpinWait();
            } else {
                LockSupport.parkNanos(LaunchPolicy.PAUSE_NANOS);
            }
        }
        if (stopping) {
            throw new StoppedException();
        }
        stop.check();
    }

    private float millisOf(HostLink.InFlight launch) {
        try {
            return launch.end().millisSince(launch.begin());
        } catch (DriverException e) {
            throw device.failed(e);
        }
    }

    private boolean reached(DeviceDriver.Mark mark) {
        try {
            return mark.reached();
        } catch (DriverException e) {
            throw device.failed(e);
        }
    }

    private void await(DeviceDriver.Mark mark) {
        try {
            mark.await();
        } catch (DriverException e) {
            throw device.failed(e);
        }
    }

    /** Waits for all submitted work. */
    private void finish() {
        if (pending) {
            submit(device.link().doneMark()::put);
            await(device.link().doneMark());
            pending = false;
        }
    }

    /**
     * Makes one call of the driver that submits work. A call that reports an error has submitted nothing, so it may be
     * repeated; two calls would be repeated together.
     */
    private void submit(Runnable call) {
        ask(() -> {
            call.run();
            return null;
        });
    }

    /** Calls the driver, and repeats the call after evicting idle structures while the driver is out of memory. */
    private <T> T ask(Supplier<T> call) {
        pending = true;
        while (true) {
            try {
                return call.get();
            } catch (DriverException e) {
                if (!e.isOutOfMemory()) {
                    throw device.failed(e);
                }
                if (!device.memory().makeRoom()) {
                    throw new DeviceMemoryException(
                            "Device " + device.name() + " has too little memory to run a kernel: "
                                    + e.getMessage()
                                    + " " + device.remedies().findUsers() + ", drop graphs that are"
                                    + " not needed, or use backend: 'cpu'.");
                }
            }
        }
    }

    @Override
    public void close() {
        if (leasePassedOn) {
            return;
        }
        try {
            if (device.lost().isEmpty()) {
                if (launchesBegun != launchesEnded) {
                    device.link().stopKernels();
                    // a launch that nobody has waited for may have paused
                    device.workspace().holdsPausedRun();
                }
                finishForTheNext();
            }
        } finally {
            device.endLease(ticket);
        }
    }

    /**
     * Waits for all submitted work, which uses what the next run will use. If that fails, also because the heap is
     * full, waits once more without allocations. If the driver fails twice, the device is lost, by its second error.
     */
    private void finishForTheNext() {
        try {
            finish();
        } catch (DeviceFailureException | DeviceMemoryException | OutOfMemoryError first) {
            try {
                device.link().doneMark().put();
                device.link().doneMark().await();
            } catch (DriverException e) {
                throw device.lose(e);
            }
        }
    }
}
