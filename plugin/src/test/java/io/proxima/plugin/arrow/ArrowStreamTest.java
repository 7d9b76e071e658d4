// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.arrow;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.concurrent.Stop;
import io.proxima.plugin.arrow.ArrowColumn.Kind;
import io.proxima.plugin.arrow.TestTable.Width;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Tables against the Java library of Arrow, and against a stream that is described byte by byte. */
class ArrowStreamTest {

    private static final double SHARE_MISSING = 0.2;
    private static final int MOST_ROWS = 20;

    @Property(tries = 300)
    void shouldWriteWhatArrowReads(@ForAll("tables") TestTable table, @ForAll @IntRange(min = 1, max = 7) int batch) {
        byte[] bytes = table.written(batch);
        assertThat(TestTable.readByArrow(bytes)).isEqualTo(table.columns());
        assertThat(TestTable.read(bytes)).isEqualTo(table);
    }

    @Property(tries = 300)
    void shouldReadWhatArrowWrites(
            @ForAll("tables") TestTable random, @ForAll Width width, @ForAll @IntRange(min = 1, max = 7) int batch) {
        TestTable table = random.in(width);
        byte[] bytes = table.writtenByArrow(width, batch);
        assertThat(TestTable.readByArrow(bytes)).hasSameSizeAs(table.columns());
        assertThat(TestTable.read(bytes)).isEqualTo(table);
    }

    @Provide
    Arbitrary<TestTable> tables() {
        return Arbitraries.integers().between(0, MOST_ROWS).flatMap(rows -> Arbitraries.of(Kind.class)
                .list()
                .ofMinSize(1)
                .ofMaxSize(4)
                .flatMap(kinds -> columns(kinds, rows).map(columns -> new TestTable(kinds, columns))));
    }

    private static Arbitrary<List<List<Object>>> columns(List<Kind> kinds, int rows) {
        Arbitrary<List<List<Object>>> columns = Arbitraries.just(List.of());
        for (Kind kind : kinds) {
            columns = columns.flatMap(before -> values(kind)
                    .injectNull(SHARE_MISSING)
                    .list()
                    .ofSize(rows)
                    .map(column -> {
                        List<List<Object>> all = new ArrayList<>(before);
                        all.add(column);
                        return all;
                    }));
        }
        return columns;
    }

    private static Arbitrary<Object> values(Kind kind) {
        return switch (kind) {
            case INTEGER -> Arbitraries.longs().asGeneric();
            case FLOAT -> Arbitraries.doubles().asGeneric();
            case STRING ->
                Arbitraries.of("a", "é", "€", "😀", "\0", "xyz")
                        .list()
                        .ofMaxSize(4)
                        .map(parts -> String.join("", parts));
            case FLOAT_LIST -> Arbitraries.doubles().list().ofMaxSize(4).asGeneric();
        };
    }

    /** The file says for each part where Arrow's documentation of the format prescribes it. */
    @Test
    void shouldWriteTheBytesOfTheGoldenFile() throws IOException {
        TestTable table = new TestTable(
                List.of(Kind.INTEGER, Kind.FLOAT, Kind.STRING, Kind.FLOAT_LIST),
                List.of(
                        List.of(1L, -2L, 3L),
                        Arrays.asList(0.5, null, 1e300),
                        Arrays.asList("FAE", null, "é"),
                        Arrays.asList(List.of(1.0, 2.0), null, List.of())));
        assertThat(HexFormat.of().formatHex(table.written(2))).isEqualTo(golden());
        assertThat(TestTable.readByArrow(HexFormat.of().parseHex(golden()))).isEqualTo(table.columns());
    }

    private static String golden() throws IOException {
        try (InputStream in = ArrowStreamTest.class.getResourceAsStream("/arrow-stream.txt")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .map(line -> line.replaceFirst("#.*", "").replace(" ", ""))
                    .collect(Collectors.joining());
        }
    }

    @Test
    void shouldEndABatchWithTheRowThatFillsIt() {
        int rows = 40_000;
        ArrowStream stream = new ArrowStream(
                List.of(new ArrowColumn("id", Kind.INTEGER), new ArrowColumn("text", Kind.STRING)),
                rows,
                rows,
                1,
                (row, part, to) -> {
                    to.get(0).add(row);
                    to.get(1).add("x".repeat(row == 100 ? 1_000_000 : 40));
                    return true;
                },
                () -> {},
                Stop.NEVER);
        List<byte[]> messages = TestTable.messages(stream);
        assertThat(messages).hasSizeBetween(30, 50);
        assertThat(messages).filteredOn(message -> message.length > 1_000_000).hasSize(1);
        assertThat(messages)
                .filteredOn(message -> message.length < 1_000_000)
                .allMatch(message -> message.length <= ArrowStream.BATCH_BYTES + 1000);
        assertThat(TestTable.readByArrow(TestTable.joined(messages)).get(0)).hasSize(rows);
    }

    @Test
    void shouldWriteATableWithoutRows() {
        TestTable empty = new TestTable(List.of(Kind.INTEGER, Kind.FLOAT_LIST), List.of(List.of(), List.of()));
        assertThat(TestTable.readByArrow(empty.written(5))).isEqualTo(empty.columns());
    }
}
