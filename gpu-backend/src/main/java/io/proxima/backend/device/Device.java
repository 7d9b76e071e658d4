// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device;

import io.proxima.backend.DeviceFailureException;
import io.proxima.concurrent.Closing;
import io.proxima.concurrent.Stop;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A device in use: its context, memory, code and the page-locked buffers that copies go through. Work on it is done in
 * {@link DeviceLease leases}. Thread-safe.
 *
 * <p>Each server of this process opens a device for itself, with a share of its memory. They queue for one lease, and
 * whoever has it reclaims the memory of all, because the driver waits for the kernels of all before it frees memory.
 *
 * <p>After a {@link DriverException#isSticky sticky} error of the driver, the device is lost. Every run that takes a
 * lease on it fails, and only {@link #giveUp} still calls the driver. The backend opens another context in its place.
 * Any other error fails only the run that met it.
 */
public final class Device implements AutoCloseable {

    private final String name;
    private final DeviceFacts facts;
    private final String driverVersion;
    private final LaunchPolicy policy;
    private final DeviceDriver driver;
    private final DeviceMemory memory;
    private final LeaseQueue leases;
    private final Workspace workspace;

    // used by the holder of the lease
    private final HostLink link;
    private final Map<String, DeviceDriver.Module> modules = new HashMap<>();
    private final Map<String, DeviceDriver.Function> functions = new HashMap<>();

    // guarded by the lease
    private boolean givenUp;

    private final AtomicLong pauses = new AtomicLong();
    private volatile Thread holder;
    private volatile String lost = "";

    /**
     * Opens a device.
     *
     * @param mapped the budget of mapped memory, which other devices use too
     * @param leases the queue for the device, which other servers use too
     * @throws DriverException if the driver refuses; nothing remains allocated
     */
    public Device(
            String name,
            DeviceFacts facts,
            String driverVersion,
            DeviceDriver driver,
            LaunchPolicy policy,
            MappedBudget mapped,
            LeaseQueue leases) {
        this.name = name;
        this.facts = facts;
        this.driverVersion = driverVersion;
        this.policy = policy;
        this.driver = driver;
        this.leases = leases;
        this.memory =
                new DeviceMemory(name, driver, policy.budget(facts.totalBytes()), mapped, this::failed, this::reclaim);
        this.workspace = new Workspace(memory);
        this.link = new HostLink(driver);
        leases.openings.add(this);
        try {
            driver.enter();
            try {
                link.open(policy.stagingBytes());
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

    /** Maximum number of resident blocks of any kernel. */
    public int mostBlocks() {
        return policy.mostBlocks(facts.multiprocessors());
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
                throw new DeviceFailureException(lost + remedy());
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
            leaveLease();
        } finally {
            endLeftLease(ticket);
        }
    }

    /**
     * Leaves a lease, which this thread or another one ends by {@link #endLeftLease}. An error of the driver may lose
     * the device, but fails no run: its work is done, or it was stopped.
     */
    void leaveLease() {
        holder = null;
        try {
            driver.leave();
        } catch (DriverException e) {
            var unused = failed(e);
        }
    }

    /** Ends a lease that its thread has left. */
    void endLeftLease(Object ticket) {
        try {
            workspace.release();
            leases.openings.forEach(Device::reclaimAsHolder);
        } catch (DeviceFailureException e) {
            // the device is lost now, and its memory with it
        } finally {
            leases.leave(ticket);
            reclaim();
        }
    }

    /**
     * Ends a lease whose work is done, and waits for the next one as a long run. The workspace keeps its content.
     *
     * @param suspended what {@link Workspace#suspend} returned
     * @return the ticket of the next lease
     * @throws io.proxima.concurrent.StoppedException if the stop was requested meanwhile; the lease has ended
     * @throws DeviceFailureException if the device has failed meanwhile; the lease has ended
     */
    Object passLease(Object ticket, Workspace.Suspended suspended, Stop stop) {
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
                workspace.free(suspended);
                if (next != null) {
                    endLease(next);
                }
            }
        }
    }

    /**
     * Whether a run of many parts should end its lease and take another: because other runs wait, or because freed
     * memory is reclaimed only between leases.
     */
    public boolean isWanted() {
        return leases.isWanted() || leases.openings.stream().anyMatch(device -> device.memory.hasReturned());
    }

    /**
     * Reclaims freed memory if nobody has a lease, and releases the context of a lost device, for all servers. A thread
     * that frees memory of a busy device leaves that to the holder of the lease. A thread that ends a lease checks once
     * more afterwards, so nothing is left. To be called outside of monitors, because the driver may take seconds.
     */
    public void reclaim() {
        leases.openings.forEach(Device::reclaimOwn);
    }

    private void reclaimOwn() {
        boolean freed = true;
        while (freed && lost.isEmpty() && memory.hasReturned()) {
            Object ticket = leases.tryEnter();
            if (ticket == null) {
                return;
            }
            try {
                freed = reclaimAsHolder();
            } finally {
                leases.leave(ticket);
            }
        }
        if (!lost.isEmpty()) {
            giveUp();
        }
    }

    /** Reclaims the memory of this device, perhaps for a server other than the one that has the lease. */
    private boolean reclaimAsHolder() {
        try {
            return memory.reclaim();
        } catch (DeviceFailureException e) {
            // the device is lost now, and its memory with it
            return false;
        }
    }

    /**
     * Marks the device as lost if an error of the driver is sticky.
     *
     * @return the exception for the run that met the error, with the remedy. Names the first error if the device is
     *     lost
     */
    public DeviceFailureException failed(DriverException cause) {
        return cause.isSticky()
                ? lose(cause)
                : new DeviceFailureException(
                        "A call failed on device " + name + ": " + cause.getMessage()
                                + " The graphs on the device remain usable. Repeat the call, or use backend: 'cpu'.",
                        cause);
    }

    private String remedy() {
        return " The next call tries to open the device again."
                + driver.remedies().afterFault() + " Or use backend: 'cpu'.";
    }

    /** Marks the device as lost. */
    DeviceFailureException lose(RuntimeException cause) {
        synchronized (memory) {
            lose("Device " + name + " has failed: " + cause.getMessage());
            return new DeviceFailureException(lost + remedy(), cause);
        }
    }

    private void lose(String reason) {
        synchronized (memory) {
            if (lost.isEmpty()) {
                lost = reason;
                memory.abandon(lost + remedy());
            }
        }
    }

    /**
     * Releases the context of a lost device, and with it all its allocations; the end of the last run does so, too. The
     * device is lost for all servers of this process: a driver opens a new context only when all have released theirs.
     *
     * @return false if a run has not left the device yet
     */
    public boolean giveUp() {
        Object ticket = leases.tryEnter();
        if (ticket == null) {
            return false;
        }
        try {
            if (givenUp) {
                return true;
            }
            if (leases.openings.stream().anyMatch(device -> device.link.isReadAfterLease())) {
                return false;
            }
            leases.openings.forEach(device -> device.lose(lost));
            Closing.all(leases.openings.iterator(), Device::closeContext);
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
            leases.openings.remove(this);
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

    /** The page-locked memory and the marks of the holder of the lease. */
    HostLink link() {
        return link;
    }

    public ByteBuffer stopFlag() {
        return link.stopFlag();
    }

    /** Device address of the flags by which the host stops and pauses kernels; see {@link HostLink}. */
    long stopFlagAddress() {
        return link.stopFlagAddress();
    }

    public DeviceDriver.Remedies remedies() {
        return driver.remedies();
    }

    /** The argument of a kernel, with no field set. */
    public KernelArguments arguments(String entry) {
        return driver.kernels().arguments(entry);
    }

    /** A kernel; loads its module at the first call. Only for the holder of the lease. */
    DeviceDriver.Function function(KernelInterface.Entry entry) {
        return functions.computeIfAbsent(entry.name(), name -> modules.computeIfAbsent(entry.module(), driver::load)
                .function(name));
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
        try {
            freeAll();
        } finally {
            try {
                closeContext();
            } finally {
                leases.leave(ticket);
            }
        }
    }

    /** Frees what can be freed: other servers may keep the context, and with it whatever is left. */
    private void freeAll() {
        driver.enter();
        try {
            // what the driver fails to free stays marked, and is tried once more
            List<Runnable> steps =
                    List.of(workspace::close, memory::reclaim, this::unload, link::close, memory::reclaim);
            Closing.all(steps.iterator(), Runnable::run);
        } finally {
            driver.leave();
        }
    }

    private void unload() {
        Closing.all(modules.values().iterator(), DeviceDriver.Module::close);
    }
}
