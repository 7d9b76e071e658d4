// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.call;

import static io.proxima.plugin.TestDbms.run;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.proxima.plugin.ProximaException;
import io.proxima.plugin.TestDbms;
import io.proxima.plugin.job.JobRegistry;
import io.proxima.plugin.memory.HeapLedger;
import io.proxima.testing.OwnTime;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.neo4j.graphdb.Transaction;
import org.neo4j.graphdb.TransactionTerminatedException;
import org.neo4j.kernel.api.exceptions.Status;

/**
 * Arguments of 100,000 elements or characters in every argument and key of every procedure and function: right, wrong
 * and repeated ones. Each call ends soon in a result or a typed, short error, hears a kill, and takes a bounded heap.
 */
@Tag("full")
class LongArgumentsTest {

    private static final int LENGTH = 100_000;
    private static final int LONGEST_MESSAGE = 2_500;

    /** Heap that a call may allocate for each element, garbage and Neo4j's own copies included. */
    private static final long BYTES_OF_ELEMENT = 4_000;

    /** Of the JVM's own time. The documented time is 200 ms. */
    private static final long LATEST_END_MILLIS = 1_000;

    /** Neo4j itself converts all elements without hearing a kill. */
    private static final long LATEST_END_OF_ANY_MILLIS = 5_000;

    /** Procedures that read a key by the same code as many others. */
    private static final int PROCEDURES_OF_A_KEY = 2;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private static final Map<String, Object> LONG_VALUES = new LinkedHashMap<>();

    private final List<Long> millisAfterKill = new ArrayList<>();

    @BeforeAll
    static void createGraph() {
        TestDbms.createDiamonds();
        LONG_VALUES.put("ids", LongStream.range(0, LENGTH).boxed().toList());
        LONG_VALUES.put(
                "names", IntStream.range(0, LENGTH).mapToObj(i -> "name" + i).toList());
        LONG_VALUES.put("repeated", Collections.nCopies(LENGTH, "N"));
        LONG_VALUES.put("text", "x".repeat(LENGTH));
        LONG_VALUES.put("map", IntStream.range(0, LENGTH).boxed().collect(Collectors.toMap(i -> "key" + i, i -> 1L)));
    }

    @AfterAll
    static void dropValues() {
        LONG_VALUES.clear();
        TestDbms.clear();
    }

    private record Call(String query, Map<String, Object> parameters) {
        @Override
        public String toString() {
            return query + " with "
                    + parameters.entrySet().stream()
                            .map(entry -> entry.getKey() + "=" + shown(entry.getValue()))
                            .toList();
        }

        private static String shown(Object value) {
            String text = value instanceof Map<?, ?> map
                    ? map.entrySet().stream()
                            .limit(2)
                            .map(entry -> entry.getKey() + ": " + shown(entry.getValue()))
                            .toList()
                            .toString()
                    : value instanceof List<?> list
                            ? list.stream().limit(3).toList().toString()
                            : String.valueOf(value);
            return text.substring(0, Math.min(60, text.length()));
        }
    }

    @Test
    void shouldEndEveryCallSoonAndWithAShortMessage(TestReporter reporter) {
        Random random = new Random(33);
        List<Call> calls = calls();
        for (Call call : calls) {
            TestDbms.dropGraphs();
            run("CALL proxima.graph.project('g', 'N', 'R')");
            end(call, random.nextInt(4) == 0 ? random.nextInt(100) : -1, LENGTH * BYTES_OF_ELEMENT);
        }
        assertNothingIsLeft();
        report(reporter, calls.size());
    }

    @Test
    void shouldEndCallsThatMultiplyTheirArguments(TestReporter reporter) {
        List<String> types = IntStream.range(0, 20_000).mapToObj(i -> "T" + i).toList();
        List<String> properties =
                IntStream.range(0, 20_000).mapToObj(i -> "p" + i).toList();
        Map<String, Object> withOwn = new LinkedHashMap<>();
        types.subList(0, 3_000).forEach(type -> withOwn.put(type, Map.of("properties", "own")));
        String project = "CALL proxima.graph.project('x', '*', $types, {relationshipProperties: $properties})";
        List<Call> calls = List.of(
                new Call(project, Map.of("types", types.subList(0, 3_000), "properties", properties.subList(0, 3_000))),
                new Call(project, Map.of("types", types, "properties", properties)),
                new Call(project, Map.of("types", withOwn, "properties", properties.subList(0, 3_000))),
                new Call(
                        project,
                        Map.of("types", Collections.nCopies(20_000, "R"), "properties", properties.subList(0, 1_000))),
                new Call(
                        "CALL proxima.graph.project.estimate('*', $types, {relationshipProperties: $properties,"
                                + " nodeCount: 10, relationshipCount: 10})",
                        Map.of("types", types.subList(0, 3_000), "properties", properties.subList(0, 3_000))),
                new Call("CALL proxima.graph.drop($names)", Map.of("names", types)),
                new Call(
                        "CALL proxima.bfs.stats('g', {sourceNode: 0, nodeLabels: $labels, relationshipTypes: $types})",
                        Map.of("labels", LONG_VALUES.get("ids"), "types", LONG_VALUES.get("ids"))));
        for (int kill : new int[] {-1, 20, 200}) {
            for (Call call : calls) {
                TestDbms.dropGraphs();
                run("CALL proxima.graph.project('g', 'N', 'R')");
                // of two lists
                end(call, kill, 2 * LENGTH * BYTES_OF_ELEMENT);
            }
        }
        assertNothingIsLeft();
        report(reporter, calls.size());
    }

