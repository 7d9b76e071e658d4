// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.concurrent;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Keeps the tasks of work, and how far each has advanced. Thread-safe. */
public final class RecordingProgress implements Progress {

    /** A task that was begun. */
    public record Begun(Task task, long volume, AtomicLong done) {}

    private final List<Begun> tasks = new ArrayList<>();

    @Override
    public synchronized void beginTask(Task task, long volume) {
        tasks.add(new Begun(task, volume, new AtomicLong()));
    }

    @Override
    public synchronized void advance(long volume) {
        tasks.get(tasks.size() - 1).done.addAndGet(volume);
    }

    /** The tasks so far, in the order in which they were begun. */
    public synchronized List<Begun> tasks() {
        return List.copyOf(tasks);
    }
}
