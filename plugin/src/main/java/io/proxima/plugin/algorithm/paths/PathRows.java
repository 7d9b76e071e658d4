// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.paths;

import io.proxima.backend.ShortestPaths;
import io.proxima.concurrent.PacedStop;
import io.proxima.plugin.algorithm.paths.AllShortestPathsProcedures.StreamRow;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.call.Rows;
import io.proxima.projection.IdMap;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.Path;
import org.neo4j.graphdb.Relationship;
import org.neo4j.graphdb.RelationshipType;

/** The paths in the order of their last vertices. Used by one thread at a time. */
final class PathRows implements Rows.Maker<StreamRow> {

    private final Caller caller;
    private final IdMap ids;
    private final ShortestPaths found;
    private final int source;
    private final boolean withIds;
    private final boolean withCosts;
    private final boolean withPath;
    private final PacedStop paced;
    private long index;

    PathRows(Caller caller, IdMap ids, ShortestPaths found, int source) {
        this.caller = caller;
        this.ids = ids;
        this.found = found;
        this.source = source;
        this.withIds = caller.yields("nodeIds");
        this.withCosts = caller.yields("costs");
        this.withPath = caller.yields("path");
        this.paced = new PacedStop(caller.stop());
    }

    @Override
    public long bytes(StreamRow row) {
        int nodes = row.path() == null
                ? Math.max(row.nodeIds().size(), row.costs().size())
                : row.path().length() + 1;
        return AllShortestPaths.rowBytes(nodes);
    }

    @Override
    public StreamRow row(int last, int part) {
        if (!found.reaches(last)) {
            return null;
        }
        List<Long> nodeIds = new ArrayList<>();
        List<Double> costs = new ArrayList<>();
        if (found.predecessors() != null) {
            for (int v = last; v != ShortestPaths.NONE; v = found.predecessors()[v]) {
                paced.worked(1);
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
        RelationshipType type = RelationshipType.withName("PATH_" + number);
        List<Node> nodes = new ArrayList<>(nodeIds.size());
        List<Relationship> steps = new ArrayList<>(nodeIds.size());
        for (int step = 0; step < nodeIds.size(); step++) {
            paced.worked(1);
            nodes.add(caller.transaction().newNodeEntity(nodeIds.get(step)));
            if (step > 0) {
                double cost = costs.get(step) - costs.get(step - 1);
                steps.add(new PathStep(-step, type, nodes.get(step - 1), nodes.get(step), cost));
            }
        }
        return new CostPath(nodes, steps);
    }
}
