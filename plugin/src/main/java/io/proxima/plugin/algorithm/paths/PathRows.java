// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.paths;

import io.proxima.backend.ShortestPaths;
import io.proxima.plugin.algorithm.paths.AllShortestPathsProcedures.StreamRow;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.call.Rows;
import io.proxima.projection.IdMap;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.Path;

/** The paths in the order of their last vertices. */
final class PathRows extends Rows<StreamRow> {
    private final Caller caller;
    private final IdMap ids;
    private final ShortestPaths found;
    private final int source;
    private final boolean withIds;
    private final boolean withCosts;
    private final boolean withPath;
    private int vertex;
    private long index;

    PathRows(Caller caller, IdMap ids, ShortestPaths found, int source) {
        super(caller);
        this.caller = caller;
        this.ids = ids;
        this.found = found;
        this.source = source;
        this.withIds = caller.yields("nodeIds");
        this.withCosts = caller.yields("costs");
        this.withPath = caller.yields("path");
    }

    @Override
    protected StreamRow compute() {
        while (vertex < found.costs().length) {
            countWork();
            int v = vertex++;
            if (found.reaches(v)) {
                return row(v);
            }
        }
        return null;
    }

    @Override
    protected long bytes(StreamRow row) {
        int nodes = row.path() == null
                ? Math.max(row.nodeIds().size(), row.costs().size())
                : row.path().length() + 1;
        return AllShortestPaths.rowBytes(nodes);
    }

    private StreamRow row(int last) {
        List<Long> nodeIds = new ArrayList<>();
        List<Double> costs = new ArrayList<>();
        if (found.predecessors() != null) {
            for (int v = last; v != ShortestPaths.NONE; v = found.predecessors()[v]) {
                countWork();
                nodeIds.add(ids.toNeo4jId(v));
                costs.add(found.costs()[v]);
            }
            Collections.reverse(nodeIds);
            Collections.reverse(costs);
        }
        long number = index++;
        return new StreamRow(
                number,
                ids.toNeo4jId(source),
                ids.toNeo4jId(last),
                found.costs()[last],
                withIds ? nodeIds : List.of(),
                withCosts ? costs : List.of(),
                withPath ? path(number, nodeIds, costs) : null);
    }

    private Path path(long number, List<Long> nodeIds, List<Double> costs) {
        List<Node> nodes = new ArrayList<>();
        for (long id : nodeIds) {
            countWork();
            nodes.add(caller.transaction().newNodeEntity(id));
        }
        return new CostPath(number, nodes, costs);
    }
}