    private static List<Call> calls() {
        List<Call> calls = new ArrayList<>();
        Map<String, Integer> timesOfKey = new HashMap<>();
        for (FuzzTest.Callable callable : FuzzTest.callables()) {
            for (int i = 0; i < callable.arguments().size(); i++) {
                String argument = callable.arguments().get(i);
                List<String> kinds = kinds(callable.types().get(i));
                for (String kind : kinds) {
                    if (timesOfKey.merge(argument + kind, 1, Integer::sum) <= PROCEDURES_OF_A_KEY) {
                        calls.add(call(callable, i, LONG_VALUES.get(kind)));
                    }
                }
                if (argument.endsWith("onfiguration") || argument.equals("dataConfig")) {
                    for (String key : callable.keys().keySet()) {
                        int times = timesOfKey.merge(key, 1, Integer::sum);
                        if (times <= PROCEDURES_OF_A_KEY) {
                            // another kind of value in each procedure
                            List<String> all = List.copyOf(LONG_VALUES.keySet());
                            calls.add(call(callable, i, Map.of(key, LONG_VALUES.get(all.get(2 * times % all.size())))));
                            calls.add(call(
                                    callable, i, Map.of(key, LONG_VALUES.get(all.get((2 * times + 1) % all.size())))));
                        }
                    }
                }
            }
        }
        return calls;
    }

    private static List<String> kinds(String type) {
        return type.startsWith("STRING")
                ? List.of("text")
                : type.startsWith("MAP")
                        ? List.of("map")
                        : type.startsWith("LIST<INTEGER")
                                ? List.of("ids")
                                : type.startsWith("ANY") || type.contains("|")
                                        ? List.copyOf(LONG_VALUES.keySet())
                                        : List.of();
    }

    /** A call with one long argument; the others are short and right. */
    private static Call call(FuzzTest.Callable callable, int at, Object value) {
        Map<String, Object> parameters = new HashMap<>();
        for (int i = 0; i < callable.arguments().size(); i++) {
            parameters.put(
                    "p" + i,
                    i == at
                            ? value
                            : right(
                                    callable.arguments().get(i),
                                    callable.types().get(i)));
        }
        return new Call(callable.query(), parameters);
    }

    private static Object right(String argument, String type) {
        return switch (argument) {
            case "sourceNode", "targetNode" -> 0L;
            case "nodeFilter", "relationshipFilter" -> "*";
            case "nodeLabels", "nodeProjection" -> "N";
            case "relationshipProjection" -> "R";
            default ->
                type.startsWith("STRING")
                        ? "g"
                        : type.startsWith("MAP")
                                ? Map.of()
                                : type.startsWith("BOOLEAN")
                                        ? (Object) false
                                        : type.startsWith("INTEGER") ? (Object) 1L : "g";
        };
    }

    /** Makes a call, which is killed after a time if that is not negative. */
    private void end(Call call, int killAfterMillis, long mostBytes) {
        long[] millis = {-1};
        AtomicBoolean ended = new AtomicBoolean();
        long before = THREADS.getCurrentThreadAllocatedBytes();
        try (Transaction transaction = TestDbms.database().beginTx()) {
            CompletableFuture<Void> kill = killAfterMillis < 0
                    ? CompletableFuture.completedFuture(null)
                    : CompletableFuture.runAsync(
                            () -> {
                                transaction.terminate();
                                OwnTime sinceKill = OwnTime.ofThisJvm();
                                while (!ended.get()) {
                                    LockSupport.parkNanos(1_000_000);
                                    millis[0] = sinceKill.elapsed().toMillis();
                                }
                            },
                            CompletableFuture.delayedExecutor(killAfterMillis, TimeUnit.MILLISECONDS));
            try {
                transaction.execute(call.query, call.parameters).forEachRemaining(row -> {});
            } catch (RuntimeException e) {
                requireTyped(call, e);
            } finally {
                ended.set(true);
                kill.join();
                if (killAfterMillis >= 0) {
                    millisAfterKill.add(Math.max(0, millis[0]));
                }
            }
        }
        assertThat(THREADS.getCurrentThreadAllocatedBytes() - before)
                .as("bytes allocated by %s", call)
                .isLessThan(mostBytes);
    }

    private static void requireTyped(Call call, RuntimeException failure) {
        assertThat(failure.getMessage()).as("%s", call).hasSizeLessThan(LONGEST_MESSAGE);
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof ProximaException
                    || cause instanceof TransactionTerminatedException
                    || Status.statusCodeOf(cause) == Status.Transaction.Terminated) {
                return;
            }
        }
        throw new AssertionError(call.toString(), failure);
    }

    private void report(TestReporter reporter, int calls) {
        long[] millis =
                millisAfterKill.stream().mapToLong(Long::longValue).sorted().toArray();
        reporter.publishEntry(
                "calls",
                calls + ", of which " + millis.length + " were killed; ms until their end: median "
                        + millis[millis.length / 2] + ", p99 " + millis[millis.length * 99 / 100] + ", "
                        + Arrays.toString(Arrays.copyOfRange(millis, Math.max(0, millis.length - 5), millis.length)));
        assertThat(millis[millis.length / 2]).isLessThan(LATEST_END_MILLIS);
        assertThat(millis[millis.length - 1]).isLessThan(LATEST_END_OF_ANY_MILLIS);
    }

    private static void assertNothingIsLeft() {
        TestDbms.dropGraphs();
        assertThat(JobRegistry.running("", true)).isEmpty();
        assertThat(HeapLedger.ofThisJvm().promised()).isZero();
    }
}
