// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.procedures;

import io.proxima.plugin.config.ArgumentBudget;
import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.config.ProjectionParser;
import io.proxima.plugin.procedures.Algorithm.Mode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;

/**
 * The manual page, the example and the keys of each procedure and function, for {@code proxima.help}. The keys are those
 * that the code of the call reads: the topic lets it read an empty map.
 */
final class HelpTopics {

    private static final String ESTIMATE = ".estimate";
    private static final String CONFIGURATION = "configuration";

    /** The folder of the manual in the repository. */
    private static final String MANUAL = "docs/modules/ROOT/pages/";

    private static final List<Topic> TOPICS = topics();

    private HelpTopics() {}

    /**
     * A procedure or a function.
     *
     * @param name the full name
     * @param isFunction whether it is a function, because a function and a procedure may share a name
     * @param page the page of the manual, without its ending
     * @param example a query that runs on the graph 'people' of the manual of help
     * @param readers by argument what reads its keys
     */
    record Topic(
            String name,
            boolean isFunction,
            String page,
            String example,
            Map<String, BiConsumer<Caller, ConfigReader>> readers) {

        /** The page of the manual, in the repository. */
        String manual() {
            return MANUAL + page + ".adoc";
        }

        /** The keys of each argument, in the order in which they are read. */
        Map<String, List<ConfigReader.Key>> keys(Caller caller) {
            Map<String, List<ConfigReader.Key>> keys = new LinkedHashMap<>();
            readers.forEach((argument, reads) -> {
                ConfigReader reader = ConfigReader.of(ArgumentBudget.unlimited(), argument, Map.of());
                reads.accept(caller, reader);
                keys.put(argument, reader.keys());
            });
            return keys;
        }
    }

    /** The topic of a procedure or function; null if there is none. */
    static Topic of(String name, boolean isFunction) {
        return TOPICS.stream()
                .filter(topic -> topic.name.equals(name) && topic.isFunction == isFunction)
                .findFirst()
                .orElse(null);
    }

    private static Map<String, BiConsumer<Caller, ConfigReader>> inOrder(
            String argument, BiConsumer<Caller, ConfigReader> first, BiConsumer<Caller, ConfigReader> configuration) {
        Map<String, BiConsumer<Caller, ConfigReader>> readers = new LinkedHashMap<>();
        readers.put(argument, first);
        readers.put(CONFIGURATION, configuration);
        return readers;
    }

