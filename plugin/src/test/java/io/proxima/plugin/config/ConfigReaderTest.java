// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.backend.select.TraversalBackends.Wanted;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.plugin.ProximaException;
import io.proxima.plugin.memory.HeapLedger;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The faults of each kind of key, to the letter, are in the table of bad calls. */
class ConfigReaderTest {

    private static final NodeArguments NODES = new NodeArguments(
            elementId -> {
                if (!elementId.startsWith("4:")) {
                    throw new IllegalArgumentException(elementId);
                }
                return Long.parseLong(elementId.substring(2));
            },
            new ArgumentBudget(Stop.NEVER, null));

    /** Reads the keys of a search that also writes, as the procedures do. */
    private static Map<String, Object> read(Map<String, Object> given) {
        ConfigReader reader = ConfigReader.of(new ArgumentBudget(Stop.NEVER, null), "configuration", given);
        reader.readNode(Key.of("sourceNode", ""), NODES);
        reader.readNodes(Key.of("targetNodes", List.of(), ""), NODES);
        reader.readInt(Key.of("maxDepth", -1, ""), -1);
        reader.readPropertyName(Key.of("writeProperty", ""));
        reader.readBoolean(Key.of("logProgress", true, ""));
        reader.readConcurrency(Key.<Integer>of("concurrency", "").absentMeans("4"), 4, 8);
        reader.readStrings(Key.of("nodeLabels", List.of("*"), ""));
        reader.readEnum(Key.of("backend", Wanted.AUTO, ""));
        reader.readJobId(Key.of("jobId", "", ""));
        return reader.finish();
    }

    @Test
    void shouldNotSuggestAKeyThatIsGiven() {
        assertThatThrownBy(() -> read(with("maxDepth", 1L, "maxDepths", 2L)))
                .hasMessage("Unexpected configuration key: maxDepths. `proxima.help` has the keys of each procedure.");
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
        return new TreeMap<>(map);
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
        try (HeapLedger.Promise promise = ledger.open(1)) {
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
