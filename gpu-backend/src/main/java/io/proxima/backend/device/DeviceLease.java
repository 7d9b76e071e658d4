// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device;

import io.proxima.backend.DeviceFailureException;
import io.proxima.backend.DeviceMemoryException;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Exclusive use of a device by the thread that took the lease: launches, and the copies of {@link DeviceCopies}.
 * Closing waits for all submitted work.
 *
 * <p>A run that has used the device for {@link LaunchPolicy#NANOS_OF_A_TURN} yields to waiting runs: between the chunks
 * of a copy, or by pausing its launch, which resumes with the next lease. Device memory keeps its content, so callers
 * only notice the longer time. docs/decisions/0030.
 */
public final class DeviceLease extends DeviceCopies implements AutoCloseable {

    private static final int[] NOTHING = {};

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
        super(device, driver, stop);
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
    @Override
    public void launchThreads(long elements, KernelArguments arguments) {
        begin(Grid.cooperative(elements), arguments);
    }

    @Override
    void load(String kernel) {
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
        DeviceDriver.Function function = ask(() -> device.code().function(entry));
        int resident = ask(() -> function.blocksPerMultiprocessor(threads, grid.sharedBytes()));
        int blocks = grid.blocks(threads, resident, device.facts().multiprocessors());
        DeviceDriver.Shape shape = new DeviceDriver.Shape(blocks, threads, grid.sharedBytes(), grid.cooperative());
        return grid.steps() == 0
                ? () -> driver.launch(function, shape, arguments)
                : () -> driver.launchSteps(function, shape, arguments, grid.steps());
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
    @Override
    boolean giveWayIfDue() {
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

    @Override
    void await(DeviceDriver.Mark mark) {
        try {
            mark.await();
        } catch (DriverException e) {
            throw device.failed(e);
        }
    }

    /** Waits for all submitted work. */
    @Override
    void finish() {
        if (pending) {
            submit(device.link().doneMark()::put);
            await(device.link().doneMark());
            pending = false;
        }
    }

    @Override
    void nothingIsPending() {
        pending = false;
    }

    @Override
    void endLease() {
        leasePassedOn = true;
        device.endLease(ticket);
    }

    @Override
    void submit(Runnable call) {
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
