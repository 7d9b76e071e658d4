// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.device;

import static io.proxima.backend.cuda.driver.KernelConstants.CONTROL_BYTES;

import io.proxima.backend.DeviceFailureException;
import io.proxima.backend.cuda.driver.DeviceDriver;
import io.proxima.backend.cuda.driver.Driver.DeviceFacts;
import io.proxima.backend.cuda.driver.DriverException;
import io.proxima.backend.cuda.driver.KernelImages;
import io.proxima.backend.cuda.driver.KernelInterface;
import io.proxima.concurrent.Stop;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A device in use: its context, memory, code and the page-locked buffers that copies go through. Work on it is done in
 * {@link DeviceLease leases}. Thread-safe.
 *
 * <p>After a {@link DriverException#isSticky sticky} error of the driver, the device is lost. Every run that takes
 * a lease on it fails, and only {@link #giveUp} still calls the driver. The backend opens another context in its place. Any
 * other error fails only the run that met it.
 *
 * <p>The class is long because it covers the whole life of a context, from opening to loss, and everything that must be
 * released at its end.
 */
public final class CudaDevice implements AutoCloseable {

    /** Maximum number of launches in flight: one that runs and one that is queued behind it. */
    static final int MOST_IN_FLIGHT = 2;

    /** Maximum number of integers that a launch reads from page-locked memory; a copy of more is faster than reads over the bus. */
    static final int MOST_GIVEN = 64;

    private static final int FLAG_BYTES = 64;

    private static final String REMEDY =
            " The next call tries to open the device again. After a kernel fault, the CUDA driver"
                    + " refuses the device to the whole process: check the system log for NVRM messages and restart the server."
                    + " Or use backend: 'cpu'.";

    // of the flags that kernels read: StopWatch of persistent.cuh
    private static final int STOP_FLAG_OFFSET = 0;
    private static final int PAUSE_FLAG_OFFSET = 4;

    private final String name;
    private final DeviceFacts facts;
    private final String driverVersion;
    private final LaunchPolicy policy;
    private final KernelImages images;
    private final DeviceDriver driver;
    private final DeviceMemory memory;
    private final LeaseQueue leases = new LeaseQueue();
    private final Workspace workspace;

    // used by the holder of the lease
    private final ByteBuffer[] staging = new ByteBuffer[2];
    private final long[] stagingAddresses = new long[2];
    private final DeviceDriver.Mark[] stagingMarks = new DeviceDriver.Mark[2];
    private final InFlight[] inFlight = new InFlight[MOST_IN_FLIGHT];
    private DeviceDriver.Mark doneMark;
    private final Map<String, DeviceDriver.Module> modules = new HashMap<>();
    private final Map<String, DeviceDriver.Function> functions = new HashMap<>();
    private ByteBuffer stopFlag;
    private long stopFlagAddress;

    // guarded by the lease
    private boolean givenUp;

    private final AtomicLong pauses = new AtomicLong();
    private volatile Thread holder;
    private volatile String lost = "";

    /**
     * Opens a device.
     *
     * @param mapped the budget of mapped memory, which other devices use too
     * @throws DriverException if the driver refuses; nothing remains allocated
     */
    public CudaDevice(
            String name,
            DeviceFacts facts,
            String driverVersion,
            DeviceDriver driver,
            KernelImages images,
            LaunchPolicy policy,
            MappedBudget mapped) {
        this.name = name;
        this.facts = facts;
        this.driverVersion = driverVersion;
        this.policy = policy;
        this.images = images;
        this.driver = driver;
        this.memory =
                new DeviceMemory(name, driver, policy.budget(facts.totalBytes()), mapped, this::failed, this::reclaim);
        this.workspace = new Workspace(memory);
        try {
            driver.enter();
            try {
                for (int i = 0; i < 2; i++) {
                    staging[i] = driver.allocateHost(policy.stagingBytes());
                    stagingAddresses[i] = driver.deviceAddress(staging[i]);
                    stagingMarks[i] = driver.createMark();
                }
                for (int i = 0; i < MOST_IN_FLIGHT; i++) {
                    inFlight[i] = new InFlight();
                    inFlight[i].open(driver);
                }
                doneMark = driver.createMark();
                stopFlag = driver.allocateHost(FLAG_BYTES);
                stopFlagAddress = driver.deviceAddress(stopFlag);
            } finally {
                driver.leave();
            }
        } catch (RuntimeException | Error e) {
            if (e instanceof DriverException failure) {
                failed(failure);
            }
            close();
            throw e;
        }
    }

    public String name() {
        return name;
    }

    public DeviceFacts facts() {
        return facts;
    }

    public String driverVersion() {
        return driverVersion;
    }

    public LaunchPolicy policy() {
        return policy;
    }

    public DeviceMemory memory() {
        return memory;
    }

    public Workspace workspace() {
        return workspace;
    }

    public LeaseQueue leases() {
        return leases;
    }

    /** Why the device is lost; empty while it is usable. */
    public String lost() {
        return lost;
    }

    /**
     * Waits for the device.
     *
     * @throws io.proxima.concurrent.StoppedException if the stop was requested before the lease came
     * @throws DeviceFailureException if the device has failed
     */
    public DeviceLease lease(Stop stop) {
        return lease(stop, LeaseQueue.RunLength.SHORT);
    }

    /** Waits for the device, as a run of the given length. */
    public DeviceLease lease(Stop stop, LeaseQueue.RunLength length) {
        return new DeviceLease(this, driver, beginLease(stop, length), stop);
    }

    private Object beginLease(Stop stop, LeaseQueue.RunLength length) {
        if (holder == Thread.currentThread()) {
            throw new IllegalStateException("a thread has one lease at a time: device=" + name);
        }
        Object ticket = null;
        try {
            ticket = leases.enter(stop, length);
            if (!lost.isEmpty()) {
                throw new DeviceFailureException(lost + REMEDY);
            }
            enter();
            holder = Thread.currentThread();
            return ticket;
        } catch (RuntimeException | Error e) {
            if (ticket != null) {
                leases.leave(ticket);
            }
            // a thread that freed memory meanwhile has left the reclaiming to this caller
            reclaim();
            throw e;
        }
    }

    private void enter() {
        try {
            driver.enter();
        } catch (DriverException e) {
            throw failed(e);
        }
    }

    /** Ends a lease. All its work is done, or the device is lost. */
    void endLease(Object ticket) {
        try {
            workspace.release();
            memory.reclaim();
        } catch (DeviceFailureException e) {
            // the device is lost now, and its memory with it
        } finally {
            try {
                driver.leave();
            } finally {
                holder = null;
                leases.leave(ticket);
                reclaim();
            }
        }
    }

    /** Leaves a lease to another thread, which ends it by {@link #endLeaseOfAnother}. */
    void leaveLease() {
        holder = null;
        driver.leave();
    }

    /** Ends a lease that the thread that took it has left. */
    void endLeaseOfAnother(Object ticket) {
        try {
            enter();
        } finally {
            endLease(ticket);
        }
    }

    /**
     * Ends a lease whose work is done, and waits for the next one as a long run. The workspace keeps its content.
     *
     * @return the ticket of the next lease
     * @throws io.proxima.concurrent.StoppedException if the stop was requested meanwhile; the lease has ended
     * @throws DeviceFailureException if the device has failed meanwhile; the lease has ended
     */
    Object passLease(Object ticket, Stop stop) {
        DeviceArray suspended = workspace.suspend();
        pauses.incrementAndGet();
        Object next = null;
        boolean resumed = false;
        try {
            endLease(ticket);
            next = beginLease(stop, LeaseQueue.RunLength.LONG);
            workspace.resume(suspended);
            resumed = true;
            return next;
        } finally {
            if (!resumed) {
                if (suspended != null) {
                    suspended.close();
                }
                if (next != null) {
                    endLease(next);
                }
            }
        }
    }

    /**
     * Whether a run of many parts should end its lease and take another: because other runs wait, or because freed memory is
     * reclaimed only between leases.
     */
    public boolean isWanted() {
        return leases.isWanted() || memory.hasReturned();
    }

    /**
     * Reclaims freed memory if nobody has a lease, and releases the context of a lost device. A thread that frees memory of a busy
     * device leaves that to the holder of the lease. A thread that ends a lease checks once more afterwards, so nothing is left. To
     * be called outside of monitors, because the driver may take seconds.
     */
    public void reclaim() {
        boolean freed = true;
        while (freed && lost.isEmpty() && memory.hasReturned()) {
            Object ticket = leases.tryEnter();
            if (ticket == null) {
                return;
            }
            try {
                freed = memory.reclaim();
            } catch (DeviceFailureException e) {
                // the device is lost now, and its memory with it
            } finally {
                leases.leave(ticket);
            }
        }
        if (!lost.isEmpty()) {
            giveUp();
        }
    }

    /**
     * Marks the device as lost if an error of the driver is sticky.
     *
     * @return the exception for the run that met the error, with the remedy. Names the first error if the device is lost
     */
    public DeviceFailureException failed(DriverException cause) {
        return cause.isSticky()
                ? lose(cause)
                : new DeviceFailureException(
                        "A call failed on device " + name + ": " + cause.getMessage()
                                + " The graphs on the device remain usable. Repeat the call, or use backend: 'cpu'.",
                        cause);
    }

    /** Marks the device as lost. */
    DeviceFailureException lose(RuntimeException cause) {
        synchronized (memory) {
            if (lost.isEmpty()) {
                lost = "Device " + name + " has failed: " + cause.getMessage();
                memory.abandon(lost + REMEDY);
            }
            return new DeviceFailureException(lost + REMEDY, cause);
        }
    }

    /**
     * Releases the context of a lost device, and with it all its allocations; the end of the last run does so, too.
     *
     * @return false if a run has not left the device yet
     */
    public boolean giveUp() {
        Object ticket = leases.tryEnter();
        if (ticket == null) {
            return false;
        }
        try {
            closeContext();
        } catch (DriverException e) {
            // opening the device shows whether the driver allows its use again
        } finally {
            leases.leave(ticket);
        }
        return true;
    }

    private void closeContext() {
        if (!givenUp) {
            givenUp = true;
            // others may still ask for the free memory
            memory.abandon("Device " + name + " has been released. Repeat the call.");
            try {
                driver.close();
            } finally {
                memory.contextClosed();
            }
        }
    }

    /** The number of times that a run has passed its lease to another run and resumed later. */
    public long pauses() {
        return pauses.get();
    }

    ByteBuffer staging(int which) {
        return staging[which];
    }

    /** The device address of a staging buffer. */
    long stagingAddress(int which) {
        return stagingAddresses[which];
    }

    DeviceDriver.Mark stagingMark(int which) {
        return stagingMarks[which];
    }

    /** The state of a launch in flight; there are {@link #MOST_IN_FLIGHT}. */
    InFlight inFlight(int which) {
        return inFlight[which];
    }

    /** The mark that shows the end of all submitted work. */
    DeviceDriver.Mark doneMark() {
        return doneMark;
    }

    public ByteBuffer stopFlag() {
        return stopFlag;
    }

    /** Stops the running kernel and those queued behind it. */
    void stopKernels() {
        stopFlag.putInt(STOP_FLAG_OFFSET, 1);
    }

    /** Pauses the running kernel; a later launch resumes it. */
    void pauseKernel() {
        stopFlag.putInt(PAUSE_FLAG_OFFSET, 1);
    }

    /** Clears stop and pause for later launches. */
    void letKernelsRun() {
        stopFlag.putInt(STOP_FLAG_OFFSET, 0);
        stopFlag.putInt(PAUSE_FLAG_OFFSET, 0);
    }

    long stopFlagAddress() {
        return stopFlagAddress;
    }

    /** A kernel; loads its module at the first call. Only for the holder of the lease. */
    DeviceDriver.Function function(KernelInterface.Entry entry) {
        DeviceDriver.Function known = functions.get(entry.name());
        if (known != null) {
            return known;
        }
        DeviceDriver.Module loaded = modules.get(entry.module());
        if (loaded == null) {
            loaded = driver.load(images.image(entry.module(), facts));
            modules.put(entry.module(), loaded);
        }
        DeviceDriver.Function function = loaded.function(entry.name());
        functions.put(entry.name(), function);
        return function;
    }

    /** Frees everything. The caller must ensure that nothing runs. */
    @Override
    public void close() {
        if (!lost.isEmpty()) {
            giveUp();
            return;
        }
        // so that nothing else reclaims meanwhile; a thread may still page-lock memory for a run that was stopped
        Object ticket = leases.enter(Stop.NEVER);
        driver.enter();
        try {
            workspace.close();
            memory.reclaim();
            modules.values().forEach(DeviceDriver.Module::close);
            modules.clear();
            functions.clear();
            for (int i = 0; i < 2; i++) {
                closeIfOpen(stagingMarks[i]);
                freeIfHeld(staging[i]);
            }
            for (InFlight launch : inFlight) {
                if (launch != null) {
                    closeIfOpen(launch.begin);
                    closeIfOpen(launch.end);
                    freeIfHeld(launch.report);
                    freeIfHeld(launch.given);
                }
            }
            closeIfOpen(doneMark);
            freeIfHeld(stopFlag);
        } finally {
            driver.leave();
            try {
                closeContext();
            } finally {
                leases.leave(ticket);
            }
        }
    }

    private static void closeIfOpen(DeviceDriver.Mark mark) {
        if (mark != null) {
            mark.close();
        }
    }

    private void freeIfHeld(ByteBuffer host) {
        if (host != null) {
            driver.freeHost(host);
        }
    }

    /** Page-locked memory through which host and device communicate about a launch in flight. */
    static final class InFlight {
        private ByteBuffer report;
        private long reportAddress;
        private ByteBuffer given;
        private long givenAddress;
        private DeviceDriver.Mark begin;
        private DeviceDriver.Mark end;

        private void open(DeviceDriver driver) {
            report = driver.allocateHost(CONTROL_BYTES);
            reportAddress = driver.deviceAddress(report);
            given = driver.allocateHost(MOST_GIVEN * Integer.BYTES);
            givenAddress = driver.deviceAddress(given);
            begin = driver.createMark();
            end = driver.createMark();
        }

        /** The kernel's final control block: {@code CONTROL_BYTES} of page-locked memory. */
        ByteBuffer report() {
            return report;
        }

        long reportAddress() {
            return reportAddress;
        }

        /** Stores integers for the device, at most {@link #MOST_GIVEN}. */
        void give(int[] numbers) {
            given.asIntBuffer().put(0, numbers);
        }

        long givenAddress() {
            return givenAddress;
        }

        /** Recorded before the kernel. */
        DeviceDriver.Mark begin() {
            return begin;
        }

        /** Recorded after the kernel. */
        DeviceDriver.Mark end() {
            return end;
        }
    }
}
