// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.device;

import static io.proxima.backend.cuda.driver.KernelConstants.CONTROL_BYTES;
import static io.proxima.backend.cuda.driver.KernelConstants.CONTROL_LEVEL_OFFSET;
import static io.proxima.backend.cuda.driver.KernelConstants.CONTROL_OVERFLOW_OFFSET;
import static io.proxima.backend.cuda.driver.KernelConstants.CONTROL_PAUSED_OFFSET;
import static io.proxima.backend.cuda.driver.KernelConstants.CONTROL_RESUMES_OFFSET;
import static io.proxima.backend.cuda.driver.KernelConstants.CONTROL_STOPPED_OFFSET;
import static io.proxima.backend.cuda.driver.KernelConstants.CONTROL_STOP_SEEN_OFFSET;
import static io.proxima.backend.cuda.driver.KernelConstants.CONTROL_VSS_PULLED_OFFSET;
import static io.proxima.backend.cuda.driver.KernelConstants.COUNTS_TOO_SHALLOW;
import static io.proxima.backend.cuda.driver.KernelConstants.LEVELS_TOO_NARROW;

import io.proxima.backend.DeviceFailureException;
import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.cuda.driver.DeviceDriver;
import io.proxima.backend.cuda.driver.DriverException;
import io.proxima.backend.cuda.driver.KernelArguments;
import io.proxima.backend.cuda.driver.KernelConstants;
import io.proxima.backend.cuda.driver.KernelInterface;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.concurrent.Workers;
import io.proxima.projection.DoublePages;
import io.proxima.projection.IntPages;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.LockSupport;
import java.util.function.DoubleToIntFunction;
import java.util.function.IntSupplier;
import java.util.function.IntUnaryOperator;
import java.util.function.LongConsumer;

/**
 * Exclusive use of a device by the thread that took the lease. Closing waits for all submitted work.
 *
 * <p>A run that has used the device for {@link LaunchPolicy#NANOS_OF_A_TURN} yields to waiting runs: between the chunks of a copy,
 * or by pausing its launch, which resumes with the next lease. Device memory keeps its content, so callers only notice the
 * longer time. docs/decisions/0030.
 *
 * <p>The class is long because copies, launches, waits and pauses share their state.
 */
public final class DeviceLease implements AutoCloseable {

    /** Bytes that one thread copies between the heap and a page-locked buffer at a time. */
    private static final int COPY_GRAIN = 1 << 20;

    private static final int[] NOTHING = {};

    private final CudaDevice device;
    private final DeviceDriver driver;
    private final Stop stop;
    private boolean pending;
    private int launchesBegun;
    private int launchesEnded;
    // input of the next launch
    private int[] given = NOTHING;
    private Object ticket;
    private long since;
    // whether the lease was passed to another run and has not been taken again
    private boolean away;

    DeviceLease(CudaDevice device, DeviceDriver driver, Object ticket, Stop stop) {
        this.device = device;
        this.driver = driver;
        this.ticket = ticket;
        this.stop = stop;
        this.since = System.nanoTime();
    }

    /**
     * The final control block of a kernel.
     *
     * @param level the deepest level with a new vertex
     * @param overflow {@link KernelConstants#LEVELS_TOO_NARROW} and {@link KernelConstants#COUNTS_TOO_SHALLOW}
     * @param work the kernel's own count of its work, such as virtual slice sets or tiles; see the head of its source
     * @param millis time between begin and end on the device
     */
    public record Outcome(int level, int overflow, long work, float millis) {

        /** Whether a level did not fit the width of the distances. The batch is then void. */
        public boolean levelsTooNarrow() {
            return (overflow & LEVELS_TOO_NARROW) != 0;
        }

        /** Whether there were more levels than counters. */
        public boolean countsTooShallow() {
            return (overflow & COUNTS_TOO_SHALLOW) != 0;
        }
    }

    /** Receives a copy to the host, chunk by chunk. */
    @FunctionalInterface
    public interface Chunk {
        /**
         * Receives {@code bytes} bytes, at the start of the buffer.
         *
         * @param from native byte order; valid during the call only
         * @param offset of the chunk's first byte within the copy
         * @param bytes a multiple of 8 except at the end
         */
        void accept(ByteBuffer from, long offset, int bytes);
    }

    /** Fills page-locked memory. */
    @FunctionalInterface
    private interface Filler {
        public void fill(ByteBuffer to, long offset, int bytes);
    }

    /**
     * Allocates memory that outlives the lease.
     *
     * @param what noun for the error message, such as "the graph"
     * @throws DeviceMemoryException if memory is short even after all idle structures were evicted
     */
    public DeviceArray allocate(String what, long bytes) {
        return device.memory().allocate(what, bytes);
    }

