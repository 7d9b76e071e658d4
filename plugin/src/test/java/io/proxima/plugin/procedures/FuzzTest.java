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

import static io.proxima.plugin.TestDbms.run;
import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.plugin.ProximaException;
import io.proxima.plugin.TestDbms;
import io.proxima.plugin.job.JobRegistry;
import java.lang.management.ManagementFactory;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.management.JMException;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.neo4j.graphdb.Result;
import org.neo4j.graphdb.Transaction;

/**
 * Calls of every procedure and function with arguments at random, some of them sound. Only a typed error may come of a
 * call, and nothing may be left behind. A failure names the seed; {@code -Dproxima.fuzz.seed=SEED -Dproxima.fuzz.calls=1}
 * makes that call alone, {@code -Dproxima.fuzz.calls=10000} as many as one likes.
 */
@Timeout(3600)
class FuzzTest {

    private static final int CALLS = Integer.getInteger("proxima.fuzz.calls", 1000);
    private static final long FIXED_SEED = 20_261_121;
    private static final int CALLS_BETWEEN_CLEARINGS = 40;
    private static final long TOLERATED_BYTES = 64 << 20;

    /** Keys of other plugins, and of maps inside a configuration. */
    private static final List<String> OTHER_KEYS = List.of(
            "aggregation",
            "indexInverse",
            "label",
            "orientation",
            "property",
            "properties",
            "defaultValue",
            "type",
            "maxIterations",
            "listNodeLabels",
            "writeToResultStore");

    private static final List<String> REQUIRED =
            List.of("sourceNode", "sourceNodes", "writeProperty", "mutateProperty", "samplingSize");
    private static final List<Double> DOUBLES = List.of(
            5.0, -5.0, 1e-300, Double.MAX_VALUE, Double.NaN, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);
    private static final List<String> TEXTS = List.of(
            "g",
            "two",
            "empty",
            " g ",
            "nope",
            "",
            " ",
            "\u0000",
            "N",
            "Alone",
            "R",
            "S",
            "w",
            "*",
            "auto",
            "cuda:0",
            "cpu",
            "UNDIRECTED",
            "x",
            "n:N",
            "r:R OR r:S",
            "NOT n:Alone",
            "n.x > 1",
            "((((",
            "neo4j",
            "-1",
            "4:0:0",
            "50% off",
            "%d",
            "it's \"g\"",
            "C:\\g",
            "two\nlines",
            "../g",
            "{}",
            "NaN",
            "1e400",
            "9223372036854775808",
            "long ".repeat(2_000),
            "0",
            "`",
            "\uD83D\uDE00",
            "true");

    private record Call(String query, Map<String, Object> parameters) {}

    /** A procedure or function, the names and types of its arguments, and the types of its keys. */
    record Callable(String name, String kind, List<String> arguments, List<String> types, Map<String, String> keys) {}

    @Test
    void shouldAnswerAnythingWithATypedErrorAndLeaveNothing(TestReporter reporter) {
        TestDbms.clear();
        run(ProceduresTest.DIAMONDS);
        run("CREATE (n:Empty) DELETE n");
        run("MATCH (a)-[r:R]->() SET r.w = CASE a.name WHEN 'a' THEN 0 WHEN 'd' THEN 0.5 ELSE 3 END");
        List<Callable> callables = callables();
        long[] seeds = Long.getLong("proxima.fuzz.seed") != null
                ? new long[] {Long.getLong("proxima.fuzz.seed")}
                : new long[] {FIXED_SEED, new Random().nextLong()};
        reporter.publishEntry("seeds", Arrays.toString(seeds));
        call(callables, seeds[0], Math.min(CALLS, 200));
        long before = usedHeap();
        for (long seed : seeds) {
            call(callables, seed, CALLS / seeds.length);
        }
        dropGraphs();
        assertThat(run("CALL proxima.graph.list()")).isEmpty();
        assertThat(run("CALL proxima.memory.list()")).isEmpty();
        assertThat(JobRegistry.running("", true)).isEmpty();
        assertThat(run("SHOW TRANSACTIONS")).as("the transaction that asks").hasSize(1);
        assertThat(workersAtWork()).isEmpty();
        assertThat(usedHeap() - before).isLessThan(TOLERATED_BYTES);
    }

