// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.help;

import io.proxima.backend.TraversalBackend.Operation;
import io.proxima.plugin.algorithm.betweenness.BetweennessProcedures;
import io.proxima.plugin.algorithm.bfs.BfsProcedures;
import io.proxima.plugin.algorithm.closeness.ClosenessProcedures;
import io.proxima.plugin.algorithm.closeness.HarmonicProcedures;
import io.proxima.plugin.algorithm.closeness.SampledClosenessProcedures;
import io.proxima.plugin.algorithm.components.WccProcedures;
import io.proxima.plugin.algorithm.distances.DistancesProcedures;
import io.proxima.plugin.algorithm.eccentricity.EccentricityProcedures;
import io.proxima.plugin.algorithm.nearest.NearestProcedures;
import io.proxima.plugin.algorithm.paths.AllShortestPathsProcedures;
import io.proxima.plugin.call.AlgorithmProcedures;
import io.proxima.plugin.call.Call.Mode;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.call.Concurrency;
import io.proxima.plugin.call.DescribedGraph;
import io.proxima.plugin.call.RunConfig;
import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.graph.CypherProjection;
import io.proxima.plugin.graph.GraphFileProcedures;
import io.proxima.plugin.graph.NewGraph;
import io.proxima.plugin.graph.NodePropertyProcedures;
import io.proxima.plugin.graph.ProjectProcedure;
import io.proxima.plugin.graph.PropertySelection;
import io.proxima.plugin.graph.RowKinds;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;

/** What reads the keys of each procedure and function: it tells them when it reads an empty map. */
final class KeyReaders {

    static final String ESTIMATE = ".estimate";

    private static final String CONFIGURATION = "configuration";

    private static final Map<String, AlgorithmProcedures<?>> ALGORITHMS = Map.of(
            "proxima.bfs", new BfsProcedures(),
            "proxima.distances", new DistancesProcedures(),
            "proxima.distances.nearest", new NearestProcedures(),
            "proxima.closeness", new ClosenessProcedures(),
            "proxima.closeness.harmonic", new HarmonicProcedures(),
            "proxima.closeness.sampled", new SampledClosenessProcedures(),
            "proxima.eccentricity", new EccentricityProcedures(),
            "proxima.betweenness", new BetweennessProcedures(),
            "proxima.allShortestPaths.delta", new AllShortestPathsProcedures(),
            "proxima.wcc", new WccProcedures());

    /** The argument {@code configuration} of procedures that run no algorithm. */
    private static final Map<String, BiConsumer<Caller, ConfigReader>> CONFIGURATIONS = Map.ofEntries(
            Map.entry(
                    "proxima.graph.project", (caller, reader) -> ProjectProcedure.Keys.read(caller, "*", "*", reader)),
            Map.entry(
                    "proxima.graph.project.estimate",
                    (caller, reader) -> ProjectProcedure.readEstimateKeys(caller, "*", "*", reader)),
            Map.entry(
                    "proxima.graph.refresh",
                    (caller, reader) -> NewGraph.readReplacing(caller, Concurrency.READ_CONCURRENCY, reader)),
            Map.entry("proxima.graph.filter", KeyReaders::readNewGraphKeys),
            Map.entry("proxima.graph.filter.estimate", KeyReaders::readNewGraphKeys),
            Map.entry("proxima.graph.export", (caller, reader) -> GraphFileProcedures.ExportKeys.read(reader)),
            Map.entry("proxima.graph.import", KeyReaders::readNewGraphKeys),
            Map.entry("proxima.graph.describe", (caller, reader) -> RunConfig.read(caller, reader, Operation.BFS)),
            Map.entry("proxima.graph.nodeProperty.stream", KeyReaders::readStreamKeys),
            Map.entry("proxima.graph.nodeProperties.stream", KeyReaders::readStreamKeys),
            Map.entry("proxima.graph.nodeProperties.write", (caller, reader) -> {
                Concurrency.readForWriting(reader);
                PropertySelection.read("*", "*", true, reader);
            }),
            Map.entry(
                    "proxima.graph.nodeProperties.load", (caller, reader) -> GraphFileProcedures.LoadKeys.read(reader)),
            Map.entry("proxima.graph.nodeProperties.drop", (caller, reader) -> {
                reader.readBoolean(NodePropertyProcedures.FAIL_IF_MISSING);
                PropertySelection.read("*", "*", false, reader);
            }));

    private KeyReaders() {}

    /** Whether a procedure is a mode of an algorithm, or the estimate of one. */
    static boolean isAlgorithm(String procedure) {
        return ALGORITHMS.containsKey(base(procedure));
    }

    /** The keys of each argument, in the order in which they are read. */
    static Map<String, List<ConfigReader.KeyRead>> keys(Caller caller, String name, boolean isFunction) {
        Map<String, BiConsumer<Caller, ConfigReader>> readers = new LinkedHashMap<>();
        if (isFunction) {
            if (withoutEstimate(name).equals("proxima.graph.project")) {
                readers.put("dataConfig", (of, reader) -> RowKinds.readKeys(reader));
                readers.put(CONFIGURATION, (of, reader) -> CypherProjection.Keys.read(of, reader));
            }
        } else if (isAlgorithm(name)) {
            if (name.endsWith(ESTIMATE)) {
                readers.put("graphNameOrConfiguration", (of, reader) -> DescribedGraph.read(reader));
            }
            readers.put(
                    CONFIGURATION, (of, reader) -> ALGORITHMS.get(base(name)).readKeys(of, mode(name), reader));
        } else if (CONFIGURATIONS.containsKey(name)) {
            readers.put(CONFIGURATION, CONFIGURATIONS.get(name));
        }
        Map<String, List<ConfigReader.KeyRead>> keys = new LinkedHashMap<>();
        readers.forEach((argument, reads) -> {
            ConfigReader reader = caller.read(argument, Map.of());
            reads.accept(caller, reader);
            keys.put(argument, reader.keys());
        });
        return keys;
    }

    private static void readStreamKeys(Caller caller, ConfigReader reader) {
        reader.readBoolean(NodePropertyProcedures.LIST_NODE_LABELS);
        PropertySelection.read("*", "*", false, reader);
    }

    private static void readNewGraphKeys(Caller caller, ConfigReader reader) {
        NewGraph.read(caller, Concurrency.CONCURRENCY, reader);
    }

    private static String base(String procedure) {
        String name = withoutEstimate(procedure);
        return name.substring(0, name.lastIndexOf('.'));
    }

    private static Mode mode(String procedure) {
        String name = withoutEstimate(procedure);
        return Mode.valueOf(name.substring(name.lastIndexOf('.') + 1).toUpperCase(Locale.ROOT));
    }

    private static String withoutEstimate(String name) {
        return name.endsWith(ESTIMATE) ? name.substring(0, name.length() - ESTIMATE.length()) : name;
    }
}
