// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.graph;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Task;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.ProximaException;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.call.Concurrency;
import io.proxima.plugin.call.GraphRefresh;
import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.config.Faults;
import io.proxima.plugin.config.Key;
import io.proxima.plugin.config.NodeArguments;
import io.proxima.plugin.config.RelationshipProperties;
import io.proxima.plugin.config.Shown;
import io.proxima.plugin.current.Touched.Mark;
import io.proxima.plugin.job.Job;
import io.proxima.projection.CypherGraphCollector;
import io.proxima.projection.GraphProjection;
import io.proxima.projection.IdMap;
import io.proxima.projection.ProjectionSpec;
import io.proxima.projection.Projector;
import io.proxima.projection.csc.Orientation;
import io.proxima.projection.file.ExportedGraph.TypeSchema;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.neo4j.graphdb.NotFoundException;
import org.neo4j.internal.kernel.api.Read;
import org.neo4j.kernel.api.ResourceMonitor;

/**
 * Builds a graph from the rows of a Cypher projection, and reserves memory while they arrive. It is a job from its
 * first row to its end. If the query ends early, the query's statement ends the job.
 */
final class CypherProjection implements RowSink, AutoCloseable {

    private static final Task COLLECT = Task.of("Collect rows");
    private static final List<Task> TASKS =
            Stream.concat(Stream.of(COLLECT), Projector.TASKS.stream()).toList();
    private static final Key<List<String>> UNDIRECTED = Key.of(
            "undirectedRelationshipTypes",
            List.of(),
            "The projected types whose relationships point in both directions; `['*']` for all types.");
    private static final Key<List<String>> INVERSE_INDEXED = Key.of(
            "inverseIndexedRelationshipTypes",
            List.of(),
            "Known from GDS. The names are validated and otherwise ignored; reverse edges are built on demand.");

    /** Number of rows that memory is reserved for before the first row. */
    private static final int FIRST_GUARDED_ROWS = 1 << 12;

    private final Caller caller;
    private final String graphName;
    private final CypherGraphCollector rows;
    private final Keys keys;
    private final Map<String, Object> effective;
    private final Mark mark;
    private final Job job;
    private final ResourceMonitor statement;
    private final PendingNames names = new PendingNames();

    private long guardedRows;
    private long guardedKinds;

    /** The keys of the argument {@code configuration}. */
    record Keys(Set<String> undirectedTypes, NewGraph graph) {
        /** Reads the keys; faults are added to the reader. */
        static Keys read(Caller caller, ConfigReader reader) {
            Set<String> undirectedTypes = new HashSet<>(reader.readStrings(UNDIRECTED));
            // the transposed graph, which this key requests in GDS, is built when a run needs it
            reader.readStrings(INVERSE_INDEXED);
            return new Keys(undirectedTypes, NewGraph.read(caller, Concurrency.READ_CONCURRENCY, reader));
        }

        private boolean isUndirected(String type) {
            return undirectedTypes.contains(type) || undirectedTypes.contains(ProjectionSpec.ALL);
        }

        /** The directed relationships of the rows, also those that the graph leaves out. */
        long directed(CypherGraphCollector rows) {
            return rows.types().entrySet().stream()
                    .mapToLong(type -> type.getValue() * (isUndirected(type.getKey()) ? 2 : 1))
                    .sum();
        }

        /** The peak heap of this number of rows like those counted so far, and of their projection. */
        private MemoryTree peak(CypherGraphCollector rows, long rowCount) {
            return rows.peak(rowCount, !undirectedTypes.isEmpty(), graph.concurrency());
        }

        /**
         * The peak heap of a call with these rows. While rows arrive, memory is reserved for a quarter more, at least
         * for {@link #FIRST_GUARDED_ROWS}.
         */
        MemoryTree peak(CypherGraphCollector rows) {
            return peak(rows, guarded(rows.rowCount())).downTo(peak(rows, rows.rowCount()));
        }
    }

