// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.procedures;

import io.proxima.backend.BackendTask;
import io.proxima.backend.TraversalBackend.Run;
import io.proxima.concurrent.Task;
import io.proxima.plugin.job.TaskRates.Work;
import io.proxima.plugin.write.PropertyWriter;
import io.proxima.projection.Projector;
import java.util.List;

/** The work of a run and of its write-back, for expected times. */
final class RunTimes {

    private RunTimes() {}

    /**
     * The work of the tasks of a run. Tasks that copy the graph to a device are not included.
     *
     * @param backend the name of the backend
     * @param deep whether the graph is deep, see {@link io.proxima.projection.GraphDepth}
     * @param searches number of sources
     */
    static List<Work> of(
            Run run, String backend, int vertexCount, long entryCount, boolean deep, long searches, int threads) {
        double graph = (double) vertexCount + entryCount;
        return run.tasks().stream()
                .map(task -> Work.of(task, backend, deep, graph * times(task, searches), threads))
                .toList();
    }

    private static double times(Task task, long searches) {
        boolean ofEachSource = task.isSameKind(BackendTask.FARNESS)
                || task.isSameKind(BackendTask.FARNESS_OF_SOURCES)
                || task.isSameKind(BackendTask.MULTI_SOURCE_BFS)
                || task.isSameKind(BackendTask.BETWEENNESS);
        return ofEachSource ? searches : 1;
    }

    /** The work of projecting a graph of this size from the store. */
    static List<Work> ofProjecting(int vertexCount, long relationshipCount, int threads) {
        return List.of(
                Work.of(Projector.SCAN_NODES, "", false, vertexCount, threads),
                Work.of(Projector.SCAN_RELATIONSHIPS, "", false, (double) relationshipCount, threads),
                Work.of(Projector.BUILD, "", false, (double) vertexCount + relationshipCount, threads));
    }

    /** The work of writing a property of every node. */
    static Work ofWriting(int vertexCount, int threads) {
        return Work.of(PropertyWriter.TASK, "", false, vertexCount, threads);
    }
}
