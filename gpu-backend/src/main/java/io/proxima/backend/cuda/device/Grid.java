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

import io.proxima.backend.bvss.BvssLayout;

/**
 * How the threads of a kernel are laid out, as far as the kernel decides it. How many blocks there are follows from the
 * device.
 *
 * @param threads of a block, as the kernel was compiled for: a multiple of 32
 * @param sharedBytes of a block beside what the kernel declares: dynamic shared memory
 * @param mostBlocks blocks a multiprocessor at most; {@link #WHOLE_DEVICE}: as many as there is room for
 * @param usefulThreads threads that have something to do; there are no blocks beyond them, but one at least
 * @param cooperative whether the blocks wait for each other, so that all of them must be resident at once
 */
public record Grid(int threads, int sharedBytes, int mostBlocks, long usefulThreads, boolean cooperative) {

    /** As many blocks a multiprocessor as there is room for. */
    public static final int WHOLE_DEVICE = 0;

    public Grid {
        if (threads < BvssLayout.WARP_SIZE || threads % BvssLayout.WARP_SIZE != 0) {
            throw new IllegalArgumentException("threads must be a multiple of 32: " + threads);
        }
    }

    /** Blocks that wait for each other, as many as there is room for and work. */
    public static Grid cooperative(int threads, long usefulThreads) {
        return new Grid(threads, 0, WHOLE_DEVICE, usefulThreads, true);
    }

    /** The same with at most so many blocks a multiprocessor. */
    public Grid withMostBlocks(int count) {
        return new Grid(threads, sharedBytes, count, usefulThreads, cooperative);
    }

    /** The same with so much dynamic shared memory. */
    public Grid withSharedBytes(int bytes) {
        return new Grid(threads, bytes, mostBlocks, usefulThreads, cooperative);
    }

    /** The same with blocks that do not wait for each other. */
    public Grid independent() {
        return new Grid(threads, sharedBytes, mostBlocks, usefulThreads, false);
    }

    /** The number of blocks on a device with room for so many a multiprocessor. */
    public int blocks(int resident, int multiprocessors) {
        long room = (long) (mostBlocks == WHOLE_DEVICE ? resident : Math.min(mostBlocks, resident)) * multiprocessors;
        return (int) Math.min(Math.max(1, (usefulThreads + threads - 1) / threads), room);
    }
}