    private static void call(List<Callable> callables, long firstSeed, int calls) {
        for (int i = 0; i < calls; i++) {
            if (i % CALLS_BETWEEN_CLEARINGS == 0) {
                dropGraphs();
                run("CALL proxima.graph.project('g', 'N', {R: {properties: 'w'}})");
                run("CALL proxima.graph.project('two', ['N', 'Alone'], {R: {orientation: 'UNDIRECTED'}, S: {}})");
                run("CALL proxima.graph.project('empty', 'Empty', 'R')");
            }
            long seed = firstSeed + i;
            call(callables, seed);
        }
    }

    private static void call(List<Callable> callables, long seed) {
        Call call = null;
        try (Transaction transaction = TestDbms.database().beginTx()) {
            List<Object> nodes = new ArrayList<>();
            transaction.getAllNodes().forEach(nodes::add);
            call = new Generator(new Random(seed), nodes).call(callables);
            Result result = transaction.execute(call.query, call.parameters);
            while (result.hasNext()) {
                result.next();
            }
            transaction.commit();
        } catch (RuntimeException | Error e) {
            if (!isTyped(e)) {
                throw new AssertionError("seed=" + seed + ": " + call, e);
            }
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

    static void dropGraphs() {
        run("CALL proxima.graph.list() YIELD graphName CALL proxima.graph.drop(graphName) YIELD nodeCount RETURN 1");
    }

    private static List<String> workersAtWork() {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(thread -> thread.getKey().getName().startsWith("proxima"))
                .filter(thread -> Arrays.stream(thread.getValue())
                        .anyMatch(frame -> frame.getClassName().startsWith("io.proxima")))
                .map(thread -> thread.getKey().getName())
                .toList();
    }

    /** The live bytes. Neo4j's JVM flags make System.gc() do nothing; a class histogram collects garbage nevertheless. */
    private static long usedHeap() {
        try {
            ManagementFactory.getPlatformMBeanServer()
                    .invoke(
                            new ObjectName("com.sun.management:type=DiagnosticCommand"),
                            "gcClassHistogram",
                            new Object[] {new String[0]},
                            new String[] {String[].class.getName()});
        } catch (JMException e) {
            throw new IllegalStateException(e);
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
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
        run("CALL proxima.help() YIELD name, keys UNWIND keys AS key RETURN name, key.key AS key, key.type AS type")
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

        Generator(Random random, List<Object> nodes) {
            this.random = random;
            this.nodes = nodes;
        }

        Call call(List<Callable> callables) {
            Callable callable = callables.get(random.nextInt(callables.size()));
            Map<String, Object> parameters = new HashMap<>();
            if (callable.kind.equals("aggregation")) {
                List<Object> rows = new ArrayList<>();
                List<Object> first = arguments(callable);
                for (int row = random.nextInt(4); row > 0; row--) {
                    rows.add(random.nextInt(3) > 0 ? first : arguments(callable));
                }
                parameters.put("rows", rows);
                return new Call(
                        "UNWIND $rows AS row RETURN " + callable.name + "(row[0], row[1], row[2], row[3], row[4])",
                        parameters);
            }
            List<Object> arguments = arguments(callable);
            if (callable.name.equals("proxima.backend.calibrate") && arguments.get(0) instanceof Map<?, ?> given) {
                // not of a device that is there: it would take seconds, and change what the calls after it meet
                Map<Object, Object> elsewhere = new LinkedHashMap<>(given);
                elsewhere.put("device", "cuda:none");
                arguments = List.of(elsewhere);
            }
            for (int i = 0; i < arguments.size(); i++) {
                parameters.put("p" + i, arguments.get(i));
            }
            String list = parameters.keySet().stream()
                    .sorted()
                    .map(name -> "$" + name)
                    .collect(Collectors.joining(", "));
            return new Call(
                    (callable.kind.equals("procedure") ? "CALL " : "RETURN ") + callable.name + "(" + list + ")",
                    parameters);
        }

        private List<Object> arguments(Callable callable) {
            List<Object> arguments = new ArrayList<>();
            for (int i = 0; i < callable.arguments.size(); i++) {
                arguments.add(argument(callable, i));
            }
            return arguments;
        }

        /** A value of the declared type: others are refused by Neo4j before they come to us. */
        private Object argument(Callable callable, int at) {
            String name = callable.arguments.get(at);
            String type = callable.types.get(at);
            if (type.startsWith("STRING")) {
                return random.nextInt(20) == 0 ? null : random.nextInt(2) == 0 ? "g" : text();
            }
            if (type.startsWith("BOOLEAN")) {
                return random.nextBoolean();
            }
            if (type.startsWith("INTEGER")) {
                return random.nextInt(10) == 0 ? null : number();
            }
            if (type.startsWith("LIST<INTEGER")) {
                return random.nextInt(10) == 0 ? null : Arrays.asList(number(), number());
            }
            if (type.startsWith("MAP") || name.equals("configuration") || name.equals("dataConfig")) {
                return random.nextInt(20) == 0 ? null : configuration(callable);
            }
            if (name.endsWith("Node")) {
                return random.nextInt(8) == 0 ? value(0) : node();
            }
            return random.nextInt(3) == 0
                    ? value(0)
                    : List.of("N", "*", "R", "g").get(random.nextInt(4));
        }

        /** A configuration: often the keys that the call needs, some others of its own, few of others. */
        private Map<String, Object> configuration(Callable callable) {
            Map<String, Object> map = new LinkedHashMap<>();
            if (random.nextBoolean()) {
                for (String key : REQUIRED) {
                    if (callable.keys.containsKey(key) && random.nextInt(10) > 0) {
                        map.put(key, likely(key, callable.keys.get(key)));
                    }
                }
            }
            List<String> own = List.copyOf(callable.keys.keySet());
            for (int entries = random.nextInt(4); entries > 0; entries--) {
                boolean ofOthers = own.isEmpty() || random.nextInt(6) == 0;
                String key = ofOthers
                        ? OTHER_KEYS.get(random.nextInt(OTHER_KEYS.size()))
                        : own.get(random.nextInt(own.size()));
                Object value =
                        random.nextInt(4) == 0 ? value(0) : likely(key, callable.keys.getOrDefault(key, "STRING"));
                map.put(twisted(key), value);
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

        private Object likely(String key, String type) {
            if (key.endsWith("Labels") || key.endsWith("Types")) {
                return random.nextInt(8) == 0
                        ? List.of()
                        : new ArrayList<>(List.of(text(), key.endsWith("Labels") ? "N" : "R"));
            }
            if (key.equals("relationshipWeightProperty")) {
                return random.nextInt(6) == 0 ? text() : "w";
            }
            if (type.startsWith("INTEGER")) {
                return random.nextInt(3) == 0 ? number() : (Object) (long) random.nextInt(5);
            }
            if (type.startsWith("FLOAT")) {
                return random.nextInt(3) == 0 ? (Object) number() : (Object) (random.nextDouble() * 4);
            }
            if (type.startsWith("BOOLEAN")) {
                return random.nextBoolean();
            }
            return key.contains("Node") ? node() : text();
        }

        private Object node() {
            return random.nextInt(6) == 0 ? value(1) : nodes.get(random.nextInt(nodes.size()));
        }

        private Object value(int depth) {
            return switch (random.nextInt(depth > 2 ? 7 : 10)) {
                case 0 -> null;
                case 1 -> random.nextBoolean();
                case 2 -> number();
                case 3 -> DOUBLES.get(random.nextInt(DOUBLES.size())) * random.nextDouble();
                case 4, 5 -> text();
                case 6 -> random.nextInt(4) == 0 ? LocalDate.EPOCH : nodes.get(random.nextInt(nodes.size()));
                case 7 -> map(depth + 1);
                default -> list(depth + 1);
            };
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
