// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.call;

import static io.proxima.plugin.TestDbms.run;
import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.plugin.ProximaException;
import io.proxima.plugin.TestDbms;
import io.proxima.plugin.job.JobRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.management.JMException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.neo4j.graphdb.Transaction;

/**
 * Calls of every procedure and function with random arguments. Half of the calls are sound: valid arguments and some
 * valid keys. In the others, some arguments, keys and values are arbitrary. A call may fail only with a typed error,
 * and must leave nothing behind. At least half of the sound calls of every procedure, and two fifths of all calls, must
 * succeed. A failure names the seed; {@code -Dproxima.fuzz.seed=SEED -Dproxima.fuzz.calls=1} repeats that call,
 * {@code -Dproxima.fuzz.calls=10000} sets the number of calls.
 */
@Tag("full")
@Timeout(3600)
class FuzzTest {

    private static final int CALLS = Integer.getInteger("proxima.fuzz.calls", 800);
    private static final long FIXED_SEED = 20_261_121;
    private static final int CALLS_BETWEEN_CLEARINGS = 40;
    private static final long TOLERATED_BYTES = 64 << 20;
    private static final int SOUND_CALLS = 4;
    private static final double LEAST_SHARE_ANSWERED = 0.4;

    private static final List<String> NAMES_A_NEW_GRAPH =
            List.of("proxima.graph.project", "proxima.graph.filter", "proxima.graph.import");
    private static final List<String> PROPERTIES = List.of("p0", "p1", "p2", "p3");
    private static final List<String> CSV_FILES = List.of("fuzz0.csv", "fuzz1.csv", "fuzz2.csv", "fuzz3.csv");
    private static final String GRAPH_FILE = "fuzz.proxima";
    private static final String FILE_DROP = "proxima.file.drop";

    /** Valid values of arguments and keys on the graph {@code g}; nodes and new names are generated. */
    private static final Map<String, List<Object>> SOUND = Map.ofEntries(
            Map.entry("graphName", List.of("g")),
            Map.entry("fromGraphName", List.of("g", "two")),
            Map.entry("graphNameOrConfiguration", List.of("g", "two", Map.of("nodeProjection", "N"))),
            Map.entry("nodeFilter", List.of("*", "n:N", "NOT n:N")),
            Map.entry("relationshipFilter", List.of("*", "r:R")),
            Map.entry("parameters", List.of(Map.of(), Map.of("x", 2L))),
            Map.entry("nodeProjection", List.of("*", "N", List.of("N", "Alone"))),
            Map.entry("relationshipProjection", List.of("*", "R", Map.of("R", Map.of("orientation", "UNDIRECTED")))),
            Map.entry("dbName", List.of("")),
            Map.entry("username", List.of("")),
            Map.entry("name", List.of("", "bfs")),
            Map.entry("nodeId", List.of(0L, -1L)),
            Map.entry("nodeIds", List.of(List.of(0L))),
            Map.entry("nodeProperties", List.copyOf(PROPERTIES)),
            Map.entry("nodeLabels", List.of(List.of("N"), List.of("*"), new String[] {"N"})),
            Map.entry("relationshipTypes", List.of(List.of("R"), List.of("*"))),
            Map.entry("samplingSize", List.of(1L, 5L, 100L)),
            Map.entry("samplingSeed", List.of(0L, -1L)),
            Map.entry("maxDepth", List.of(-1L, 0L, 2L)),
            Map.entry("maxCost", List.of(0L, 3.5)),
            Map.entry("limit", List.of(1L, 3L)),
            Map.entry("key", List.of("nodeId", "elementId", "name")),
            Map.entry("batchSize", List.of(1L, 8000L)),
            Map.entry("relationshipWeightProperty", List.of("w")),
            Map.entry("delta", List.of(0.5, 2L)),
            Map.entry("minComponentSize", List.of(0L, 3L)),
            Map.entry("consecutiveIds", List.of(true, false)),
            Map.entry("includeUnreached", List.of(true, false)),
            Map.entry("harmonic", List.of(true, false)),
            Map.entry("failIfMissing", List.of(true, false)),
            Map.entry("overwrite", List.of(true)),
            Map.entry("concurrency", List.of(1L, 4L, 2)),
            Map.entry("readConcurrency", List.of(1L, 4L)),
            Map.entry("writeConcurrency", List.of(1L, 4L)),
            Map.entry("backend", List.of("auto", "cpu")),
            Map.entry("jobId", List.of("fuzz", "50% off")),
            Map.entry("logProgress", List.of(true, false)),
            Map.entry("sudo", List.of(true, false)));

