// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.benchmark;

import io.proxima.it.benchmark.Comparison.Question;
import io.proxima.it.benchmark.Comparison.Way;
import io.proxima.it.server.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Proxima beside what its users have without it, on the same graphs: patterns of Cypher, APOC and the Graph Data
 * Science library in one server; igraph and NetworkX in processes of their own, for which the graph is read over Bolt.
 * Results are compared first.
 *
 * <pre>python3 -m venv target/python &amp;&amp; target/python/bin/pip install neo4j igraph networkx pandas pyarrow
 * mvn -B -ntp -Pfull,benchmark verify -Dproxima.benchmark.class=TodayBenchmark
 *     -Dproxima.benchmark.args="--python=$PWD/target/python/bin/python3"</pre>
 *
 * The options are those of {@link Comparison}, and
 *
 * <ul>
 *   <li>{@code --python}: a Python that has the packages, {@code python3} otherwise
 *   <li>{@code --tools}: which of {@code igraph,networkx} are asked, both otherwise; {@code none} of them
 * </ul>
 *
 * Steps:
 *
 * <ul>
 *   <li>"project"; for the tools "export" over Bolt, and "build" of their graphs
 *   <li>"within k hops of n nodes", without these: their number is returned
 *   <li>paths, as {@link PathsBenchmark} names them
 *   <li>measures of all nodes. Their sums are returned. A tool first computes those of a sample. If that shows that all
 *       would take it longer than the limit, the time of all is calculated instead, as "scaled"
 *   <li>"memory in MB": the graph in the server, or all memory of the process of a tool at its peak
 * </ul>
 */
public final class TodayBenchmark {

    private static final String OURS = "proxima";
    private static final String THEIRS = "gds";

    /** Of paths, what PathsBenchmark does not answer alone or again. */
    private static final String STEPS =
            "(?!one pair without|one pair at distance [35]|20 x 200|the two|subgraph within 5 |.*counted).*";

    private static final int DEPTH = 5;
    private static final int FEW = 3;
    private static final int MANY = 100;
    private static final int SAMPLE = 20;
    private static final int BEST = 10;

    /** The remainder makes a sum depend on which node has which score; the script has the same three numbers. */
    private static final String SCORES = "sum(score), sum(score * (nodeId % 9973)), max(score)";

    /** On which graphs a measure is exact within minutes on each side in the server. */
    private static final Map<String, String> GRAPHS = Map.of(
            "closeness",
            "(?!roads|grid|directory).*",
            "harmonic closeness",
            "tutorial|email_enron|cit_hepth",
            "betweenness",
            "tutorial|email_enron",
            "components",
            ".*",
            "diameter",
            "(?!directory).*");

    private final Comparison comparison;
    private final Map<String, String> options;
    private final boolean directed;

    private TodayBenchmark(Comparison comparison, Map<String, String> options) {
        this.comparison = comparison;
        this.options = options;
        this.directed = comparison.graph().matches("tutorial|directory");
    }

    /**
     * Runs the benchmark.
     *
     * @param arguments options as above
     */
    public static void main(String[] arguments) throws IOException {
        Map<String, String> options = Options.read(
                Map.of(
                        "graphs", "tutorial,email_enron,cit_hepth,rmat-16,roads-500,rmat-18",
                        "directory", "",
                        "steps", STEPS,
                        "repetitions", "3",
                        "warm-up", "0.3",
                        "once", "5",
                        "limit", "60",
                        "python", "python3",
                        "tools", "igraph,networkx",
                        "name", "today"),
                arguments);
        Comparison.onEach(options, comparison -> new TodayBenchmark(comparison, options).measure());
    }

    private void measure() {
        String type = "orientation: '" + (directed ? "NATURAL" : "UNDIRECTED") + "'";
        for (int repetition = 0; repetition < Integer.parseInt(options.get("repetitions")); repetition++) {
            for (String side : List.of(THEIRS, OURS)) {
                comparison.add("project", side, comparison.project(side, type));
            }
        }
        List<Object> nodes = comparison.ids("MATCH (n) WHERE (n)--() RETURN id(n) ORDER BY id(n)");
        reach(nodes);
        new PathsBenchmark(comparison).measure();
        List<Object> sample = comparison.some(nodes, SAMPLE);
        measures(sample);
        for (String side : List.of(THEIRS, OURS)) {
            long bytes = (Long) comparison.value(
                    "CALL " + side + ".graph.list('g') YIELD sizeInBytes RETURN sizeInBytes",
                    new Question(List.of(), List.of()));
            comparison.add("memory in MB", side, bytes / 1e6);
        }
        tools(nodes.size(), sample);
    }

    private void reach(List<Object> nodes) {
        List<Question> few = Stream.generate(() -> new Question(comparison.some(nodes, 1), List.of()))
                .limit(FEW)
                .toList();
        List<Question> many = List.of(new Question(comparison.some(nodes, MANY), List.of()));
        reach("one node", few, "CALL proxima.bfs.stream('g', {sourceNode: $sources[0]");
        reach(MANY + " nodes", many, "CALL proxima.distances.nearest.stream('g', {sourceNodes: $sources");
    }

