// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.call;

import io.proxima.backend.Operation;
import io.proxima.concurrent.Task;
import io.proxima.plugin.ProximaException;
import io.proxima.plugin.write.WrittenValues;
import java.util.List;
import java.util.stream.Stream;

/**
 * An algorithm with the keys of one call. Implementations are records that are read from {@link CallKeys}; {@link Call}
 * makes of the result what the mode asks for.
 *
 * @param <T> the row of the mode stream
 */
public interface Algorithm<T> {

    /**
     * What is known of a run before its graph.
     *
     * @param task the name of the run in lists and logs
     * @param operation the kind of run on a graph
     * @param values what is known of the values of the properties
     * @param tasks the tasks of the computation on one graph, in order
     */
    record Traits(String task, Operation operation, WrittenValues values, List<Task> tasks) {

        /** A run that does the tasks of its operation. */
        public Traits(String task, Operation operation, WrittenValues values) {
            this(task, operation, values, operation.tasks());
        }

        /** These traits, with a task at the end. */
        public Traits and(Task last) {
            return new Traits(
                    task,
                    operation,
                    values,
                    Stream.concat(tasks.stream(), Stream.of(last)).toList());
        }
    }

    /** What is known of the run before its graph. */
    Traits traits();

    /**
     * Plans the run.
     *
     * @throws ProximaException if the graph lacks a property that the keys name
     */
    CallPlan plan(CallSize size);

    /**
     * Runs.
     *
     * @param plan the plan for the run's graph
     */
    RunResult<T> run(GraphRun run, CallPlan plan);

    /** Whether only the CPU runs it. */
    default boolean onCpuOnly() {
        return false;
    }

    /** The vertices that get a result, ascending, vertex id space of the run; null for all. */
    default int[] resultVertices(GraphRun run) {
        return null;
    }

    /** The name of the second property that the modes mutate and write set, to ids of nodes; empty for none. */
    default String secondProperty() {
        return "";
    }
}
