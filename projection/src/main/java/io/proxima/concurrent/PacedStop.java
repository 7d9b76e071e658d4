// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.concurrent;

/**
 * Checks a {@link Stop} once every fixed number of steps of work. A loop reports the steps of each round. The checks
 * therefore come every few milliseconds, even if one round costs a million times as much as another, as with the
 * degrees of a graph. Used by one thread.
 */
public final class PacedStop {

    /** Steps between two checks. A step is one memory access that may miss the caches: at most 0.1 microseconds. */
    private static final long STEPS = 1 << 15;

    private final Stop stop;
    private long left = STEPS;

    /** Paces the checks of a stop. The first check comes after the first {@value #STEPS} steps. */
    public PacedStop(Stop stop) {
        this.stop = stop;
    }

    /**
     * Reports work, and checks the stop if enough work was done since the last check.
     *
     * @param steps about how many steps the work took, or will take at most; at least 0
     * @throws StoppedException if the stop was requested
     */
    public void worked(long steps) {
        left -= steps;
        if (left < 0) {
            left = STEPS;
            stop.check();
        }
    }
}
