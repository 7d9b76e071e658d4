// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.graph;

import io.proxima.memory.MemoryTree;
import io.proxima.plugin.ProximaException;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.call.ColumnTexts;
import io.proxima.plugin.call.GraphRefresh;
import io.proxima.plugin.call.Help;
import io.proxima.plugin.call.NamedColumns;
import io.proxima.plugin.call.ProximaProcedure;
import io.proxima.plugin.catalog.GraphCatalog;
import io.proxima.plugin.catalog.GraphCatalog.Viewer;
import io.proxima.plugin.catalog.GraphEntry;
import io.proxima.plugin.config.ArgumentBudget;
import io.proxima.plugin.config.GraphName;
import io.proxima.plugin.config.Shown;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.neo4j.procedure.Description;
import org.neo4j.procedure.Mode;
import org.neo4j.procedure.Name;
import org.neo4j.procedure.NotThreadSafe;
import org.neo4j.procedure.Procedure;

/** Procedures on the graph catalog. */
@Help(page = "graph-list")
public final class CatalogProcedures extends ProximaProcedure {

    private static final String WANTED = "The name of a graph; all graphs if empty.";
    private static final String NAMES = "The name of a graph, or a `LIST<STRING>` of names.";
    private static final String FAIL = "If true, a name without a graph is an error, and nothing is dropped.";
    private static final String FROM = "The database from which the graphs were projected; the current one if empty.";
    private static final String OWNER = "The owner of the graphs, for admins; the caller if empty.";

    /** A graph. */
    public record ListRow(
            @Description("The minimum, mean, maximum and percentiles of the out-degrees.")
            Map<String, Object> degreeDistribution,

            @Description(ColumnTexts.GRAPH) String graphName,
            @Description(Texts.DATABASE) String database,
            @Description(Texts.DATABASE_LOCATION) String databaseLocation,
            @Description(Texts.MEMORY_USAGE) String memoryUsage,
            @Description(Texts.SIZE_IN_BYTES) long sizeInBytes,
            @Description(ColumnTexts.NODE_COUNT) long nodeCount,
            @Description(Texts.RELATIONSHIP_COUNT) long relationshipCount,
            @Description(Texts.CONFIGURATION) Map<String, Object> configuration,
            @Description(Texts.DENSITY) double density,
            @Description(Texts.CREATION_TIME) ZonedDateTime creationTime,
            @Description(Texts.MODIFICATION_TIME) ZonedDateTime modificationTime,
            @Description(Texts.SCHEMA) Map<String, Object> schema,
            @Description(Texts.SCHEMA_WITH_ORIENTATION) Map<String, Object> schemaWithOrientation,
            @Description(Texts.BACKEND) String backend,
            @Description(Texts.RESIDENT_ON) List<String> residentOn,
            @Description(Texts.DEVICE_BYTES) long deviceBytes,
            @Description(Texts.MAPPED_BYTES) long mappedBytes,
            @Description(Texts.STALE) boolean stale) {}

    /** A dropped graph. */
    public record DropRow(
            @Description(ColumnTexts.GRAPH) String graphName,
            @Description(Texts.DATABASE) String database,
            @Description(Texts.DATABASE_LOCATION) String databaseLocation,

            @Description("Empty, because the graph has been dropped.")
            String memoryUsage,

            @Description("-1, because the graph has been dropped.")
            long sizeInBytes,

            @Description(ColumnTexts.NODE_COUNT) long nodeCount,
            @Description(Texts.RELATIONSHIP_COUNT) long relationshipCount,
            @Description(Texts.CONFIGURATION) Map<String, Object> configuration,
            @Description(Texts.DENSITY) double density,
            @Description(Texts.CREATION_TIME) ZonedDateTime creationTime,
            @Description(Texts.MODIFICATION_TIME) ZonedDateTime modificationTime,
            @Description(Texts.SCHEMA) Map<String, Object> schema,
            @Description(Texts.SCHEMA_WITH_ORIENTATION) Map<String, Object> schemaWithOrientation,
            @Description(Texts.BACKEND) String backend,
            @Description(Texts.RESIDENT_ON) List<String> residentOn,
            @Description(Texts.DEVICE_BYTES) long deviceBytes,
            @Description(Texts.MAPPED_BYTES) long mappedBytes,
            @Description(Texts.STALE) boolean stale) {}

