/*
 * Copyright 2026 The Proxima authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.proxima.plugin.procedures;

import org.neo4j.procedure.Description;
import org.neo4j.procedure.UserAggregationFunction;

/** The Cypher projection: creates a graph in the catalog from the rows of a query. */
public final class ProjectFunction extends ProximaProcedure {

    /** Required by Neo4j. */
    public ProjectFunction() {}

    /** Starts an aggregation. */
    @UserAggregationFunction(name = ProjectAggregation.NAME)
    @Description("Projects the rows of a query into a named in-memory graph, which is kept until it is dropped.")
    public ProjectAggregation project() {
        return new ProjectAggregation(caller());
    }
}
