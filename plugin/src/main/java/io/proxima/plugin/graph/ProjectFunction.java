// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.graph;

import io.proxima.plugin.call.ProximaProcedure;
import org.neo4j.procedure.Description;
import org.neo4j.procedure.UserAggregationFunction;

/** The Cypher projection, which creates a graph in the catalog from the rows of a query, and its estimate. */
public final class ProjectFunction extends ProximaProcedure {

    /** Required by Neo4j. */
    public ProjectFunction() {}

    /** Starts an aggregation. */
    @UserAggregationFunction(name = ProjectAggregation.NAME)
    @Description("Projects the rows of a query into a named in-memory graph, which is kept until it is dropped.")
    public ProjectAggregation project() {
        return new ProjectAggregation(caller(), false);
    }

    /** Starts the aggregation of an estimate. */
    @UserAggregationFunction(name = ProjectAggregation.NAME + ".estimate")
    @Description("Returns the estimated peak memory of projecting the rows of a query, without keeping the rows.")
    public ProjectAggregation estimate() {
        return new ProjectAggregation(caller(), true);
    }
}
