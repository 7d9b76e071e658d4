// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device;

/**
 * The block of device memory by which a kernel and the host control a launch: the kernel counts in it, the host reads a
 * copy of its last state. It is zero before a launch, and each launch leaves it zero unless it has paused. Every
 * backend's kernels have these offsets, in bytes.
 */
public final class ControlBlock {

    public static final int BYTES = 256;

    /** An int: the deepest level with a new vertex. The kernels of the family directional may report one more. */
    public static final int LEVEL_OFFSET = 16;

    /** An int, not 0 if the launch was stopped. */
    public static final int STOPPED_OFFSET = 20;

    /** An int: {@link #LEVELS_TOO_NARROW} and {@link #COUNTS_TOO_SHALLOW}. */
    public static final int OVERFLOW_OFFSET = 24;

    /** An int that the host sets, to any number but 0, for a launch that resumes a paused one. */
    public static final int RESUMES_OFFSET = 28;

    /** A long: the kernel's own count of its work. */
    public static final int WORK_OFFSET = 32;

    /** The first of the ints that the host clears before it resumes a launch; {@link #PAUSED_OFFSET} is the last. */
    public static final int FIRST_FLAG_OFFSET = 96;

    /** An int, not 0 if the launch has paused and has to be resumed. */
    public static final int PAUSED_OFFSET = 108;

    /** A bit: a level did not fit the width of the distances. */
    public static final int LEVELS_TOO_NARROW = 1;

    /** A bit: there were more levels than counters. */
    public static final int COUNTS_TOO_SHALLOW = 2;

    private ControlBlock() {}
}
