/*
 * Copyright 2026 The Proxima authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.proxima.backend.cuda.device;

import io.proxima.backend.DeviceFailureException;
import io.proxima.backend.cuda.driver.DeviceDriver;
import io.proxima.backend.cuda.driver.Driver.DeviceFacts;
import io.proxima.backend.cuda.driver.DriverException;
import io.proxima.backend.cuda.driver.KernelImages;
import io.proxima.concurrent.Stop;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A device in use: its context, memory, code and the page-locked buffers that copies go through. Work on it is done in
 * {@link DeviceLease leases}. Thread-safe.
 *
 * <p>An error of the driver other than short memory stays with the context. Such a device is lost: every run that takes a lease
 * on it fails, and nothing calls the driver any more but {@link #giveUp}. The backend opens another one in its place.
 *
 * <p>The life of a context is here from its opening to its loss, with all that must be given back then: hence the length.
 */
public final class CudaDevice implements AutoCloseable {

    /** Launches that the host may have begun and not waited for: one that runs and one that the device goes on with. */
    static final int MOST_IN_FLIGHT = 2;

    /** Numbers that a launch may be given in page-locked memory; reading more of them across the bus would take longer than a copy. */
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

    // used by whoever has the lease
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
    private volatile Tuning tuning;
    private volatile String lost = "";