    /** Keys of other plugins, and of maps inside a configuration. */
    private static final List<String> OTHER_KEYS =
            List.of(("aggregation indexInverse label orientation property properties defaultValue type maxIterations"
                            + " listNodeLabels writeToResultStore")
                    .split(" "));

    private static final List<Double> DOUBLES = List.of(
            5.0, -5.0, 1e-300, Double.MAX_VALUE, Double.NaN, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);
    private static final List<String> TEXTS = Stream.concat(
                    Stream.of(
                            ("g~two~empty~ g ~nope~~ ~\u0000~N~Alone~R~S~w~*~auto~cuda:0~cpu~UNDIRECTED~x~n:N~r:R OR r:S"
                                            + "~NOT n:Alone~n.x > 1~n.p0 IN [1, .5e3] AND exists(n.p1)~r.w < $x OR NOT r.w = 1~((((~neo4j~-1~4:0:0~50% off~%d~it's \"g\"~C:\\g~two\nlines~../g"
                                            + "~{}~NaN~1e400~9223372036854775808~0~`~\uD83D\uDE00~true")
                                    .split("~")),
                    Stream.of("long ".repeat(2_000)))
            .toList();

    private record Call(String query, Map<String, Object> parameters) {}

    /** A procedure or function, the names and types of its arguments, and the types of its keys. */
    record Callable(String name, String kind, List<String> arguments, List<String> types, Map<String, String> keys) {
        /** A query that calls it with the parameters p0, p1 and so on; an aggregation for two rows. */
        String query() {
            String start = kind.equals("procedure")
                    ? "CALL "
                    : kind.equals("aggregation") ? "UNWIND [1, 2] AS row RETURN " : "RETURN ";
            return IntStream.range(0, arguments.size())
                    .mapToObj(at -> "$p" + at)
                    .collect(Collectors.joining(", ", start + name + "(", ")"));
        }
    }

    @Test
    void shouldAnswerAnythingWithATypedErrorAndLeaveNothing(TestReporter reporter) throws IOException, JMException {
        TestDbms.createDiamonds();
        run("CREATE (n:Empty) DELETE n");
        run("MATCH (a)-[r:R]->() SET r.w = CASE a.name WHEN 'a' THEN 0 WHEN 'd' THEN 0.5 ELSE 3 END");
        createFiles();
        List<Callable> callables = callables();
        long[] seeds = Long.getLong("proxima.fuzz.seed") != null
                ? new long[] {Long.getLong("proxima.fuzz.seed")}
                : new long[] {FIXED_SEED, new Random().nextLong()};
        reporter.publishEntry("seeds", Arrays.toString(seeds));
        if (CALLS > 1) {
            createGraphs();
            List<Map<String, Object>> created = graphs();
            for (Callable callable : callables) {
                requireThatHalfOfSoundCallsSucceed(callable);
                if (!graphs().equals(created)) {
                    createGraphs();
                }
            }
        }
        long before = HeldHeapTest.liveBytes();
        int answered = 0;
        for (long seed : seeds) {
            answered += call(callables, seed, CALLS / seeds.length);
        }
        reporter.publishEntry("answered", answered + " of " + CALLS);
        if (CALLS > 1) {
            assertThat(answered).as("answered calls of %d", CALLS).isGreaterThan((int) (LEAST_SHARE_ANSWERED * CALLS));
        }
        TestDbms.dropGraphs();
        assertThat(run("CALL proxima.graph.list()")).isEmpty();
        assertThat(run("CALL proxima.memory.list()")).isEmpty();
        assertThat(JobRegistry.running("", true)).isEmpty();
        assertThat(run("SHOW TRANSACTIONS")).as("the transaction that asks").hasSize(1);
        assertThat(workersAtWork()).isEmpty();
        assertThat(HeldHeapTest.liveBytes() - before).isLessThan(TOLERATED_BYTES);
    }

    private static void requireThatHalfOfSoundCallsSucceed(Callable callable) {
        List<String> refused = new ArrayList<>();
        for (int i = 0; i < SOUND_CALLS; i++) {
            call(FIXED_SEED + i, generator -> generator.sound(callable)).ifPresent(refused::add);
        }
        assertThat(refused)
                .as("refused of %d sound calls of %s", SOUND_CALLS, callable.name)
                .hasSizeLessThanOrEqualTo(SOUND_CALLS / 2);
    }

