// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.proxima.backend.select.TraversalBackends.Wanted;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.plugin.ProximaException;
import io.proxima.plugin.config.ConfigReader.KeyRead;
import io.proxima.plugin.memory.HeapLedger;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.neo4j.kernel.api.exceptions.Status;

class ConfigReaderTest {

    private static final NodeArguments NODES = new NodeArguments(
            elementId -> {
                if (!elementId.startsWith("4:")) {
                    throw new IllegalArgumentException(elementId);
                }
                return Long.parseLong(elementId.substring(2));
            },
            ArgumentBudget.unlimited());

    /** Reads the keys of a search that also writes, as the procedures do. */
    private static Map<String, Object> read(Map<String, Object> given) {
        ConfigReader reader = ConfigReader.of(ArgumentBudget.unlimited(), "configuration", given);
        reader.readNode(Key.of("sourceNode", ""), NODES);
        reader.readNodes(Key.of("targetNodes", List.of(), ""), NODES);
        reader.readInt(Key.of("maxDepth", -1, ""), -1, Integer.MAX_VALUE);
        reader.readPropertyName(Key.of("writeProperty", ""));
        reader.readBoolean(Key.of("logProgress", true, ""));
        reader.readConcurrency(Key.of("concurrency", ""), 4, 8, "4");
        reader.readStrings(Key.of("nodeLabels", List.of("*"), ""));
        reader.readEnum(Key.of("backend", Wanted.AUTO, ""));
        reader.readJobId(Key.of("jobId", ""));
        return reader.finish();
    }

