// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.concurrent;

/**
 * Receives the progress of a piece of work. A run is a sequence of tasks. Each task begins with its volume and advances
 * up to it.
 *
 * <p>Implementations are thread-safe: workers call {@link #advance} at any time.
 */
public interface Progress {

    /** Ignores all progress. */
    Progress NONE = new Progress() {
        @Override
        public void beginTask(Task task, long volume) {}

        @Override
        public void advance(long volume) {}
    };

    /**
     * Ends the previous task, if any, and begins the next one.
     *
     * @param task the kind of work
     * @param volume the sum of the units that {@link #advance} will report; may be an estimate, 0 means unknown
     */
    void beginTask(Task task, long volume);

    /** Adds completed units to the current task. */
    void advance(long volume);
}
