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