    /**
     * Allocates mapped memory that outlives the lease. The driver page-locks the memory in one call, which takes half a second
     * for a gibibyte, so another thread makes this call. If the run is stopped meanwhile, it leaves the lease to that thread.
     *
     * @param what as for {@link #allocate}
     * @throws DeviceMemoryException as {@link DeviceMemory#allocateMapped} does
     * @throws StoppedException if the stop was requested
     */
    public DeviceArray allocateMapped(String what, long bytes) {
        await();
        PageLocking locking = new PageLocking(device, what, bytes);
        try {
            return locking.await(stop);
        } catch (StoppedException e) {
            away = true;
            locking.leave(ticket);
            throw e;
        }
    }

    /** The device address of a workspace of at least {@code bytes} bytes. */
    public long workspace(long bytes) {
        Workspace workspace = device.workspace();
        long at = workspace.require(bytes);
        if (!workspace.isPrepared()) {
            for (int launch = 0; launch < CudaDevice.MOST_IN_FLIGHT; launch++) {
                fill(workspace.control(launch), 0, CONTROL_BYTES);
            }
            workspace.prepared();
        }
        return at;
    }

    private int nextLaunch() {
        return launchesBegun % CudaDevice.MOST_IN_FLIGHT;
    }

    /**
     * Passes integers to the next launch, which reads them from page-locked memory. Longer arrays are copied to the device.
     *
     * @param to device address with room for the integers
     * @return the device address from which the launch reads them
     */
    public long give(long to, int[] numbers) {
        if (numbers.length > CudaDevice.MOST_GIVEN) {
            upload(to, numbers, 0, numbers.length);
            return to;
        }
        given = numbers;
        return device.inFlight(nextLaunch()).givenAddress();
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

    /** Copies {@code count} values, which are computed in sequence. */
    public void upload(long to, int count, IntSupplier values) {
        uploadChunks(to, (long) count * Integer.BYTES, (buffer, offset, bytes) -> {
            for (int i = 0; i < bytes; i += Integer.BYTES) {
                buffer.putInt(i, values.getAsInt());
            }
        });
    }

    /** Copies all pages. */
    public void upload(long to, IntPages from, int concurrency) {
        upload(to, from, concurrency, entries -> {});
    }

    /**
     * Copies all pages.
     *
     * @param begun receives, after each chunk, the number of entries that a kernel launched now would find; the next chunk is
     *     filled while that kernel runs
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
        long index = first;
        int done = 0;
        while (done < bytes / Integer.BYTES) {
            int[] page = from.pageOf(index);
            int within = (int) (index & from.pageMask());
            int length = Math.min(page.length - within, bytes / Integer.BYTES - done);
            to.asIntBuffer().put(at / Integer.BYTES + done, page, within, length);
            done += length;
            index += length;
        }
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

    private void uploadChunks(long to, long bytes, Filler filler) {
        uploadChunks(to, bytes, filler, begun -> {});
    }

    private void uploadChunks(long to, long bytes, Filler filler, LongConsumer begun) {
        device.memory().countUpload(bytes);
        int size = device.policy().stagingBytes();
        boolean[] used = new boolean[2];
        int which = 0;
        for (long offset = 0; offset < bytes; offset += size) {
            stop.check();
            giveWayIfDue();
            int length = (int) Math.min(size, bytes - offset);
            if (used[which]) {
                await(device.stagingMark(which));
            }
            ByteBuffer buffer = device.staging(which);
            filler.fill(buffer, offset, length);
            submit(new DriverCall.CopyToDevice(to + offset, buffer, length));
            submit(new DriverCall.Put(device.stagingMark(which)));
            used[which] = true;
            which ^= 1;
            begun.accept(offset + length);
        }
        // the buffers can be reused only after the copies
        finish();
    }

    /** Sets bytes. */
    public void fill(long address, int value, long bytes) {
        if (bytes > 0) {
            submit(new DriverCall.Fill(address, (byte) value, bytes));
        }
    }

    /**
     * Copies rows to the host in vertex order, chunk by chunk; a chunk is copied while the previous one is processed. If the
     * graph is resident in another order, a kernel gathers the rows directly into page-locked memory.
     */
    public void download(VertexOrderedArray from, int rows, Chunk chunk) {
        String gather = from.slotOfVertex() == 0 ? "" : "permute_rows_gather" + 8 * from.entryBytes() + "_thread";
        download(from, (long) rows * from.vertexCount(), from.entryBytes(), gather, chunk);
    }

    /**
     * Copies levels to the host as signed numbers of fewer bytes, {@link LoadedGraph#UNREACHED} included.
     *
     * @param from a row of ints
     * @param entryBytes 1 or 2; all levels fit
     */
    public void downloadLevels(VertexOrderedArray from, int entryBytes, Chunk chunk) {
        download(from, from.vertexCount(), entryBytes, "permute_levels_gather" + 8 * entryBytes + "_thread", chunk);
    }

    /**
     * Copies rows to the host, chunk by chunk.
     *
     * @param gather the kernel of the module permute that gathers the rows; empty if they are copied unchanged
     */
    private void download(VertexOrderedArray from, long entries, int entryBytes, String gather, Chunk chunk) {
        int size = device.policy().stagingBytes();
        long bytes = entries * entryBytes;
        long begun = beginDownload(from, 0, bytes, entryBytes, gather, 0);
        int which = 0;
        for (long offset = 0; offset < bytes; offset += size) {
            if (giveWayIfDue()) {
                // other runs have used the buffers
                begun = offset + beginDownload(from, offset, bytes, entryBytes, gather, which);
            }
            begun += beginDownload(from, begun, bytes, entryBytes, gather, which ^ 1);
            await(device.stagingMark(which));
            stop.check();
            chunk.accept(device.staging(which), offset, (int) Math.min(size, bytes - offset));
            which ^= 1;
        }
        pending = false;
    }

    private long beginDownload(
            VertexOrderedArray from, long offset, long bytes, int entryBytes, String gather, int which) {
        long length = Math.min(device.policy().stagingBytes(), bytes - offset);
        if (length > 0) {
            if (gather.isEmpty()) {
                submit(new DriverCall.CopyToHost(device.staging(which), from.address() + offset, length));
            } else {
                long entries = length / entryBytes;
                launchThreads(
                        entries,
                        KernelArguments.of(gather)
                                .set("in", from.address())
                                .set("slotOfVertex", from.slotOfVertex())
                                .set("out", device.stagingAddress(which))
                                .set("n", from.vertexCount())
                                .set("first", offset / entryBytes)
                                .set("count", entries));
            }
            submit(new DriverCall.Put(device.stagingMark(which)));
        }
        return length;
    }

    /** Copies {@code to.length} ints to the heap, in device order. */
    public void download(long from, int[] to, int concurrency) {
        download(new VertexOrderedArray(from, Integer.BYTES, to.length, 0), to, concurrency);
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
     * Launches a kernel that has a control block. Launches run one after the other in one stream, so they may share state. One
     * more may be launched before the caller waits for this one. Callers wait for launches in order. Closing the lease stops those that nobody
     * has waited for.
     *
     * @param arguments all but the control block, the report and the stop flag, which are set here
     * @throws StoppedException if the stop was requested; nothing was launched
     */
    public Launch beginLaunch(Grid grid, KernelArguments arguments) {
        return beginLaunch(grid, device.workspace().control(nextLaunch()), true, arguments);
    }

    private Launch beginLaunch(Grid grid, long control, boolean ofWorkspace, KernelArguments arguments) {
        stop.check();
        if (launchesBegun - launchesEnded == CudaDevice.MOST_IN_FLIGHT) {
            throw new IllegalStateException("at most " + CudaDevice.MOST_IN_FLIGHT
                    + " launches may be in flight; wait for one before "
                    + arguments.entry().name());
        }
        CudaDevice.InFlight place = device.inFlight(nextLaunch());
        arguments
                .set("control", control)
                .set("report", place.reportAddress())
                .set("stopFlag", device.stopFlagAddress());
        Launch launch = new Launch(place, grid, control, ofWorkspace, arguments, given);
        given = NOTHING;
        if (launchesBegun == launchesEnded) {
            device.letKernelsRun();
        }
        // first: a kernel may run even if its launch fails later
        launchesBegun++;
        launch.begin();
        return launch;
    }

    /** A launch in flight. */
    public final class Launch {

        private final CudaDevice.InFlight place;
        private final Grid grid;
        private final long control;
        // whether the control block is one of the workspace
        private final boolean ofWorkspace;
        private final KernelArguments arguments;
        private final int[] given;

        private Launch(
                CudaDevice.InFlight place,
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
            DriverCall.Launch launch = kernel(grid, arguments);
            submit(new DriverCall.Put(place.begin()));
            submit(launch);
            submit(new DriverCall.Put(place.end()));
        }

        private void resume() {
            device.letKernelsRun();
            // the flags of the launch that has paused
            fill(
                    control + CONTROL_STOP_SEEN_OFFSET,
                    0,
                    CONTROL_PAUSED_OFFSET + Integer.BYTES - CONTROL_STOP_SEEN_OFFSET);
            fill(control + CONTROL_RESUMES_OFFSET, 1, 1);
            begin();
        }

        /**
         * Waits for the end of the launch. Other runs may use the device meanwhile.
         *
         * @throws StoppedException if the stop was requested; this kernel has ended, and the queued ones end soon
         */
        public Outcome end() {
            ByteBuffer block = place.report();
            float millis = awaitLaunch(block);
            boolean hasPaused = block.getInt(CONTROL_PAUSED_OFFSET) != 0;
            while (block.getInt(CONTROL_PAUSED_OFFSET) != 0) {
                if (launchesBegun - launchesEnded != 1) {
                    throw new IllegalStateException("a launch was paused with another behind it: "
                            + arguments.entry().name());
                }
                giveWay();
                resume();
                millis += awaitLaunch(block);
            }
            if (hasPaused && ofWorkspace) {
                device.workspace().prepared();
            }
            launchesEnded++;
            pending = launchesBegun != launchesEnded;
            return new Outcome(
                    block.getInt(CONTROL_LEVEL_OFFSET),
                    block.getInt(CONTROL_OVERFLOW_OFFSET),
                    block.getLong(CONTROL_VSS_PULLED_OFFSET),
                    millis);
        }

        private float awaitLaunch(ByteBuffer block) {
            try {
                awaitOrStop(place.end());
            } finally {
                // also if the run is stopped now, and never resumed
                if (ofWorkspace && block.getInt(CONTROL_PAUSED_OFFSET) != 0) {
                    device.workspace().holdsPausedRun();
                }
            }
            if (block.getInt(CONTROL_STOPPED_OFFSET) != 0) {
                throw new StoppedException();
            }
            return millisOf(place);
        }
    }

    /** Launches a short kernel without a control block, with one thread for each element up to the capacity of the device. */
    public void launchThreads(long elements, KernelArguments arguments) {
        begin(Grid.cooperative(elements), arguments);
    }

    /** Launches a kernel of which nothing but its arguments is known. */
    public void begin(Grid grid, KernelArguments arguments) {
        submit(kernel(grid, arguments));
    }

    private DriverCall.Launch kernel(Grid grid, KernelArguments arguments) {
        KernelInterface.Entry entry = arguments.entry();
        int threads = entry.threads() == 0 ? device.policy().blockThreads() : entry.threads();
        DeviceDriver.Function function = submit(new DriverCall.Find(device, entry));
        return new DriverCall.Launch(function, submit(new DriverCall.Size(device, function, threads, grid)), arguments);
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
                && device.leases().isWanted();
    }

    /** Passes the lease to the waiting runs, and waits for it again. Nothing may be in flight. */
    private void giveWay() {
        if (device.leases().isWanted()) {
            finish();
            away = true;
            ticket = device.passLease(ticket, stop);
            away = false;
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
                device.stopKernels();
            }
            if (mayPause && !pausing && isDue()) {
                pausing = true;
                device.pauseKernel();
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

    private float millisOf(CudaDevice.InFlight launch) {
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
            submit(new DriverCall.Put(device.doneMark()));
            await(device.doneMark());
            pending = false;
        }
    }

    /** Calls the driver, and repeats the call after evicting idle structures while the driver is out of memory. */
    private <T> T submit(DriverCall<T> call) {
        pending = true;
        while (true) {
            try {
                return call.on(driver);
            } catch (DriverException e) {
                if (!e.isOutOfMemory()) {
                    throw device.failed(e);
                }
                if (!device.memory().makeRoom()) {
                    throw new DeviceMemoryException(
                            "Device " + device.name() + " has too little memory to run a kernel: "
                                    + e.getMessage()
                                    + " Check with nvidia-smi which processes use its memory, drop graphs that are"
                                    + " not needed, or use backend: 'cpu'.");
                }
            }
        }
    }

    @Override
    public void close() {
        if (away) {
            return;
        }
        try {
            if (device.lost().isEmpty()) {
                if (launchesBegun != launchesEnded) {
                    device.stopKernels();
                    // a launch that nobody has waited for may have paused
                    device.workspace().holdsPausedRun();
                }
                finishForTheNext();
            }
        } finally {
            device.endLease(ticket);
        }
    }

    /** Waits for all submitted work, which uses what the next run will use. If that fails twice, the device is lost. */
    private void finishForTheNext() {
        try {
            finish();
        } catch (DeviceFailureException | DeviceMemoryException first) {
            try {
                finish();
            } catch (DeviceFailureException | DeviceMemoryException e) {
                throw device.lose(e);
            }
        }
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
}