    private void reach(String sources, List<Question> questions, String ours) {
        Set<String> stopped = new HashSet<>();
        for (int hops = 1; hops <= DEPTH; hops++) {
            Map<String, String> queries = new LinkedHashMap<>();
            queries.put(OURS, ours + ", maxDepth: " + hops + "}) YIELD nodeId AS id ");
            queries.put(
                    THEIRS,
                    "UNWIND $sources AS source CALL gds.bfs.stream('g', {sourceNode: source, maxDepth: " + hops
                            + "}) YIELD nodeIds UNWIND nodeIds AS id ");
            queries.put(
                    "apoc",
                    "MATCH (s) WHERE id(s) IN $sources WITH collect(s) AS starts CALL apoc.path.subgraphNodes(starts,"
                            + " {maxLevel: " + hops + (directed ? ", relationshipFilter: '>'" : "")
                            + "}) YIELD node WITH id(node) AS id ");
            queries.put(
                    "cypher",
                    "MATCH (s) WHERE id(s) IN $sources MATCH (s)-[*1.." + hops + "]-" + (directed ? ">" : "")
                            + "(n) WITH DISTINCT n WITH id(n) AS id ");
            stopped.forEach(queries::remove);
            Way[] ways = queries.entrySet().stream()
                    .map(query -> new Way(
                            query.getKey(),
                            query.getValue() + "WITH DISTINCT id WHERE NOT id IN $sources ",
                            "count(id), sum(id % 9973)"))
                    .toArray(Way[]::new);
            stopped.addAll(comparison.compare("within " + hops + " hops of " + sources, questions, ways));
        }
    }

    private void measures(List<Object> sample) {
        Question question = new Question(sample, List.of());
        for (String measure : List.of("closeness", "harmonic closeness")) {
            String call = measure.equals("closeness") ? ".closeness" : ".closeness.harmonic";
            compare(measure, measure, question, inServer(call + ".stream('g') YIELD nodeId, score ", SCORES));
            compare(
                    measure,
                    measure + " of " + SAMPLE + " nodes",
                    question,
                    new Way(
                            OURS,
                            "CALL proxima" + call + ".stream('g', {targetNodes: $sources}) YIELD nodeId, score ",
                            SCORES));
        }
        compare(
                "betweenness",
                "betweenness",
                question,
                inServer(".betweenness.stream('g') YIELD nodeId, score ", SCORES));
        compare(
                "components",
                "components",
                question,
                inServer(".wcc.stats('g') YIELD componentCount ", "componentCount"));
        compare(
                "diameter",
                "diameter",
                question,
                new Way(OURS, "CALL proxima.eccentricity.stats('g') YIELD diameter ", "diameter"));
        String best = BEST + " nodes of greatest closeness";
        UnaryOperator<String> query = topK -> "CALL proxima.closeness.stream('g', {useWassermanFaust: true" + topK
                + "}) YIELD nodeId, score " + "WITH nodeId, score ORDER BY score DESC, nodeId LIMIT " + BEST + " ";
        compare(
                "closeness",
                best,
                question,
                new Way(OURS, query.apply(", topK: " + BEST), "nodeId, score"),
                new Way("proxima of all nodes", query.apply(""), "nodeId, score"));
    }

    private static Way[] inServer(String query, String returned) {
        return Stream.of(OURS, THEIRS)
                .map(side -> new Way(side, "CALL " + side + query, returned))
                .toArray(Way[]::new);
    }

    private void compare(String measure, String step, Question question, Way... ways) {
        if (comparison.graph().matches(GRAPHS.get(measure))) {
            comparison.compare(step, List.of(question), ways);
        }
    }

    /**
     * Asks the tools outside of the server.
     *
     * @param connected the number of nodes that have relationships
     */
    private void tools(int connected, List<Object> sample) {
        List<String> tools = List.of(options.get("tools").split(",", -1));
        String measures = GRAPHS.keySet().stream()
                .filter(measure -> comparison.graph().matches(GRAPHS.get(measure)) && comparison.includes(measure))
                .sorted()
                .collect(Collectors.joining(","));
        if (tools.contains("none") || measures.isEmpty()) {
            return;
        }
        ServerProcess server = comparison.server();
        Path file = server.home().resolve("graph");
        Script script = new Script(options.get("python"), "src/bench/python/outside.py");
        add("driver", script.lines("export", server.boltUri(), ServerProcess.PASSWORD, file));
        for (String tool : tools) {
            add(
                    tool,
                    script.lines(
                            tool,
                            file,
                            directed ? "directed" : "undirected",
                            measures,
                            sample.stream().map(String::valueOf).collect(Collectors.joining(",")),
                            connected,
                            options.get("repetitions"),
                            options.get("once"),
                            options.get("limit")));
        }
    }

    /** Adds and compares lines of a script: the step, a time, and the numbers of the result, which may be none. */
    private void add(String side, List<String> lines) {
        for (String line : lines) {
            String[] cells = line.split("\t", -1);
            comparison.add(cells[0], side, Double.parseDouble(cells[1]));
            if (cells.length > 2) {
                comparison.requireEqual(
                        cells[0],
                        side,
                        IntStream.range(2, cells.length)
                                .mapToDouble(cell -> Double.parseDouble(cells[cell]))
                                .toArray());
            }
        }
    }
}