    /** Makes calls, and returns how many were answered. */
    private static int call(List<Callable> callables, long firstSeed, int calls) {
        int answered = 0;
        for (int i = 0; i < calls; i++) {
            if (i % CALLS_BETWEEN_CLEARINGS == 0) {
                createGraphs();
            }
            answered +=
                    call(firstSeed + i, generator -> generator.call(callables)).isEmpty() ? 1 : 0;
        }
        return answered;
    }

    /** Makes the call of a seed, and returns the error of a refused one. */
    private static Optional<String> call(long seed, Function<Generator, Call> generation) {
        Call call = null;
        try (Transaction transaction = TestDbms.database().beginTx()) {
            List<Object> nodes = new ArrayList<>();
            transaction.getAllNodes().forEach(nodes::add);
            call = generation.apply(new Generator(new Random(seed), nodes));
            transaction.execute(call.query, call.parameters).forEachRemaining(row -> {});
            transaction.commit();
            return Optional.empty();
        } catch (RuntimeException | Error e) {
            if (!isTyped(e)) {
                throw new AssertionError("seed=" + seed + ": " + call, e);
            }
            return Optional.of(call + ": " + e.getMessage());
        }
    }

    /**
     * Replaces all graphs; the graph {@code g} has properties, and the folder of exports a copy of it and more
     * properties.
     */
    private static void createGraphs() {
        TestDbms.dropGraphs();
        run("CALL proxima.graph.project('g', 'N', {R: {properties: 'w'}})");
        run("CALL proxima.graph.project('two', ['N', 'Alone'], {R: {orientation: 'UNDIRECTED'}, S: {}})");
        run("CALL proxima.graph.project('empty', 'Empty', 'R')");
        run(
                "UNWIND $properties AS property CALL proxima.eccentricity.mutate('g', {mutateProperty: property})"
                        + " YIELD nodePropertiesWritten RETURN count(*)",
                Map.of("properties", PROPERTIES));
    }

    /** All graphs, with their properties. */
    private static List<Map<String, Object>> graphs() {
        return run("CALL proxima.graph.list() YIELD graphName, schema RETURN graphName, schema ORDER BY graphName");
    }

    private static void createFiles() throws IOException {
        createGraphs();
        run("CALL proxima.graph.export('g', $file, {overwrite: true})", Map.of("file", GRAPH_FILE));
        Object node = TestDbms.value("MATCH (n:N) RETURN elementId(n) LIMIT 1");
        for (String file : CSV_FILES) {
            Files.writeString(
                    TestDbms.exportFolder().resolve(file),
                    "elementId," + file.replace(".csv", "") + "\n" + node + ",1\n");
        }
    }

