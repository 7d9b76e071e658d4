// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.graph;

import io.proxima.plugin.call.Caller;
import io.proxima.plugin.call.Help;
import io.proxima.plugin.call.ProximaProcedure;
import io.proxima.plugin.config.ConfigReader;
import java.util.function.Function;
import org.neo4j.procedure.Description;
import org.neo4j.procedure.UserAggregationFunction;

/** The Cypher projection, which creates a graph in the catalog from the rows of a query, and its estimate. */
public final class ProjectFunction extends ProximaProcedure {

    private static final String MATCH = "MATCH (a:Person)-[:KNOWS]->(b:Person) RETURN ";
    private static final String NODES = "('acquaintances', a, b)";

    @Override
    public void readKeys(String name, Caller caller, Function<String, ConfigReader> arguments) {
        RowKinds.readKeys(arguments.apply("dataConfig"));
        CypherProjection.Keys.read(caller, arguments.apply("configuration"));
    }

    /** Starts an aggregation. */
    @UserAggregationFunction(name = ProjectAggregation.NAME)
    @Help(page = "graph-project-cypher", example = MATCH + ProjectAggregation.NAME + NODES)
    @Description("Projects the rows of a query into a named in-memory graph, which is kept until it is dropped.")
    public ProjectAggregation project() {
        return new ProjectAggregation(caller(), false);
    }

    /** Starts the aggregation of an estimate. */
    @UserAggregationFunction(name = ProjectAggregation.NAME + ".estimate")
    @Help(example = MATCH + ProjectAggregation.NAME + ".estimate" + NODES)
    @Description("Returns the estimated peak memory of projecting the rows of a query, without keeping the rows.")
    public ProjectAggregation estimate() {
        return new ProjectAggregation(caller(), true);
    }
}