    private static List<Topic> topics() {
        Topics topics = new Topics();
        topics.add(
                "proxima.graph.project",
                "graph-project",
                "CALL proxima.graph.project('friends', 'Person', {KNOWS: {orientation: 'UNDIRECTED'}})",
                (caller, reader) -> {
                    ProjectionParser.parse("*", "*", reader);
                    ProjectProcedure.Keys.read(caller, "", reader);
                });
        topics.add(
                "proxima.graph.project.estimate",
                "graph-project",
                "CALL proxima.graph.project.estimate('Person', 'KNOWS')",
                (caller, reader) -> ProjectProcedure.readEstimateKeys(caller, "*", "*", reader));
        for (String estimate : List.of("", ESTIMATE)) {
            topics.addFunction(
                    "proxima.graph.project" + estimate,
                    estimate.isEmpty() ? "graph-project-cypher" : "memory-estimation",
                    "MATCH (a:Person)-[:KNOWS]->(b:Person) RETURN proxima.graph.project" + estimate
                            + "('acquaintances', a, b)",
                    inOrder(
                            "dataConfig",
                            (caller, reader) -> RowKinds.readKeys(reader),
                            (caller, reader) -> CypherProjection.Keys.read(caller, "", reader)));
            topics.add(
                    "proxima.graph.filter" + estimate,
                    estimate.isEmpty() ? "graph-filter" : "memory-estimation",
                    "CALL proxima.graph.filter" + estimate + "(" + (estimate.isEmpty() ? "'teachers', " : "")
                            + "'people', 'n:Teacher', '*')",
                    (caller, reader) -> FilterProcedure.Keys.read(caller, "", reader));
        }
        topics.add(
                "proxima.graph.export",
                "graph-export-import",
                "CALL proxima.graph.export('people', 'people.proxima', {overwrite: true})",
                (caller, reader) -> GraphFileProcedures.ExportKeys.read(reader));
        topics.add(
                "proxima.graph.import",
                "graph-export-import",
                "CALL proxima.graph.import('people.proxima', 'imported', {replace: true})",
                GraphFileProcedures::readImportKeys);
        topics.add("proxima.graph.list", "graph-list-exists-drop", "CALL proxima.graph.list()");
        topics.add("proxima.graph.exists", "graph-list-exists-drop", "CALL proxima.graph.exists('people')");
        topics.addFunction("proxima.graph.exists", "graph-list-exists-drop", "RETURN proxima.graph.exists('people')");
        topics.add("proxima.graph.drop", "graph-list-exists-drop", "CALL proxima.graph.drop('old', false)");
        topics.add(
                "proxima.graph.describe",
                "graph-describe",
                "CALL proxima.graph.describe('people')",
                DescribeProcedure::readKeys);
        for (String stream : List.of("proxima.graph.nodeProperty.stream", "proxima.graph.nodeProperties.stream")) {
            topics.add(stream, "node-properties", "CALL " + stream + "('people', 'score')", (caller, reader) -> {
                NodePropertyProcedures.readListNodeLabels(reader);
                JobKeys.read(reader);
            });
        }
        topics.add(
                "proxima.graph.nodeProperties.write",
                "node-properties",
                "CALL proxima.graph.nodeProperties.write('people', {score: 'closeness'})",
                (caller, reader) -> {
                    NodePropertyProcedures.readWriteConcurrency(reader);
                    JobKeys.read(reader);
                });
        topics.add(
                "proxima.graph.nodeProperties.load",
                "graph-export-import",
                "CALL proxima.graph.nodeProperties.load('people', 'people.csv', {nodeProperties: ['rank']})",
                (caller, reader) -> GraphFileProcedures.LoadKeys.read(reader));
        topics.add(
                "proxima.graph.nodeProperties.drop",
                "node-properties",
                "CALL proxima.graph.nodeProperties.drop('people', 'old', {failIfMissing: false})",
                (caller, reader) -> {
                    NodePropertyProcedures.readFailIfMissing(reader);
                    JobKeys.read(reader);
                });
        topics.add("proxima.bfs", "bfs", Bfs::new, "sourceNode: person", "nodeId, distance", Mode.values());
        topics.add(
                "proxima.distances",
                "distances",
                Distances::new,
                "sourceNodes: person",
                "sourceNode, targetNode, distance",
                Mode.STREAM,
                Mode.STATS,
                Mode.WRITE);
        topics.add(
                "proxima.distances.nearest",
                "distances-nearest",
                Nearest::new,
                "sourceNodes: person",
                "nodeId, nearestSource, distance",
                Mode.values());
        topics.add("proxima.closeness", "closeness", Closeness::byKeys, "", "nodeId, score", Mode.values());
        topics.add("proxima.closeness.harmonic", "closeness", Closeness::harmonic, "", "nodeId, score", Mode.values());
        topics.add(
                "proxima.closeness.sampled",
                "closeness-sampled",
                SampledCloseness::new,
                "",
                "nodeId, score",
                Mode.values());
        topics.add(
                "proxima.eccentricity", "eccentricity", Eccentricity::new, "", "nodeId, eccentricity", Mode.values());
        topics.add("proxima.betweenness", "betweenness", Betweenness::new, "", "nodeId, score", Mode.values());
        topics.add(
                "proxima.allShortestPaths.delta",
                "all-shortest-paths",
                AllShortestPaths::new,
                "sourceNode: person",
                "targetNode, totalCost",
                Mode.values());
        topics.add("proxima.wcc", "wcc", Wcc::new, "", "nodeId, componentId", Mode.values());
        topics.add("proxima.backend.list", "backend-list", "CALL proxima.backend.list()");
        topics.add("proxima.listProgress", "progress", "CALL proxima.listProgress()");
        topics.add("proxima.memory.list", "memory", "CALL proxima.memory.list()");
        topics.add("proxima.memory.summary", "memory", "CALL proxima.memory.summary()");
        topics.add("proxima.file.list", "files", "CALL proxima.file.list()");
        topics.add("proxima.file.drop", "files", "CALL proxima.file.drop('people.proxima', false)");
        topics.add("proxima.help", "help", "CALL proxima.help('closeness')");
        topics.add("proxima.version", "version", "CALL proxima.version()");
        topics.addFunction("proxima.version", "version", "RETURN proxima.version()");
        topics.add("proxima.debug.sysInfo", "troubleshooting", "CALL proxima.debug.sysInfo()");
        topics.addFunction(
                "proxima.util.asNode",
                "util",
                "CALL proxima.closeness.stream('people') YIELD nodeId, score"
                        + " RETURN proxima.util.asNode(nodeId).name AS name, score");
        topics.addFunction("proxima.util.asNodes", "util", "RETURN proxima.util.asNodes([0, 1])");
        return topics.all;
    }

