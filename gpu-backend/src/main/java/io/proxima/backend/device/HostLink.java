// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device;

import java.nio.ByteBuffer;

/**
 * The page-locked memory and the marks through which host and device communicate: the buffers of copies, the places of launches in
 * flight, and the flags that stop and pause kernels. For the holder of the lease.
 */
final class HostLink implements AutoCloseable {

    /** Maximum number of launches in flight: one that runs and one that is queued behind it. */
    static final int MOST_IN_FLIGHT = 2;

    /** Maximum number of integers that a launch reads from page-locked memory; a copy of more is faster than reads over the bus. */
    static final int MOST_GIVEN = 64;

    private static final int FLAG_BYTES = 64;

    // of the flags that kernels read
    private static final int STOP_FLAG_OFFSET = 0;
    private static final int PAUSE_FLAG_OFFSET = 4;

    private final DeviceDriver driver;
    private final ByteBuffer[] staging = new ByteBuffer[2];
    private final long[] stagingAddresses = new long[2];
    private final DeviceDriver.Mark[] stagingMarks = new DeviceDriver.Mark[2];
    private final InFlight[] inFlight = new InFlight[MOST_IN_FLIGHT];
    private DeviceDriver.Mark doneMark;
    private ByteBuffer stopFlag;
    private long stopFlagAddress;

    /** A link without memory. */
    HostLink(DeviceDriver driver) {
        this.driver = driver;
    }

    /** Allocates everything. What was allocated before a failure is freed by {@link #close}. */
    void open(int stagingBytes) {
        for (int i = 0; i < 2; i++) {
            staging[i] = driver.allocateHost(stagingBytes);
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
            report = driver.allocateHost(ControlBlock.BYTES);
            reportAddress = driver.deviceAddress(report);
            given = driver.allocateHost(MOST_GIVEN * Integer.BYTES);
            givenAddress = driver.deviceAddress(given);
            begin = driver.createMark();
            end = driver.createMark();
        }

        /** The kernel's final control block: {@code ControlBlock.BYTES} of page-locked memory. */
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
