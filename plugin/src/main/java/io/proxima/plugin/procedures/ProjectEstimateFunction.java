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