    private static final class Topics {
        private final List<Topic> all = new ArrayList<>();

        void add(String name, String page, String example) {
            all.add(new Topic(name, false, page, example, Map.of()));
        }

        void add(String name, String page, String example, BiConsumer<Caller, ConfigReader> keys) {
            all.add(new Topic(name, false, page, example, Map.of(CONFIGURATION, keys)));
        }

        void addFunction(String name, String page, String example) {
            addFunction(name, page, example, Map.of());
        }

        void addFunction(
                String name, String page, String example, Map<String, BiConsumer<Caller, ConfigReader>> readers) {
            all.add(new Topic(name, true, page, example, readers));
        }

        /**
         * Adds the modes of an algorithm, and their estimates.
         *
         * @param keys the mandatory keys in all modes
         * @param columns the columns of the rows of the stream mode
         */
        void add(
                String base,
                String page,
                BiFunction<Caller, Mode, Algorithm<?>> algorithm,
                String keys,
                String columns,
                Mode... modes) {
            String match = keys.isEmpty() ? "" : "MATCH (person:Person {name: 'Ann'}) ";
            for (Mode mode : modes) {
                String name = base + "." + mode.name().toLowerCase(Locale.ROOT);
                String property =
                        switch (mode) {
                            case STREAM, STATS -> "";
                            case MUTATE -> "mutateProperty: 'hops'";
                            case WRITE -> "writeProperty: 'hops'";
                        };
                String configuration =
                        ", {" + keys + (keys.isEmpty() || property.isEmpty() ? "" : ", ") + property + "}";
                String shown =
                        switch (mode) {
                            case STREAM -> columns;
                            case STATS -> "computeMillis";
                            case MUTATE, WRITE -> "nodePropertiesWritten";
                        };
                BiConsumer<Caller, ConfigReader> reads =
                        (caller, reader) -> algorithm.apply(caller, mode).readAllKeys(reader);
                String arguments = "('people'" + (configuration.equals(", {}") ? "" : configuration) + ")";
                all.add(new Topic(
                        name,
                        false,
                        page,
                        match + "CALL " + name + arguments + " YIELD " + shown + " RETURN " + shown,
                        Map.of(CONFIGURATION, reads)));
                all.add(new Topic(
                        name + ESTIMATE,
                        false,
                        "memory-estimation",
                        match + "CALL " + name + ESTIMATE + arguments + " YIELD requiredMemory RETURN requiredMemory",
                        inOrder("graphNameOrConfiguration", (caller, reader) -> DescribedGraph.read(reader), reads)));
            }
        }
    }
}
