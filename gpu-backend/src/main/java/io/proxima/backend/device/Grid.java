// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device;

/**
 * The launch configuration that a kernel requires. The threads of a block follow from the kernel, the number of blocks
 * from the device.
 *
 * @param sharedBytes dynamic shared memory of a block, in bytes
 * @param mostBlocks maximum number of blocks of a multiprocessor; {@link #WHOLE_DEVICE}: as many as it can hold
 * @param usefulThreads number of threads that have work; bounds the number of blocks, which is at least 1
 * @param cooperative whether the blocks synchronize with each other, which requires all of them to be resident at once
 * @param steps 0, or the steps of a launch whose blocks cannot synchronize; see {@link DeviceDriver#launchSteps}
 */
public record Grid(int sharedBytes, int mostBlocks, long usefulThreads, boolean cooperative, int steps) {

    /** As many blocks on each multiprocessor as it can hold. */
    public static final int WHOLE_DEVICE = 0;

    private static final int MOST_STEPS = 256;

    /** Of a launch in steps: a driver may give up a kernel that keeps a display waiting for two seconds. */
    private static final float MOST_MILLIS = 100;

    /** Cooperative blocks, as many as the device can hold and the work needs. */
    public static Grid cooperative(long usefulThreads) {
        return new Grid(0, WHOLE_DEVICE, usefulThreads, true, 0);
    }

    /** Blocks that take these steps one after the other, as many as the device can hold and the work needs. */
    public static Grid inSteps(long usefulThreads, int steps) {
        return new Grid(0, WHOLE_DEVICE, usefulThreads, false, steps);
    }

    /**
     * A copy with up to twice the steps, as many as take {@link #MOST_MILLIS}, given the time that these steps have
     * taken.
     */
    Grid afterSteps(float millis) {
        if (steps == 0) {
            return this;
        }
        float fitting = Math.min(Math.min(MOST_STEPS, 2 * steps), steps * MOST_MILLIS / millis);
        return new Grid(sharedBytes, mostBlocks, usefulThreads, cooperative, Math.max(1, (int) fitting));
    }

    /** A copy with at most so many blocks on each multiprocessor. */
    public Grid withMostBlocks(int count) {
        return new Grid(sharedBytes, count, usefulThreads, cooperative, steps);
    }

    /** A copy with so much dynamic shared memory. */
    public Grid withSharedBytes(int bytes) {
        return new Grid(bytes, mostBlocks, usefulThreads, cooperative, steps);
    }

    /** A copy whose blocks do not synchronize with each other. */
    public Grid independent() {
        return new Grid(sharedBytes, mostBlocks, usefulThreads, false, steps);
    }

    /** The number of blocks of so many threads, given how many one multiprocessor can hold. */
    int blocks(int threads, int resident, int multiprocessors) {
        long room = (long) (mostBlocks == WHOLE_DEVICE ? resident : Math.min(mostBlocks, resident)) * multiprocessors;
        return (int) Math.min(Math.max(1, (usefulThreads + threads - 1) / threads), room);
    }
}
