// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.paths;

import io.proxima.backend.ShortestPaths;
import io.proxima.concurrent.PacedStop;
import io.proxima.plugin.algorithm.StoredPaths;
import io.proxima.plugin.algorithm.paths.AllShortestPathsProcedures.StreamRow;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.call.Rows;
import io.proxima.projection.IdMap;
import java.util.Arrays;
import java.util.List;

/** The paths in the order of their last vertices. Used by one thread at a time. */
final class PathRows implements Rows.Maker<StreamRow> {

    private final IdMap ids;
    private final ShortestPaths found;
    private final int source;

    /** The vertices that get rows; null for all. */
    private final int[] targets;

    private final StoredPaths paths;
    private final boolean withIds;
    private final boolean withCosts;
    private final boolean withPath;
    private final PacedStop paced;
    private long index;

    PathRows(Caller caller, IdMap ids, ShortestPaths found, int source, int[] targets, StoredPaths paths) {
        this.ids = ids;
        this.found = found;
        this.source = source;
        this.targets = targets;
        this.paths = paths;
        this.withIds = caller.yields("nodeIds");
        this.withCosts = caller.yields("costs");
        this.withPath = caller.yields("path");
        this.paced = new PacedStop(caller.stop());
    }

    @Override
    public StreamRow row(int element, int part) {
        int last = targets == null ? element : targets[element];
        if (!found.reaches(last)) {
            return null;
        }
        int[] vertices =
                found.predecessors() == null ? new int[0] : StoredPaths.along(found.predecessors(), last, paced);
        long number = index++;
        return new StreamRow(
                number,
                ids.toNeo4jId(source),
                ids.toNeo4jId(last),
                found.costs()[last],
                withIds ? StoredPaths.ids(ids, vertices) : List.of(),
                withCosts
                        ? Arrays.stream(vertices)
                                .mapToObj(v -> found.costs()[v])
                                .toList()
                        : List.of(),
                withPath ? paths.path(number, vertices, place -> found.costs()[vertices[place]]) : null);
    }
}
