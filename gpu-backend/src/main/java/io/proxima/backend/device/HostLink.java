// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device;

import io.proxima.concurrent.Closing;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;

/**
 * The page-locked memory and the marks through which host and device communicate: the buffers of copies, the places of
 * launches in flight, and the flags that stop and pause kernels. For the holder of the lease.
 */
final class HostLink implements AutoCloseable {

    /** Maximum number of launches in flight: one that runs and one that is queued behind it. */
    static final int MOST_IN_FLIGHT = 2;

    /**
     * Maximum number of integers that a launch reads from page-locked memory; a copy of more is faster than reads over
     * the bus.
     */
    static final int MOST_GIVEN = 64;

    private static final int FLAG_BYTES = 64;

    // of the flags that kernels read
    private static final int STOP_FLAG_OFFSET = 0;
    private static final int PAUSE_FLAG_OFFSET = 4;

    private final DeviceDriver driver;
    private final List<ByteBuffer> buffers = new ArrayList<>();
    private final List<DeviceDriver.Mark> marks = new ArrayList<>();
    private final Staging[] staging = new Staging[2];
    private final InFlight[] inFlight = new InFlight[MOST_IN_FLIGHT];
    private DeviceDriver.Mark doneMark;
    // a third buffer, which a run has taken away while the semaphore has no permit
    private Staging spare;
    private final Semaphore spareIsHere = new Semaphore(1);
    private ByteBuffer stopFlag;
    private long stopFlagAddress;

    /**
     * A page-locked buffer that copies go through.
     *
     * @param address of the buffer on the device
     * @param levelCounts room for the number of vertices of each level that fits a byte
     * @param mark recorded after a copy
     */
    record Staging(ByteBuffer buffer, long address, ByteBuffer levelCounts, DeviceDriver.Mark mark) {}

    /**
     * Page-locked memory and marks of a launch in flight.
     *
     * @param report the kernel's final control block
     * @param reportAddress of the report on the device
     * @param given integers for the device, at most {@link #MOST_GIVEN}
     * @param givenAddress of these integers on the device
     * @param begin recorded before the kernel
     * @param end recorded after the kernel
     */
    record InFlight(
            ByteBuffer report,
            long reportAddress,
            ByteBuffer given,
            long givenAddress,
            DeviceDriver.Mark begin,
            DeviceDriver.Mark end) {

        /** Stores integers for the device. */
        void give(int[] numbers) {
            given.asIntBuffer().put(0, numbers);
        }
    }

    /** A link without memory. */
    HostLink(DeviceDriver driver) {
        this.driver = driver;
    }

    /** Allocates everything. What was allocated before a failure is freed by {@link #close}. */
    void open(int stagingBytes) {
        staging[0] = allocateStaging(stagingBytes);
        staging[1] = allocateStaging(stagingBytes);
        spare = allocateStaging(stagingBytes);
        for (int i = 0; i < MOST_IN_FLIGHT; i++) {
            ByteBuffer report = allocate(ControlBlock.BYTES);
            ByteBuffer given = allocate(MOST_GIVEN * Integer.BYTES);
            inFlight[i] = new InFlight(
                    report,
                    driver.deviceAddress(report),
                    given,
                    driver.deviceAddress(given),
                    createMark(),
                    createMark());
        }
        doneMark = createMark();
        stopFlag = allocate(FLAG_BYTES);
        stopFlagAddress = driver.deviceAddress(stopFlag);
    }

    private Staging allocateStaging(int bytes) {
        ByteBuffer buffer = allocate(bytes);
        ByteBuffer levelCounts = allocate(DeviceLease.LEVELS_OF_A_BYTE * Integer.BYTES);
        return new Staging(buffer, driver.deviceAddress(buffer), levelCounts, createMark());
    }

    private ByteBuffer allocate(int bytes) {
        ByteBuffer host = driver.allocateHost(bytes);
        buffers.add(host);
        return host;
    }

    private DeviceDriver.Mark createMark() {
        DeviceDriver.Mark mark = driver.createMark();
        marks.add(mark);
        return mark;
    }

    /** One of the two buffers of the lease. */
    Staging staging(int which) {
        return staging[which];
    }

    /**
     * Takes a buffer away from the lease, for a run that reads it after its lease and then returns it by
     * {@link #giveBack}. The spare buffer takes its place.
     *
     * @return false if another run has the spare one; then nothing has changed
     */
    boolean takeAway(int which) {
        if (!spareIsHere.tryAcquire()) {
            return false;
        }
        staging[which] = spare;
        return true;
    }

    /** Returns a buffer. By any thread. */
    void giveBack(Staging taken) {
        spare = taken;
        spareIsHere.release();
    }

    /** Whether a run reads a buffer after its lease. By any thread. */
    boolean isReadAfterLease() {
        return spareIsHere.availablePermits() == 0;
    }

    /** The state of a launch in flight; there are {@link #MOST_IN_FLIGHT}. */
    InFlight inFlight(int which) {
        return inFlight[which];
    }

    /** The mark that shows the end of all submitted work. */
    DeviceDriver.Mark doneMark() {
        return doneMark;
    }

    ByteBuffer stopFlag() {
        return stopFlag;
    }

    long stopFlagAddress() {
        return stopFlagAddress;
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

    @Override
    public void close() {
        // a run may still read a buffer after its lease, for as long as a copy of its size takes
        spareIsHere.acquireUninterruptibly();
        try {
            Closing.all(marks.iterator(), DeviceDriver.Mark::close);
        } finally {
            Closing.all(buffers.iterator(), driver::freeHost);
        }
    }
}
