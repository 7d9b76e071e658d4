// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.projection.IdMap;
import io.proxima.projection.file.NodeColumn.Kind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NodeValuesTest {

    private static final IdMap IDS = IdMap.of(new long[] {3, 5, 8, 13});
    private static final String PREFIX = "4:db:";

    @TempDir
    private Path folder;

    @Test
    void shouldReadIntegersAndFloatsOfNodesInAnyOrder() throws IOException {
        NodeValues.Read read = read("""
                rank,elementId,share,gap
                9223372036854775807,4:db:13,-1e3,
                "-2","4:db:3",7,
                ,4:db:8,.5,
                """);

        assertThat(read.rowCount()).isEqualTo(3);
        assertThat(read.columns()).extracting(NodeColumn::name).containsExactly("rank", "share", "gap");
        NodeColumn rank = read.columns().get(0);
        assertThat(rank.kind()).isEqualTo(Kind.INTEGER);
        assertThat(rank.labels()).containsExactly("N");
        assertThat(bits(rank)).containsExactly(-2, rank.noValue(), rank.noValue(), Long.MAX_VALUE);
        NodeColumn share = read.columns().get(1);
        assertThat(share.kind()).isEqualTo(Kind.FLOAT);
        assertThat(share.noValue()).isEqualTo(Double.doubleToRawLongBits(Double.NaN));
        assertThat(doubles(share)).containsExactly(7, Double.NaN, 0.5, -1000);
        assertThat(bits(read.columns().get(2)))
                .as("of a column without values")
                .containsOnly(read.columns().get(2).noValue());
    }

    @Test
    void shouldSkipTheByteOrderMarkOfSpreadsheets() throws IOException {
        Path file = write("bom.csv", "\uFEFFelementId,a\n4:db:3,1\n");

        assertThat(NodeValues.names(file)).containsExactly("a");
        assertThat(read("\uFEFFelementId,a\n4:db:3,1\n").columns())
                .extracting(NodeColumn::name)
                .containsExactly("a");
    }

    @Test
    void shouldTurnTheIntegersBeforeAFloatToFloats() throws IOException {
        NodeColumn value = read("elementId,value\n4:db:3,1\n4:db:13,Infinity\n4:db:5,NaN\n4:db:8,-0.0\n")
                .columns()
                .get(0);
        assertThat(doubles(value)).containsExactly(1, Double.NaN, -0.0, Double.POSITIVE_INFINITY);
    }

    @Test
    void shouldReadFilesOfWhichEachHasItsOwnOrderOfColumns() throws IOException {
        Path one = write("1.csv", "elementId,a,b\n4:db:3,1,2\n");
        Path other = write("2.csv", "b,elementId,a\n4,4:db:5,3\n");
        assertThat(NodeValues.names(other)).containsExactly("b", "a");
        NodeValues.Read read = read(List.of(one, other), List.of("b"));
        assertThat(read.columns()).extracting(NodeColumn::name).containsExactly("b");
        assertThat(bits(read.columns().get(0))).startsWith(2, 4);

        assertThatThrownBy(() -> read(List.of(one, write("3.csv", "elementId,a\n")), NodeValues.names(one)))
                .hasMessageContaining(
                        "3.csv cannot be loaded: line 1: it must have the columns [a, b], but has [elementId, a]");
        assertThatThrownBy(() -> read(List.of(one, one), List.of("a")))
                .hasMessageContaining("line 2: the node 4:db:3 is there twice");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "''~line 1: the first line must name the columns, and one must be `elementId`, but it has []",
                "a,b~one must be `elementId`, but it has [a, b]",
                "elementId~it must have a column besides `elementId`, but has [elementId]",
                "elementId,a,a~the names of the columns must differ",
                "elementId, ~every column must have a name",
                "elementId,a|4:db:4,1~line 2: the node 4:db:4 is not in the graph",
                "elementId,a|4:db:3,1|4:other:5,1~line 3: `4:other:5` is not an elementId of this database; those begin with `4:db:`",
                "elementId,a|4:db:-3,1~`4:db:-3` is not an elementId",
                "elementId,a|4:db:,1~`4:db:` is not an elementId",
                "elementId,a|4:db:9999999999999999999999,1~is not an elementId",
                "elementId,a|4:db:3,x~line 2: a value must be an integer or a floating-point number of 64 bits, or empty, but one is `x`",
                "elementId,a|4:db:3,9223372036854775808~but one is `9223372036854775808`",
                "elementId,a|4:db:3,-9223372036854775808~but one is `-9223372036854775808`",
                "elementId,a|4:db:3,0.5|4:db:5,9223372036854775808~but one is `9223372036854775808`",
                "elementId,a|4:db:3,0.5|4:db:5,-9223372036854775808~but one is `-9223372036854775808`",
                "elementId,a|4:db:3,1e400~a floating-point number of 64 bits, or empty, but one is `1e400`",
                "elementId,a|4:db:3,0.5|4:db:5,-1.8e308~but one is `-1.8e308`",
                "elementId,a|4:db:3,1.5|4:db:5,1f~but one is `1f`",
                "elementId,a|4:db:3,0x1p3~but one is `0x1p3`",
                "elementId,a|4:db:3~is not a CSV file: ",
                "elementId,a|4:db:3,1,2~is not a CSV file: ",
                "elementId,a|4:db:3,\"1~is not a CSV file: ",
            })
    void shouldRefuseWithFileAndLine(String content, String message) throws IOException {
        Path file = write("bad.csv", content.replace('|', '\n'));
        assertThatThrownBy(() -> read(List.of(file), NodeValues.names(file)))
                .isInstanceOf(GraphFileException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1.", ".", "1e"})
    void shouldRefuseALongFieldAtOnceAndShowItsBeginning(String start) throws IOException {
        Path file = write("long.csv", "elementId,a\n4:db:3," + start + "1".repeat(1_000_000) + "x\n");
        assertTimeoutPreemptively(
                Duration.ofMinutes(5), () -> assertThatThrownBy(() -> read(List.of(file), NodeValues.names(file)))
                        .isInstanceOf(GraphFileException.class)
                        .hasMessageContaining("line 2: a value must be")
                        .hasMessageEndingWith("`" + (start + "1".repeat(100)).substring(0, 100) + "…`."));
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "elementId,,x", "elementId,x,x"})
    void shouldShowTheBeginningOfALongFirstLine(String start) throws IOException {
        String names = start.replace("x", "n".repeat(1_000_000)) + ",a".repeat(start.equals("x") ? 1_000 : 0);
        Path file = write("wide.csv", names + "\n4:db:3\n");
        assertThatThrownBy(() -> read(List.of(file), NodeValues.names(file)))
                .isInstanceOf(GraphFileException.class)
                .message()
                .contains("line 1: ", "n".repeat(100) + "…")
                .hasSizeLessThan(1_000);
    }

    /** A name would be another one. */
    @Test
    void shouldRefuseNamesThatAreNotInUtf8() throws IOException {
        Path file = folder.resolve("latin.csv");
        Files.write(file, "elementId,gr\u00f6\u00dfe\n4:db:3,1\n".getBytes(StandardCharsets.ISO_8859_1));
        assertThatThrownBy(() -> read(List.of(file), NodeValues.names(file)))
                .isInstanceOf(GraphFileException.class)
                .hasMessageContaining("latin.csv cannot be loaded: line 1: the name of the column `gr")
                .hasMessageEndingWith("is not in UTF-8. Write the file in UTF-8.");
    }

    @Test
    void shouldNotLeaveOutAColumnThatOnlyALaterFileHas() throws IOException {
        Path first = write("1.csv", "elementId,a,b\n4:db:3,1,2\n");
        Path same = write("2.csv", "b,elementId,a\n2,4:db:5,1\n");
        assertThat(NodeValues.names(List.of(first, same), Stop.NEVER)).containsExactly("a", "b");
        for (String header : List.of("elementId,a,b,c", "elementId,a")) {
            Path other = write("3.csv", header + "\n");
            assertThatThrownBy(() -> NodeValues.names(List.of(first, same, other), Stop.NEVER))
                    .isInstanceOf(GraphFileException.class)
                    .hasMessageContaining("3.csv cannot be loaded: line 1: besides `elementId` it has the columns [a")
                    .hasMessageContaining("but the first file has [a, b]. Name the columns");
        }
    }

    @Test
    void shouldRefuseAFileThatIsNotThere() {
        assertThatThrownBy(() -> read(List.of(folder.resolve("none.csv")), List.of("a")))
                .isInstanceOf(GraphFileException.class)
                .hasMessageContaining("none.csv cannot be read: ");
        assertThatThrownBy(() -> NodeValues.names(folder.resolve("none.csv")))
                .hasMessageContaining("none.csv cannot be read: ");
    }

    @Test
    void shouldEndWhenStopped() throws IOException {
        int count = 100_000;
        Path file = write(
                "long.csv",
                IntStream.range(0, count)
                        .mapToObj(id -> PREFIX + id + "," + id)
                        .collect(Collectors.joining("\n", "elementId,a\n", "\n")));
        Path wide = write("wide.csv", "elementId,a,b,c,d,e\n");
        IdMap ids = IdMap.of(IntStream.range(0, count).asLongStream().toArray());
        for (Path one : List.of(file, wide)) {
            assertThatThrownBy(() -> NodeValues.read(
                            List.of(one), ids, PREFIX, Set.of("N"), List.of("a"), () -> true, Progress.NONE))
                    .isInstanceOf(StoppedException.class);
        }
    }

    @Test
    void shouldHearAStopWithinALongRecord() throws IOException {
        Path file = write("record.csv", "elementId,a\n4:db:3," + " ".repeat(10_000_000));
        AtomicInteger asked = new AtomicInteger();
        assertThatThrownBy(() -> NodeValues.read(
                        List.of(file),
                        IDS,
                        PREFIX,
                        Set.of("N"),
                        List.of("a"),
                        () -> asked.incrementAndGet() == 50,
                        Progress.NONE))
                .isInstanceOf(StoppedException.class);
    }

    private NodeValues.Read read(String content) throws IOException {
        Path file = write("values.csv", content);
        return read(List.of(file), NodeValues.names(file));
    }

    private static NodeValues.Read read(List<Path> files, List<String> names) {
        return NodeValues.read(files, IDS, PREFIX, Set.of("N"), names, Stop.NEVER, Progress.NONE);
    }

    private Path write(String name, String content) throws IOException {
        return Files.writeString(folder.resolve(name), content);
    }

    private static long[] bits(NodeColumn column) {
        return IntStream.range(0, IDS.size()).mapToLong(column.bits()).toArray();
    }

    private static double[] doubles(NodeColumn column) {
        return IntStream.range(0, IDS.size())
                .mapToDouble(vertex -> Double.longBitsToDouble(column.bits().applyAsLong(vertex)))
                .toArray();
    }
}
