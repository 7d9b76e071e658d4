// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.TraversalBackend.Operation;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Keeps the tasks of a run, and how far each has advanced. */
public final class RecordingProgress implements Progress {

    private record Begun(Task task, long volume, AtomicLong done) {}

    private final List<Begun> tasks = new ArrayList<>();

    private RecordingProgress() {}

    @Override
    public synchronized void beginTask(Task task, long volume) {
        tasks.add(new Begun(task, volume, new AtomicLong()));
    }

    @Override
    public synchronized void advance(long volume) {
        tasks.get(tasks.size() - 1).done.addAndGet(volume);
    }

    /**
     * Fails unless the last tasks of a run are those that are expected of it, and each has advanced by its volume.
     *
     * @param volume of the run's own tasks; null if it differs
     */
    public static void check(Operation run, Long volume, Consumer<RunControl> call) {
        RecordingProgress progress = new RecordingProgress();
        call.accept(new RunControl(2, Stop.NEVER, progress));
        List<Task> expected = run.tasks();
        List<Task> own = progress.tasks.stream()
                .map(Begun::task)
                .filter(task -> expected.stream().anyMatch(task::isSameKind))
                .toList();
        assertThat(own.get(own.size() - 1)).isEqualTo(expected.get(expected.size() - 1));
        for (Begun begun : progress.tasks) {
            // where nobody knows the volume it is 0
            if (begun.volume > 0) {
                assertThat(begun.done).as("progress of %s", begun.task).hasValue(begun.volume);
            }
            if (volume != null && expected.contains(begun.task)) {
                assertThat(begun.volume).as("volume of %s", begun.task).isEqualTo(volume);
            }
        }
        List<Task> always = expected.stream()
                .filter(task -> !task.isSameKind(BackendTask.ORDER_VERTICES))
                .toList();
        assertThat(own).containsSequence(always);
    }
}
