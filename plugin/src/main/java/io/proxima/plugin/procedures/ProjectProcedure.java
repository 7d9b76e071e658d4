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

import io.proxima.plugin.catalog.GraphCatalog.Viewer;
import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.config.GraphName;
import io.proxima.plugin.config.ProjectionParser;
import io.proxima.plugin.job.Job;
import io.proxima.plugin.job.JobRegistry;
import io.proxima.plugin.server.ServerLimits;
import io.proxima.projection.GraphProjection;
import io.proxima.projection.GraphSource;
import io.proxima.projection.ProjectionSpec.TypeProjection;
import io.proxima.projection.Projector;
import io.proxima.projection.store.StoreSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.neo4j.procedure.Description;
import org.neo4j.procedure.Mode;
import org.neo4j.procedure.Name;
import org.neo4j.procedure.NotThreadSafe;
import org.neo4j.procedure.Procedure;

/** From the store to a graph in the catalog. */
public final class ProjectProcedure extends ProximaProcedure {

    private static final String TASK = "Graph Projection";

    /** For Neo4j. */
    public ProjectProcedure() {}

    /** The graph that was made. */
    public record ProjectRow(
            @Description("The name of the graph.") String graphName,

            @Description("The node projection with its short forms expanded.")
            Map<String, Object> nodeProjection,

            @Description("The relationship projection with its short forms expanded.")
            Map<String, Object> relationshipProjection,

            @Description("The number of nodes.") long nodeCount,

            @Description("The number of directed relationships, repeats and loops left out; an undirected one counts"
                    + " twice.")
            long relationshipCount,

            @Description("Milliseconds for the projection.") long projectMillis,

            @Description("The whole effective configuration, with the `jobId`.")
            Map<String, Object> configuration) {}

    /** Projects a graph and keeps it under a name. */
    @Procedure(name = "proxima.graph.project", mode = Mode.READ)
    @NotThreadSafe
    @Description(
            "Projects nodes and relationships of the database into a graph in memory, kept under a name until it is"
                    + " dropped.")
    public Stream<ProjectRow> project(
            @Name(value = "graphName", description = "The name under which the graph is kept.") String graphName,
            @Name(
                            value = "nodeProjection",
                            description = "The nodes: '*', a label, a list of labels, or a map from projected label to"
                                    + " `{ label :: STRING }`.")
                    Object nodeProjection,
            @Name(
                            value = "relationshipProjection",
                            description =
                                    "The relationships: '*', a type, a list of types, or a map from projected type"
                                            + " to `{ type :: STRING, orientation = 'NATURAL' :: STRING }`; orientation is"
                                            + " 'NATURAL', 'REVERSE' or 'UNDIRECTED'.")
                    Object relationshipProjection,
            @Name(
                            value = "configuration",
                            defaultValue = "{}",
                            description = "`readConcurrency` = 4, `validateRelationships` = false, `replace` = false,"
                                    + " `jobId`, `logProgress` = true, `sudo` = false, `username`.")
                    Map<String, Object> configuration) {
        Caller caller = caller();
        return caller.answer(() -> {
            String name = GraphName.ofNew(graphName);
            ConfigReader reader = ConfigReader.of("configuration", configuration);
            ProjectionParser.Parsed parsed = ProjectionParser.parse(nodeProjection, relationshipProjection, reader);
            int concurrency = reader.readConcurrency("readConcurrency", ServerLimits.defaultConcurrency());
            boolean validate = reader.readBoolean("validateRelationships", false);
            boolean replace = reader.readBoolean("replace", false);
            reader.refuseProperties("nodeProperties");
            reader.refuseProperties("relationshipProperties");
            String jobId = reader.readJobId("jobId");
            boolean logProgress = reader.readBoolean("logProgress", true);
            boolean sudo = reader.readBoolean("sudo", false);
            String username = reader.readOptionalString("username");
            Map<String, Object> effective = reader.finish();

            Viewer viewer = caller.viewer(username);
            NewGraph.requireFree(viewer.key(name), replace);
            GraphSource source = StoreSource.of(caller.transaction());
            long peakBytes =
                    MemoryGuard.requireProjection(source, parsed.spec(), ServerLimits.threads(concurrency), sudo);

            long start = System.nanoTime();
            try (Job job = JobRegistry.begin(
                    caller.user(),
                    jobId,
                    TASK,
                    caller.stop(),
                    logProgress ? line -> caller.log().info(line) : line -> {})) {
                job.expectTasks(Projector.TASKS);
                job.expectMemory(peakBytes, 0);
                NewGraph graph = new NewGraph(caller, viewer.key(name), replace);
                GraphProjection projection = Projector.project(
                        source,
                        parsed.spec(),
                        new Projector.Options(ServerLimits.threads(concurrency), validate),
                        caller.stop(),
                        job);
                Map<String, Object> origin = new LinkedHashMap<>(effective);
                origin.put("nodeProjection", parsed.nodeProjection());
                origin.put("relationshipProjection", parsed.relationshipProjection());
                Map<String, TypeProjection> types = parsed.spec().types();
                graph.keep(projection, origin, type -> types.get(type).orientation());
                ProjectRow row = new ProjectRow(
                        name,
                        parsed.nodeProjection(),
                        parsed.relationshipProjection(),
                        projection.vertexCount(),
                        projection.relationshipCount(),
                        GraphRun.millisSince(start),
                        effective);
                job.succeed();
                return Stream.of(row);
            }
        });
    }
}