    static Stream<Arguments> faults() {
        return Stream.of(
                Arguments.of(
                        without("sourceNode"),
                        "No value specified for the mandatory configuration parameter `sourceNode`"),
                Arguments.of(
                        with("sourceNode", null),
                        "No value specified for the mandatory configuration parameter `sourceNode`"),
                Arguments.of(
                        without("sourceNode", "sourceNodes", 1L),
                        "No value specified for the mandatory configuration parameter `sourceNode` (a similar parameter"
                                + " exists: [sourceNodes])"),
                Arguments.of(
                        without("writeProperty", "writePropery", "x"),
                        "No value specified for the mandatory configuration parameter `writeProperty` (a similar"
                                + " parameter exists: [writePropery])"),
                Arguments.of(
                        with("writeProperty", ""),
                        "No value specified for the mandatory configuration parameter `writeProperty`"),
                Arguments.of(
                        with("writeProperty", " x"),
                        "`writeProperty` must not end or begin with whitespace characters, but got ` x`."),
                Arguments.of(
                        with("writeProperty", 7L),
                        "The value of `writeProperty` must be of type `STRING` but was `INTEGER`."),
                Arguments.of(with("maxDeph", 1L), "Unexpected configuration key: maxDeph (Did you mean [maxDepth]?)"),
                Arguments.of(with("zzz", 1L), "Unexpected configuration key: zzz"),
                Arguments.of(
                        with("maxDepth", 1.5), "The value of `maxDepth` must be of type `INTEGER` but was `FLOAT`."),
                Arguments.of(
                        with("maxDepth", "2"), "The value of `maxDepth` must be of type `INTEGER` but was `STRING`."),
                Arguments.of(
                        with("maxDepth", -7L),
                        "Value for `maxDepth` was `-7`, but must be within the range [-1, 2147483647]."),
                Arguments.of(
                        with("maxDepth", 1L << 31),
                        "Value for `maxDepth` was `2147483648`, but must be within the range [-1, 2147483647]."),
                Arguments.of(
                        with("logProgress", 1L),
                        "The value of `logProgress` must be of type `BOOLEAN` but was `INTEGER`."),
                Arguments.of(
                        with("concurrency", 0L),
                        "Value for `concurrency` was `0`, but must be an INTEGER of at least 1."),
                Arguments.of(
                        with("concurrency", 1.0),
                        "The value of `concurrency` must be of type `INTEGER` but was `FLOAT`."),
                Arguments.of(
                        with("concurrency", 1L << 40),
                        "Value for `concurrency` was `1099511627776`, but must be an INTEGER of at least 1."),
                Arguments.of(
                        with("jobId", "j".repeat(257)), "`jobId` must have at most 256 characters, but it had 257."),
                Arguments.of(
                        with("jobId", "j\n2026-11-23 08:00:00.000+0000 ERROR"),
                        "`jobId` must not contain control characters such as line feeds, but it was"
                                + " `j?2026-11-23 08:00:00.000+0000 ERROR`."),
                Arguments.of(with("jobId", 7L), "The value of `jobId` must be of type `STRING` but was `INTEGER`."),
                Arguments.of(
                        with("nodeLabels", "Node"),
                        "The value of `nodeLabels` must be of type `LIST<STRING>` but was `STRING`."),
                Arguments.of(
                        with("nodeLabels", Collections.singletonList(null)),
                        "The elements of `nodeLabels` must be of type `STRING` but one was `null`."),
                Arguments.of(
                        with("backend", "tpu"),
                        "Value for `backend` was `tpu`, but must be one of ['auto', 'cuda', 'vulkan', 'cpu']."),
                Arguments.of(
                        with("sourceNode", 0.5),
                        "Failed to parse `sourceNode` as a single node ID. A NODE, an elementId STRING, an INTEGER id or a"
                                + " LIST with exactly one of them can be parsed, but this `FLOAT` cannot."),
                Arguments.of(
                        with("sourceNode", Collections.singletonList(null)),
                        "Failed to parse `sourceNode` as a single node ID. A NODE, an elementId STRING, an INTEGER id or a"
                                + " LIST with exactly one of them can be parsed, but this `null` cannot."),
                Arguments.of(
                        with("sourceNode", Map.of("id", 1L)),
                        "Failed to parse `sourceNode` as a single node ID. A NODE, an elementId STRING, an INTEGER id or a"
                                + " LIST with exactly one of them can be parsed, but this `MAP` cannot."),
                Arguments.of(
                        with("sourceNode", List.of(1L, 2L, 3L)),
                        "Failed to parse `sourceNode` as a single node ID. A LIST must have exactly one element, but this one"
                                + " has `3`."),
                Arguments.of(
                        with("sourceNode", "5:x"),
                        "Failed to parse `sourceNode`: the STRING `5:x` is not the elementId of a node of this"
                                + " database."),
                Arguments.of(
                        with("sourceNode", -1L),
                        "Negative node ids are not supported for the field `sourceNode`. Negative node ids: [-1]"),
                Arguments.of(
                        with("sourceNode", "-42"),
                        "Virtual nodes are not supported for the field `sourceNode`: only nodes of the database can be"
                                + " in a projection. Virtual node ids: [-42]"),
                Arguments.of(
                        with("targetNodes", Arrays.asList(1L, null)),
                        "Failed to parse `targetNodes` as a LIST of node IDs. A NODE, an elementId STRING, an INTEGER id or"
                                + " a LIST of these can be parsed, but this `null` cannot."),
                Arguments.of(
                        with("targetNodes", List.of(1L, -2L, -3L)),
                        "Negative node ids are not supported for the field `targetNodes`. Negative node ids: [-2, -3]"),
                Arguments.of(
                        with("MAXDEPTH", 1L, "maxDepth", 2L),
                        "The key `maxDepth` is given twice in `configuration`: keys are case-insensitive."));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void shouldTellTheFault(Map<String, Object> given, String message) {
        assertThatThrownBy(() -> read(given))
                .isInstanceOf(ProximaException.class)
                .hasMessage(message)
                .extracting(e -> ((ProximaException) e).status())
                .isEqualTo(Status.Statement.ArgumentError);
    }

    @Test
    void shouldTellAllFaultsTogetherAndUnknownKeysLast() {
        Map<String, Object> given = new HashMap<>();
        given.put("maxDepth", "2");
        given.put("bar", 1L);
        given.put("concurrency", 0L);
        given.put("nodeLabel", List.of());
        given.put("sourceNode", 1L);
        given.put("writeProperty", "x");
        assertThatThrownBy(() -> read(given))
                .hasMessage("Multiple errors in configuration arguments:"
                        + "\n\tThe value of `maxDepth` must be of type `INTEGER` but was `STRING`."
                        + "\n\tValue for `concurrency` was `0`, but must be an INTEGER of at least 1."
                        + "\n\tUnexpected configuration keys: bar, nodeLabel (Did you mean [nodeLabels]?)");
    }

    @Test
    void shouldNotSuggestAKeyThatIsGiven() {
        assertThatThrownBy(() -> read(with("maxDepth", 1L, "maxDepths", 2L)))
                .hasMessage("Unexpected configuration key: maxDepths");
    }

    @Test
    void shouldRefuseANullMap() {
        assertThatThrownBy(() -> read(null))
                .hasMessage("`configuration` can not be null. Give a map, {} for the defaults.");
    }

    @Test
    void shouldReadKeysInAnyCaseAndEchoDefaults() {
        Map<String, Object> effective = read(with("SOURCENODE", List.of("4:17"), "sourceNode", null, "MaxDepth", 3L));
        assertThat(effective)
                .containsEntry("sourceNode", 17L)
                .containsEntry("maxDepth", 3L)
                .containsEntry("targetNodes", List.of())
                .containsEntry("concurrency", 4L)
                .containsEntry("nodeLabels", List.of("*"))
                .containsEntry("backend", "auto")
                .containsEntry("writeProperty", "w");
        assertThat((String) effective.get("jobId")).hasSize(36);
        assertThat(effective.keySet()).first().isEqualTo("sourceNode");
    }

    private static Map<String, Object> with(Object... changes) {
        Map<String, Object> map = new HashMap<>(Map.of("sourceNode", 1L, "writeProperty", "w"));
        for (int i = 0; i < changes.length; i += 2) {
            map.put((String) changes[i], changes[i + 1]);
        }
        return new java.util.TreeMap<>(map);
    }

    private static Map<String, Object> without(String key, Object... changes) {
        Map<String, Object> map = with(changes);
        map.remove(key);
        return map;
    }

    @Test
    void shouldListTheKeysThatWereReadWithTheirDefaults() {
        ConfigReader reader = ConfigReader.of(ArgumentBudget.unlimited(), "configuration", Map.of("concurrency", 7L));
        reader.readConcurrency(Key.of("concurrency", ""), 4, 8, "4");
        reader.readConcurrency(Key.of("writeConcurrency", ""), Key.of("concurrency", ""), 4, 8);
        reader.readStrings(Key.of("nodeLabels", List.of("*"), ""));
        reader.readPropertyName(Key.of("writeProperty", ""));
        reader.readOptionalString(Key.of("username", "", ""), "the caller");
        reader.refuseProperties("nodeProperties");
        assertThat(reader.keys())
                .extracting(read -> read.key().name(), KeyRead::type, KeyRead::defaultValue)
                .containsExactly(
                        tuple("concurrency", "INTEGER", "4"),
                        tuple("writeConcurrency", "INTEGER", "`concurrency`"),
                        tuple("nodeLabels", "LIST<STRING>", "['*']"),
                        tuple("writeProperty", "STRING", KeyRead.MANDATORY),
                        tuple("username", "STRING", "the caller"));
    }

    @Test
    void shouldKeepMessagesShortHoweverManyFaultsThereAre() {
        Faults faults = new Faults();
        for (int i = 0; i < 100_000; i++) {
            faults.add("fault " + i % 50);
            faults.add("x".repeat(200) + i % 50);
        }
        assertThatThrownBy(faults::throwIfAny)
                .isInstanceOf(ProximaException.class)
                .hasMessageStartingWith("Multiple errors in configuration arguments:\n\tfault 0\n\tx")
                .extracting(failure -> failure.getMessage().length())
                .isEqualTo(2_000);
        assertThatThrownBy(() -> {
                    Faults few = new Faults();
                    IntStream.range(0, 25).forEach(i -> few.add("fault " + i));
                    few.throwIfAny();
                })
                .hasMessageEndingWith("\n\tfault 19\n\tand 5 more");
        assertThat(ProximaException.shortened("x".repeat(10_000)))
                .hasSize(2_000)
                .endsWith("x… (10000 characters)");
    }

    @Test
    void shouldPromiseTheHeapOfArgumentsAndRefuseThoseAboveTheirShare() {
        HeapLedger ledger = HeapLedger.ofThisJvm();
        long before = ledger.promised();
        try (HeapLedger.Promise promise = ledger.open()) {
            ArgumentBudget budget = new ArgumentBudget(Stop.NEVER, promise);
            budget.take("nodeLabels", 100_000, 100);
            assertThat(ledger.promised() - before).isEqualTo(10_000_000);
            assertThatThrownBy(() -> budget.take("sourceNodes", ledger.max() / 80, 10))
                    .isInstanceOf(ProximaException.class)
                    .hasMessageMatching("`sourceNodes` is too long with [\\d,]+ elements or characters: reading the"
                            + " arguments would take \\d+ MiB of heap, but may take at most \\d+ MiB, an eighth of it."
                            + " Give fewer, or raise `server.memory.heap.max_size`.");
        }
        assertThat(ledger.promised()).isEqualTo(before);
    }

    @Test
    void shouldHearAKillWhileItReads() {
        ArgumentBudget killed = new ArgumentBudget(() -> true, null);
        List<String> names = Collections.nCopies(10_000, "a");
        assertThatThrownBy(() -> ConfigReader.of(killed, "configuration", Map.of("nodeLabels", names))
                        .readStrings(Key.of("nodeLabels", List.of("*"), "")))
                .isInstanceOf(StoppedException.class);
    }
}
