// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.job;

import java.time.Duration;
import java.time.Instant;

/** A job or one of its tasks, with its state. Thread-safe. */
public abstract class Stage {

    private volatile State state = State.PENDING;
    private volatile Instant started;
    private volatile Instant ended;

    Stage() {}

    /** The state of a job or a task, in GDS's terms. */
    public enum State {
        /** It has not started. */
        PENDING("Pending"),
        /** It is running. */
        RUNNING("Start"),
        /** It has completed. */
        FINISHED("Finished"),
        /** It ended in an error. */
        FAILED("Failed"),
        /** Its query was killed, or its reader requested no more rows. */
        CANCELED("Canceled");

        final String logged;

        State(String logged) {
            this.logged = logged;
        }
    }

    /** The name of the job or of the task. */
    public abstract String name();

    /** The completed fraction, -1 if unknown. */
    public abstract double fraction();

    final void begin() {
        started = Instant.now();
        state = State.RUNNING;
    }

    final void end(State how) {
        ended = Instant.now();
        state = how;
    }

    /** The state. */
    public final State state() {
        return state;
    }

    /** The start time, null if it has not started. */
    public final Instant started() {
        return started;
    }

    /** The elapsed time, null if it has not started. */
    public final Duration elapsed() {
        return started == null ? null : Duration.between(started, ended == null ? Instant.now() : ended);
    }
}