    CypherProjection(Caller caller, String graphName, CypherGraphCollector rows, ConfigReader reader) {
        this.caller = caller;
        this.graphName = graphName;
        this.rows = rows;
        keys = Keys.read(caller, reader);
        effective = reader.finish();
        job = keys.graph.begin(graphName, GraphRefresh.TASK);
        try {
            // rows below a sort or a collect() have been read before the first of them arrives here
            mark = keys.graph.markSinceBegin();
            job.expectTasks(TASKS);
            job.beginTask(COLLECT, 0);
            statement = caller.transaction().kernelTransaction().resourceMonitor();
            statement.registerCloseableResource(this);
            // other transactions may make a graph of the same name, too
            if (!names.add(
                    caller.transaction().kernelTransaction(),
                    keys.graph.viewer().key(graphName))) {
                throw ProximaException.failed("Another group of rows makes the graph `" + graphName
                        + "`. Give each group a name of its own, or leave out the columns that group the rows.");
            }
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /** Reserves memory for a quarter more rows, and for a quarter more of what their kinds take. */
    @Override
    public void expectRow() {
        if (rows.rowCount() == guardedRows || rows.bytesOfKinds() > guardedKinds) {
            long more = rows.bytesOfKinds() / 4;
            guardedRows = guarded(rows.rowCount());
            guardedKinds = rows.bytesOfKinds() + more;
            job.heap().require(keys.peak(rows, guardedRows).maxBytes() + more);
        }
    }

    private static long guarded(long rowCount) {
        return Math.max(FIRST_GUARDED_ROWS, rowCount / 4 * 5);
    }

    /** Projects the rows, and adds the graph to the catalog. */
    @Override
    public Map<String, Object> finish(boolean existenceUnknown) {
        job.expectMemory(keys.peak(rows, rows.rowCount()));
        requireProjected();
        GraphProjection projection = rows.project(
                type -> keys.isUndirected(type) ? Orientation.UNDIRECTED : Orientation.NATURAL,
                this::labelsInDatabase,
                keys.graph.concurrency(),
                caller.stop(),
                job,
                job.heap());
        if (existenceUnknown || caller.hasChanges()) {
            requireExistence(projection.idMap());
        }
        Map<String, TypeSchema> types = new LinkedHashMap<>();
        for (String type : projection.types()) {
            Map<String, String> properties = RelationshipProperties.schemaOfRows(projection.properties(type));
            types.put(type, new TypeSchema(keys.isUndirected(type), properties));
        }
        keys.graph.keep(
                projection,
                List.of(),
                types,
                effective,
                caller.hasChanges() ? caller.touched().lost() : mark,
                caller.endOfChanges(),
                null,
                null);
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("graphName", graphName);
        answer.put("nodeCount", (long) projection.vertexCount());
        answer.put("relationshipCount", projection.relationshipCount());
        answer.put("relationshipsLeftOut", keys.directed(rows) - projection.relationshipCount());
        answer.put("projectMillis", keys.graph.millis());
        answer.put("configuration", effective);
        job.succeed();
        statement.unregisterCloseableResource(this);
        close();
        return answer;
    }

    @Override
    public void close() {
        try (job;
                mark) {
            names.close();
        }
    }

    private void requireExistence(IdMap nodes) {
        Read read = caller.transaction().kernelTransaction().dataRead();
        PacedStop paced = new PacedStop(caller.stop());
        List<Long> absent = new ArrayList<>();
        for (int vertex = 0; vertex < nodes.size(); vertex++) {
            long node = nodes.toNeo4jId(vertex);
            paced.worked(1);
            if (NodeArguments.shows(absent) && !read.nodeExists(node)) {
                absent.add(node);
            }
        }
        if (!absent.isEmpty()) {
            throw ProximaException.invalidArgument("Nodes of the rows do not exist in the database: "
                    + NodeArguments.shown(absent)
                    + ". They were deleted, or an INTEGER was given that is not the id of a node.");
        }
    }

    private void requireProjected() {
        Collection<String> projected = rows.types().keySet();
        if (projected.isEmpty()) {
            return;
        }
        Faults faults = new Faults();
        for (String key : List.of(UNDIRECTED.name(), INVERSE_INDEXED.name())) {
            List<String> unknown = ((List<?>) effective.get(key))
                    .stream()
                            .map(String.class::cast)
                            .filter(type -> !type.equals(ProjectionSpec.ALL) && !projected.contains(type))
                            .toList();
            if (!unknown.isEmpty()) {
                faults.add("The types " + Shown.names(unknown) + " in `" + key
                        + "` are not in the rows. Types in the rows are " + Shown.names(projected) + ".");
            }
        }
        faults.throwIfAny();
    }

    private List<String> labelsInDatabase(long neo4jId) {
        if (neo4jId == Long.MAX_VALUE) {
            // no node, which is said later; Neo4j's cursor would count past it, and never end
            return List.of();
        }
        List<String> labels = new ArrayList<>();
        try {
            caller.transaction().newNodeEntity(neo4jId).getLabels().forEach(label -> labels.add(label.name()));
        } catch (NotFoundException e) {
            // deleted by another transaction after the row was created: included, as if it had been read before
            return List.of();
        }
        return labels;
    }
}