    /** Whether a graph exists. */
    public record ExistsRow(
            @Description("The name that was looked up.") String graphName,

            @Description("Whether the caller has a graph of that name in this database.")
            boolean exists) {}

    /** Lists graphs. */
    @Procedure(name = "proxima.graph.list", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the caller's projected graphs in all databases.")
    public Stream<ListRow> list(@Name(value = "graphName", defaultValue = "", description = WANTED) String graphName) {
        return answer(caller -> {
            boolean all = graphName != null && graphName.isEmpty();
            String wanted = all ? graphName : GraphName.ofExisting(graphName);
            return GraphCatalog.list(caller.viewer()).stream()
                    .filter(entry -> all || entry.key().name().equals(wanted))
                    .map(entry -> listRow(caller, entry))
                    .toList()
                    .stream();
        });
    }

    /** Returns whether a graph exists. */
    @Procedure(name = "proxima.graph.exists", mode = Mode.READ)
    @Help(example = "CALL proxima.graph.exists('people')")
    @NotThreadSafe
    @Description("Returns whether the caller has a projected graph of that name on this database.")
    public Stream<ExistsRow> exists(@Name(value = "graphName", description = ColumnTexts.GRAPH_NAME) String graphName) {
        return answer(caller -> {
            String name = GraphName.ofExisting(graphName);
            return Stream.of(new ExistsRow(name, GraphCatalog.exists(caller.viewer(), name)));
        });
    }

    /** Drops graphs. */
    @Procedure(name = "proxima.graph.drop", mode = Mode.READ)
    @Help(example = "CALL proxima.graph.drop('old', false)")
    @NotThreadSafe
    @Description("Drops projected graphs. Their names can be reused immediately; their memory is freed when"
            + " the runs on them have ended.")
    public Stream<DropRow> drop(
            @Name(value = "graphName", description = NAMES) Object graphName,
            @Name(value = "failIfMissing", defaultValue = "true", description = FAIL) Boolean failIfMissing,
            @Name(value = "dbName", defaultValue = "", description = FROM) String dbName,
            @Name(value = "username", defaultValue = "", description = OWNER) String username) {
        return answer(caller -> {
            Viewer viewer = caller.viewer(username);
            String database = dbName == null || dbName.isBlank() ? viewer.databaseName() : dbName.strip();
            Set<GraphEntry> found = new LinkedHashSet<>();
            List<String> missing = new ArrayList<>();
            for (String name : names(caller, graphName)) {
                caller.arguments().step();
                GraphEntry entry = dbName == null || dbName.isBlank()
                        ? GraphCatalog.find(viewer, name)
                        : GraphCatalog.findOn(viewer, database, name);
                if (entry == null) {
                    missing.add(name);
                } else {
                    found.add(entry);
                }
            }
            if (!Boolean.FALSE.equals(failIfMissing) && !missing.isEmpty()) {
                throw GraphCatalog.doNotExist(viewer, missing, database);
            }
            List<DropRow> rows = new ArrayList<>();
            for (GraphEntry entry : found) {
                DropRow row = dropRow(entry);
                if (GraphCatalog.drop(entry)) {
                    rows.add(row);
                }
            }
            return rows.stream();
        });
    }

    private static Set<String> names(Caller caller, Object graphName) {
        Set<String> names = new LinkedHashSet<>();
        for (Object name : caller.arguments().elements("graphName", graphName, ArgumentBudget.NAME_BYTES)) {
            if (name != null && !(name instanceof String)) {
                throw ProximaException.invalidArgument(
                        "The value of `graphName` must be of type `STRING` or `LIST<STRING>` but was "
                                + Shown.value(name) + ".");
            }
            names.add(GraphName.ofExisting((String) name));
        }
        return names;
    }

    private static ListRow listRow(Caller caller, GraphEntry entry) {
        long bytes = entry.heapBytes();
        Map<String, Object> columns = columns(entry);
        columns.put(
                "degreeDistribution",
                caller.yields("degreeDistribution")
                        ? entry.degreeDistribution(caller.limits().defaultConcurrency(), caller.stop())
                        : Map.of());
        columns.put("memoryUsage", MemoryTree.humanReadable(bytes));
        columns.put("sizeInBytes", bytes);
        return NamedColumns.row(ListRow.class, columns);
    }

    private static DropRow dropRow(GraphEntry entry) {
        Map<String, Object> columns = columns(entry);
        columns.put("memoryUsage", "");
        columns.put("sizeInBytes", -1L);
        return NamedColumns.row(DropRow.class, columns);
    }

    /** The columns that both rows have. */
    private static Map<String, Object> columns(GraphEntry entry) {
        Map<String, Object> columns = new HashMap<>();
        columns.put("graphName", entry.key().name());
        columns.put("database", entry.key().databaseName());
        columns.put("databaseLocation", "local");
        columns.put("nodeCount", entry.projection().vertexCount());
        columns.put("relationshipCount", entry.projection().relationshipCount());
        columns.put("configuration", shownConfiguration(entry));
        columns.put("density", density(entry));
        columns.put("creationTime", entry.details().created().atZone(ZoneOffset.UTC));
        columns.put("modificationTime", entry.modified().atZone(ZoneOffset.UTC));
        columns.put("schema", entry.schema(false));
        columns.put("schemaWithOrientation", entry.schema(true));
        columns.put("backend", entry.lastBackend());
        columns.put("residentOn", entry.residentOn());
        columns.put("deviceBytes", entry.deviceBytes());
        columns.put("mappedBytes", entry.mappedBytes());
        columns.put("stale", entry.stale());
        return columns;
    }

    private static Map<String, Object> shownConfiguration(GraphEntry entry) {
        Map<String, Object> shown = new LinkedHashMap<>(entry.details().configuration());
        String order = entry.order();
        if (!order.isEmpty()) {
            shown.put("order", order);
        }
        if (entry.isLive()) {
            String reason = GraphRefresh.alwaysProjected(
                    entry.details().nativeProjection(),
                    entry.details().reading().complete());
            if (!reason.isEmpty()) {
                shown.put("refreshReason", reason);
            }
        }
        return shown;
    }

    private static double density(GraphEntry entry) {
        long nodes = entry.projection().vertexCount();
        return nodes < 2 ? 0 : entry.projection().relationshipCount() / ((double) nodes * (nodes - 1));
    }

    /** Descriptions that the two rows share. */
    private static final class Texts {
        static final String DATABASE = "The database from which the graph was projected.";
        static final String DATABASE_LOCATION = "Always 'local'.";
        static final String MEMORY_USAGE = "The heap memory of the graph, in readable form.";
        static final String SIZE_IN_BYTES = "The heap memory of the graph, in bytes.";
        static final String RELATIONSHIP_COUNT = "The number of directed relationships.";
        static final String CONFIGURATION = "The effective configuration of the projection. While the graph is"
                + " resident on a device, `order` is its current order. If each refresh of a live graph has to project it as"
                + " a whole, `refreshReason` is the reason.";
        static final String DENSITY = "The number of directed relationships, divided by the number of possible ones.";
        static final String CREATION_TIME = "The time of the projection.";
        static final String MODIFICATION_TIME = "The time at which the graph's properties last changed.";
        static final String SCHEMA = "The projected labels and types, and the properties of the nodes.";
        static final String SCHEMA_WITH_ORIENTATION = "The same, with the direction of each type.";
        static final String BACKEND = "The backend of the last run on the graph; empty before the first run.";
        static final String RESIDENT_ON =
                "Where the graph is resident: `cpu` for host memory, `cuda:0` for that device.";
        static final String DEVICE_BYTES = "The device memory that the graph takes, in bytes.";
        static final String MAPPED_BYTES = "The page-locked host memory that the graph takes, in bytes: lists of"
                + " neighbours that do not fit the device, which reads them over the bus.";
        static final String STALE =
                "Whether transactions that were committed since the projection may have changed what"
                        + " the graph shows.";

        private Texts() {}
    }
}
