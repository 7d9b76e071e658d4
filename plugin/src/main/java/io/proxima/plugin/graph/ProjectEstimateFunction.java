// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.graph;

import io.proxima.plugin.call.ProximaProcedure;
import org.neo4j.procedure.Description;
import org.neo4j.procedure.UserAggregationFunction;

/** The estimate of the Cypher projection. */
public final class ProjectEstimateFunction extends ProximaProcedure {

    /** Required by Neo4j. */
    public ProjectEstimateFunction() {}

    /** Starts an aggregation. */
    @UserAggregationFunction(name = ProjectAggregation.NAME + ".estimate")
    @Description("Returns the estimated peak memory of projecting the rows of a query, without keeping the rows.")
    public EstimateAggregation estimate() {
        return new EstimateAggregation(caller());
    }
}