    /**
     * Takes hold of a device.
     *
     * @throws DriverException if the driver refuses; nothing stays allocated then
     */
    public CudaDevice(
            String name,
            DeviceFacts facts,
            String driverVersion,
            DeviceDriver driver,
            KernelImages images,
            LaunchPolicy policy,
            Tuning tuning) {
        this.name = name;
        this.facts = facts;
        this.driverVersion = driverVersion;
        this.policy = policy;
        this.tuning = tuning;
        this.images = images;
        this.driver = driver;
        this.memory =
                new DeviceMemory(name, driver, policy.budget(facts.totalBytes()), this::failed, this::reclaimIfIdle);
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
            if (e instanceof DriverException failure && !failure.isOutOfMemory()) {
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

    /** The numbers of kernels that are best here, as far as is known. */
    public Tuning tuning() {
        return tuning;
    }

    /** Takes other numbers from the next lease on. */
    public void retune(Tuning better) {
        tuning = better;
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

    /** Why the device cannot be used any more; empty while it can. */
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
        return lease(stop, LeaseQueue.RunLength.SHORT, tuning);
    }

    /** The same for a run of this length. */
    public DeviceLease lease(Stop stop, LeaseQueue.RunLength length) {
        return lease(stop, length, tuning);
    }

    /** The same, with other numbers for the kernels that are launched in the lease. */
    public DeviceLease lease(Stop stop, Tuning numbers) {
        return lease(stop, LeaseQueue.RunLength.SHORT, numbers);
    }

    private DeviceLease lease(Stop stop, LeaseQueue.RunLength length, Tuning numbers) {
        return new DeviceLease(this, driver, beginLease(stop, length), stop, numbers);
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
            driver.enter();
            holder = Thread.currentThread();
            return ticket;
        } catch (RuntimeException | Error e) {
            if (ticket != null) {
                leases.leave(ticket);
            }
            // whoever gave memory back meanwhile has left it to this caller
            reclaimIfIdle();
            throw e;
        }
    }

    /** Ends a lease in which everything begun is done, or whose device is lost. */
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
                reclaimIfIdle();
            }
        }
    }

    /**
     * Ends a lease in which everything begun is done and waits for the next, as a long run. The workspace keeps its content.
     *
     * @return the ticket of the next lease
     * @throws io.proxima.concurrent.StoppedException if the stop was requested meanwhile; the lease has ended
     * @throws DeviceFailureException if the device has failed meanwhile; the lease has ended
     */
    Object passLease(Object ticket, Stop stop) {
        DeviceArray suspended = workspace.suspend();
        pauses.incrementAndGet();
        boolean begun = false;
        try {
            endLease(ticket);
            Object next = beginLease(stop, LeaseQueue.RunLength.LONG);
            begun = true;
            workspace.resume(suspended);
            return next;
        } finally {
            if (!begun && suspended != null) {
                suspended.close();
            }
        }
    }

    /**
     * Reclaims memory that was given back while nobody has a lease. Who gives back and finds the device busy leaves it to the
     * holder of the lease; who ends a lease looks once more after it, so nothing is left.
     */
    private void reclaimIfIdle() {
        while (lost.isEmpty() && memory.hasReturned()) {
            Object ticket = leases.tryEnter();
            if (ticket == null) {
                return;
            }
            try {
                memory.reclaim();
            } catch (DeviceFailureException e) {
                // the device is lost now, and its memory with it
                return;
            } finally {
                leases.leave(ticket);
            }
        }
    }

    /**
     * Ends the use of the device: a driver's error other than short memory stays with the context.
     *
     * @return what the run that met the error throws: the first error on this device, and what to do about it
     */
    public DeviceFailureException failed(DriverException cause) {
        synchronized (memory) {
            if (lost.isEmpty()) {
                lost = "Device " + name + " has failed: " + cause.getMessage();
                memory.abandon(lost + REMEDY);
            }
            return new DeviceFailureException(lost + REMEDY, cause);
        }
    }

    /**
     * Gives up the context of a lost device, which frees all that was allocated in it.
     *
     * @return false if a run has not left the device yet; it does so soon
     */
    public boolean giveUp() {
        Object ticket = leases.tryEnter();
        if (ticket == null) {
            return false;
        }
        try {
            if (!givenUp) {
                givenUp = true;
                driver.close();
            }
        } catch (DriverException e) {
            // whether the driver lets the device be used again shows when it is opened
        } finally {
            leases.leave(ticket);
        }
        return true;
    }

    /** How many leases were given away to others so far, by runs that went on later. */
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

    /** The place of a launch in flight, of {@link #MOST_IN_FLIGHT}. */
    InFlight inFlight(int which) {
        return inFlight[which];
    }

    /** For waiting until all that was begun is done. */
    DeviceDriver.Mark doneMark() {
        return doneMark;
    }

    public ByteBuffer stopFlag() {
        return stopFlag;
    }

    /** Tells the kernels that run, and those that were begun after them, to end. */
    void stopKernels() {
        stopFlag.putInt(STOP_FLAG_OFFSET, 1);
    }

    /** Tells the kernel that runs to leave its run to a later launch. */
    void pauseKernel() {
        stopFlag.putInt(PAUSE_FLAG_OFFSET, 1);
    }

    /** Tells kernels begun from now on neither. */
    void letKernelsRun() {
        stopFlag.putInt(STOP_FLAG_OFFSET, 0);
        stopFlag.putInt(PAUSE_FLAG_OFFSET, 0);
    }

    public long stopFlagAddress() {
        return stopFlagAddress;
    }

    /** A kernel; its code is loaded at the first call. Only for whoever has the lease. */
    DeviceDriver.Function function(String module, String entry) {
        DeviceDriver.Function known = functions.get(entry);
        if (known != null) {
            return known;
        }
        DeviceDriver.Module loaded = modules.get(module);
        if (loaded == null) {
            loaded = driver.load(images.image(module, facts));
            modules.put(module, loaded);
        }
        DeviceDriver.Function function = loaded.function(entry);
        functions.put(entry, function);
        return function;
    }

    /** Frees all; the caller sees to it that nothing runs. */
    @Override
    public void close() {
        if (!lost.isEmpty()) {
            giveUp();
            return;
        }
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
            driver.close();
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

    /** Where the device tells of a launch that the host has not waited for. */
    static final class InFlight {
        private ByteBuffer report;
        private long reportAddress;
        private ByteBuffer given;
        private long givenAddress;
        private DeviceDriver.Mark begin;
        private DeviceDriver.Mark end;

        private void open(DeviceDriver driver) {
            report = driver.allocateHost(ArrayLayout.CONTROL_BYTES);
            reportAddress = driver.deviceAddress(report);
            given = driver.allocateHost(MOST_GIVEN * Integer.BYTES);
            givenAddress = driver.deviceAddress(given);
            begin = driver.createMark();
            end = driver.createMark();
        }

        /** What the kernel left in its control block: {@code CONTROL_BYTES} of page-locked memory. */
        ByteBuffer report() {
            return report;
        }

        long reportAddress() {
            return reportAddress;
        }

        /** Puts numbers where the device finds them, {@link #MOST_GIVEN} at most. */
        void give(int[] numbers) {
            given.asIntBuffer().put(0, numbers);
        }

        long givenAddress() {
            return givenAddress;
        }

        /** Before the kernel. */
        DeviceDriver.Mark begin() {
            return begin;
        }

        /** Behind the kernel. */
        DeviceDriver.Mark end() {
            return end;
        }
    }
}