    private static boolean isTyped(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof ProximaException) {
                return cause.getMessage() != null && !cause.getMessage().isBlank();
            }
        }
        return false;
    }

    private static List<String> workersAtWork() {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(thread -> thread.getKey().getName().startsWith("proxima"))
                .filter(thread -> Arrays.stream(thread.getValue())
                        .anyMatch(frame -> frame.getClassName().startsWith("io.proxima")))
                .map(thread -> thread.getKey().getName())
                .toList();
    }

    static List<Callable> callables() {
        String columns = "name, argumentDescription AS arguments";
        String result = " WHERE name STARTS WITH 'proxima.' RETURN name, [a IN arguments | a.name] AS names,"
                + " [a IN arguments | a.type] AS types, ";
        List<Callable> callables = new ArrayList<>();
        Map<String, Map<String, String>> keys = keys();
        run("SHOW PROCEDURES YIELD " + columns + result + "'procedure' AS kind")
                .forEach(row -> callables.add(callable(row, keys)));
        run("SHOW FUNCTIONS YIELD aggregating, " + columns + result
                        + "CASE aggregating WHEN true THEN 'aggregation' ELSE 'function' END AS kind")
                .forEach(row -> callables.add(callable(row, keys)));
        return callables;
    }

    /** The keys of each procedure and their types, as proxima.help names them. */
    private static Map<String, Map<String, String>> keys() {
        Map<String, Map<String, String>> keys = new HashMap<>();
        run("CALL proxima.help('proxima.') YIELD name, keys UNWIND keys AS key RETURN name, key.key AS key, key.type AS type")
                .forEach(row -> keys.computeIfAbsent((String) row.get("name"), name -> new TreeMap<>())
                        .put((String) row.get("key"), (String) row.get("type")));
        return keys;
    }

    private static Callable callable(Map<String, Object> row, Map<String, Map<String, String>> keys) {
        String name = (String) row.get("name");
        return new Callable(
                name,
                (String) row.get("kind"),
                texts(row.get("names")),
                texts(row.get("types")),
                keys.getOrDefault(name, Map.of()));
    }

    private static List<String> texts(Object list) {
        return ((List<?>) list).stream().map(String::valueOf).toList();
    }

    /** Makes one call out of one seed. */
    private static final class Generator {
        private final Random random;
        private final List<Object> nodes;
        private boolean spoils;

        Generator(Random random, List<Object> nodes) {
            this.random = random;
            this.nodes = nodes;
        }

        /** A call with valid arguments, of which some are spoiled in every second call. */
        Call call(List<Callable> callables) {
            spoils = random.nextBoolean();
            return sound(callables.get(random.nextInt(callables.size())));
        }

        /** A call with valid arguments. */
        Call sound(Callable callable) {
            if (callable.kind.equals("aggregation")) {
                List<Object> rows = new ArrayList<>();
                List<Object> first = arguments(callable);
                // values of a node are in one row
                int most = callable.arguments.contains("values") && !spoils ? 1 : 4;
                for (int row = random.nextInt(most) + (spoils ? 0 : 1); row > 0; row--) {
                    rows.add(spoils && random.nextInt(3) == 0 ? arguments(callable) : first);
                }
                return new Call(
                        IntStream.range(0, first.size())
                                .mapToObj(at -> "row[" + at + "]")
                                .collect(Collectors.joining(
                                        ", ", "UNWIND $rows AS row RETURN " + callable.name + "(", ")")),
                        Map.of("rows", rows));
            }
            Map<String, Object> parameters = new HashMap<>();
            for (Object argument : arguments(callable)) {
                parameters.put("p" + parameters.size(), argument);
            }
            return new Call(callable.query(), parameters);
        }

        private List<Object> arguments(Callable callable) {
            List<Object> arguments = new ArrayList<>();
            for (int i = 0; i < callable.arguments.size(); i++) {
                Object sound = soundArgument(callable, callable.arguments.get(i));
                arguments.add(
                        spoils && random.nextInt(3) == 0 ? spoiled(callable, callable.types.get(i), sound) : sound);
            }
            return arguments;
        }

        private Object soundArgument(Callable callable, String name) {
            if (name.equals("configuration")) {
                return callable.kind.equals("aggregation") ? Map.of() : soundConfiguration(callable);
            }
            if (name.equals("graphName") && NAMES_A_NEW_GRAPH.contains(callable.name)) {
                return newName();
            }
            return switch (name) {
                case "fileName" ->
                    callable.name.endsWith(".export") || callable.name.equals(FILE_DROP) ? newName() : GRAPH_FILE;
                case "fileNameOrBytes" -> CSV_FILES.get(random.nextInt(CSV_FILES.size()));
                case "dataConfig" -> Map.of();
                // others need the file
                case "failIfMissing" -> callable.name.equals(FILE_DROP) ? (Object) false : soundValue(name);
                case "sourceNode", "targetNode", "node" -> soundNode();
                case "values" -> Map.of(newName(), number());
                default -> soundValue(name);
            };
        }

        /** The mandatory keys, and up to three of the others. */
        private Map<String, Object> soundConfiguration(Callable callable) {
            Map<String, Object> map = new LinkedHashMap<>();
            List<String> own = new ArrayList<>();
            for (String key : callable.keys.keySet()) {
                switch (key) {
                    case "sourceNode", "targetNode" -> {
                        if (!callable.keys.containsKey(key + "s")) {
                            map.put(key, soundNode());
                        }
                    }
                    case "sourceNodes" -> map.put(key, List.of(soundNode(), soundNode()));
                    case "targetNodes" -> {
                        if (callable.keys.containsKey("targetNode")) {
                            map.put(key, List.of(soundNode(), soundNode()));
                        }
                    }
                    case "writeProperty", "mutateProperty" -> map.put(key, newName());
                    default -> own.add(key);
                }
            }
            own.retainAll(SOUND.keySet());
            // the property of the weights is only in g, and arguments share the names of these keys
            own.removeAll(List.of("username", "nodeProperties", "nodeProjection", "relationshipProjection"));
            // that of a file is fixed
            own.remove(callable.name.endsWith(".load") ? "key" : "");
            for (int entries = own.isEmpty() ? 0 : random.nextInt(4); entries > 0; entries--) {
                String key = own.get(random.nextInt(own.size()));
                map.put(key, soundValue(key));
            }
            map.remove(map.containsKey("relationshipWeightProperty") ? "maxDepth" : "maxCost");
            if (map.containsKey("limit")) {
                map.put("paths", "all");
            }
            return map;
        }

        private Object soundValue(String name) {
            List<Object> values = SOUND.get(name);
            if (values == null) {
                throw new AssertionError("FuzzTest.SOUND has no value for " + name);
            }
            return values.get(random.nextInt(values.size()));
        }

        private Object soundNode() {
            return nodes.get(random.nextInt(nodes.size()));
        }

        private String newName() {
            return "fuzz" + random.nextInt(Integer.MAX_VALUE);
        }

        /** Another value of the declared type: others are refused by Neo4j before they come to us. */
        private Object spoiled(Callable callable, String type, Object sound) {
            if (type.startsWith("BOOLEAN")) {
                return random.nextBoolean();
            }
            if (random.nextInt(10) == 0) {
                return null;
            }
            if (sound instanceof Map<?, ?> configuration) {
                return spoiled(callable, configuration);
            }
            if (type.startsWith("STRING")) {
                return text();
            }
            if (type.startsWith("INTEGER")) {
                return number();
            }
            return type.startsWith("LIST<INTEGER") ? Arrays.asList(number(), number()) : value(0);
        }

        /**
         * A configuration with other values, keys that are written otherwise, and further keys, few of them of others.
         */
        private Map<String, Object> spoiled(Callable callable, Map<?, ?> sound) {
            Map<String, Object> map = new LinkedHashMap<>();
            sound.forEach((key, value) -> map.put(twisted((String) key), random.nextInt(4) == 0 ? value(0) : value));
            List<String> own = List.copyOf(callable.keys.keySet());
            for (int entries = random.nextInt(3); entries > 0; entries--) {
                boolean ofOthers = own.isEmpty() || random.nextInt(6) == 0;
                List<String> keys = ofOthers ? OTHER_KEYS : own;
                map.put(keys.get(random.nextInt(keys.size())), value(0));
            }
            return map;
        }

        private String twisted(String key) {
            return switch (random.nextInt(16)) {
                case 0 -> key.toUpperCase(Locale.ROOT);
                case 1 -> key.substring(0, key.length() - 1);
                case 2 -> text();
                default -> key;
            };
        }

        private Map<String, Object> map(int depth) {
            Map<String, Object> map = new LinkedHashMap<>();
            for (int entries = random.nextInt(4); entries > 0; entries--) {
                map.put(OTHER_KEYS.get(random.nextInt(OTHER_KEYS.size())), value(depth));
            }
            return map;
        }

        private Object value(int depth) {
            return switch (random.nextInt(depth > 2 ? 7 : 10)) {
                case 0 -> null;
                case 1 -> random.nextBoolean();
                case 2 -> random.nextInt(4) == 0 ? (Object) random.nextInt() : number();
                case 3 -> DOUBLES.get(random.nextInt(DOUBLES.size())) * random.nextDouble();
                case 4, 5 -> text();
                case 6 -> random.nextInt(4) == 0 ? LocalDate.EPOCH : nodes.get(random.nextInt(nodes.size()));
                case 7 -> map(depth + 1);
                default -> random.nextInt(4) == 0 ? array() : list(depth + 1);
            };
        }

        /** A list as the database stores it. */
        private Object array() {
            return random.nextBoolean() ? new long[] {number(), number()} : new String[] {text()};
        }

        private List<Object> list(int depth) {
            List<Object> list = new ArrayList<>();
            for (int elements = random.nextInt(4); elements > 0; elements--) {
                list.add(value(depth));
            }
            return list;
        }

        private Long number() {
            return switch (random.nextInt(6)) {
                case 0 -> Long.MAX_VALUE;
                case 1 -> Long.MIN_VALUE;
                case 2 -> (long) Integer.MAX_VALUE;
                case 3 -> -1L;
                default -> (long) random.nextInt(12);
            };
        }

        private String text() {
            return TEXTS.get(random.nextInt(TEXTS.size()));
        }
    }
}
