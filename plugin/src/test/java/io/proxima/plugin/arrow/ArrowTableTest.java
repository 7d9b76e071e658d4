// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.arrow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.proxima.concurrent.Stop;
import io.proxima.plugin.ProximaException;
import io.proxima.plugin.arrow.ArrowColumn.Kind;
import io.proxima.plugin.arrow.ArrowTable.Cursor;
import io.proxima.plugin.arrow.TestTable.Width;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Bytes that are no table. {@code -Dproxima.arrow.mutations=100000} sets the number of mutations; a failure names the
 * seed, and {@code -Dproxima.arrow.seed=SEED -Dproxima.arrow.mutations=1} repeats it.
 */
class ArrowTableTest {

    private static final int MUTATIONS = Integer.getInteger("proxima.arrow.mutations", 5_000);
    private static final long FIRST_SEED = Long.getLong("proxima.arrow.seed", 0);

    /** Heap that a byte may take: a column of one byte is an object with a name. */
    private static final int HEAP_FOR_A_BYTE = 64;

    /** Heap that a refusal takes. */
    private static final int HEAP_OF_ANY_BYTES = 20_000;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private static final TestTable TABLE = new TestTable(
            List.of(Kind.INTEGER, Kind.FLOAT, Kind.STRING, Kind.FLOAT_LIST),
            List.of(
                    List.of(1L, -2L, 3L, 4L, 5L),
                    Arrays.asList(0.5, null, 1e300, 7.0, null),
                    Arrays.asList("FAE", null, "é", "", "x"),
                    Arrays.asList(List.of(1.0, 2.0), null, List.of(), List.of(3.0), List.of(4.0, 5.0, 6.0))));

    @Test
    void shouldReadOrRefuseMutatedBytesWithinHeapInProportionToThem() {
        List<byte[]> originals =
                new ArrayList<>(List.of(TABLE.written(2), TestTable.withOtherTypes(List.of(7L, 9L, 8L))));
        for (Width width : Width.values()) {
            originals.add(TABLE.in(width).writtenByArrow(width, 3));
        }
        int refused = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + MUTATIONS; seed++) {
            Random random = new Random(seed);
            byte[] bytes = mutated(originals.get(random.nextInt(originals.size())), random);
            long most = (long) HEAP_FOR_A_BYTE * bytes.length + HEAP_OF_ANY_BYTES;
            // the first time may load classes
            if (allocatedBy(bytes, seed) > most) {
                assertThat(allocatedBy(bytes, seed)).as("heap, seed %s", seed).isLessThanOrEqualTo(most);
            }
            refused += isRefused(bytes) ? 1 : 0;
        }
        assertThat(refused).isBetween(MUTATIONS / 4, MUTATIONS);
    }

    /** The heap that reading takes. */
    private static long allocatedBy(byte[] bytes, long seed) {
        long before = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
        try {
            isRefused(bytes);
        } catch (RuntimeException | Error e) {
            throw new AssertionError("seed " + seed, e);
        }
        return THREADS.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
    }

    private static boolean isRefused(byte[] bytes) {
        try {
            TestTable.read(bytes);
            return false;
        } catch (ProximaException e) {
            if (!e.getMessage().startsWith("The Arrow bytes cannot be loaded: ")) {
                throw e;
            }
            return true;
        }
    }

    private static byte[] mutated(byte[] original, Random random) {
        byte[] bytes = original.clone();
        switch (random.nextInt(5)) {
            case 0 -> bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length));
            case 1 -> {
                int from = random.nextInt(bytes.length);
                int to = random.nextInt(bytes.length);
                System.arraycopy(original, from, bytes, to, random.nextInt(bytes.length - Math.max(from, to)));
            }
            default -> {
                int[] extremes = {0, -1, 1, Integer.MAX_VALUE, Integer.MIN_VALUE, bytes.length, random.nextInt()};
                for (int i = random.nextInt(4); i >= 0; i--) {
                    int place = random.nextInt(bytes.length - Integer.BYTES);
                    if (random.nextBoolean()) {
                        bytes[place] = (byte) random.nextInt();
                    } else {
                        ByteBuffer.wrap(bytes)
                                .order(ByteOrder.LITTLE_ENDIAN)
                                .putInt(place / 4 * 4, extremes[random.nextInt(extremes.length)]);
                    }
                }
            }
        }
        return bytes;
    }

    @ParameterizedTest
    @CsvSource({"INTEGER", "FLOAT", "STRING", "FLOAT_LIST"})
    void shouldRefuseEachTruncation(Kind kind) {
        int column = TABLE.kinds().indexOf(kind);
        byte[] bytes = new TestTable(List.of(kind), List.of(TABLE.columns().get(column))).written(2);
        for (int length = 0; length < bytes.length; length++) {
            byte[] truncated = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> ArrowTable.of(truncated, Stop.NEVER))
                    .as("%s of %s bytes", length, bytes.length)
                    .isInstanceOf(ProximaException.class)
                    .hasMessageEndingWith(
                            "Give an uncompressed Arrow stream, such as `pyarrow.ipc.new_stream` writes.");
        }
    }

    @Test
    void shouldPassOverColumnsOfOtherTypes() {
        ArrowTable table = ArrowTable.of(TestTable.withOtherTypes(List.of(7L, 9L, 8L)), Stop.NEVER);
        assertThat(table.names())
                .containsExactly(
                        "key", "flag", "when", "price", "raw", "none", "pairs", "words", "kind", "sizes", "value");
        assertThat(table.rowCount()).isEqualTo(3);
        for (String name : List.of("key", "value")) {
            List<Long> read = new ArrayList<>();
            Cursor cursor = table.cursor(name);
            while (cursor.next()) {
                read.add(cursor.bits());
            }
            assertThat(read).as(name).containsExactly(7L, 9L, 8L);
        }
        assertThatThrownBy(() -> table.kind("flag"))
                .isInstanceOf(ProximaException.class)
                .hasMessageContaining("the column `flag` must be of 32 or 64-bit INTEGERs or FLOATs")
                .hasMessageEndingWith("Convert it, or name only other columns in `nodeProperties`.");
        assertThatThrownBy(() -> table.kind("kind"))
                .hasMessageContaining("the column `kind` is encoded by a dictionary. Convert it");
    }

    /** Whose parts in a batch are not known. */
    @Test
    void shouldTellToConvertColumnsThatCannotBePassedOver() {
        assertThatThrownBy(() -> ArrowTable.of(TestTable.withViews(), Stop.NEVER))
                .isInstanceOf(ProximaException.class)
                .hasMessageContaining("the column `view` must be of 32 or 64-bit INTEGERs or FLOATs")
                .hasMessageEndingWith("Convert it, or leave it out of the table.");
    }

    /** Names that share their bytes would otherwise take the square of their length. */
    @Test
    void shouldRefuseNamesThatAreLongerThanTheBytes() {
        List<ArrowColumn> columns = IntStream.range(0, 300)
                .mapToObj(i -> new ArrowColumn("x".repeat(500) + i, Kind.INTEGER))
                .toList();
        byte[] bytes = TestTable.joined(TestTable.messages(
                new ArrowStream(columns, 1, 0, 1, (element, part, row) -> false, () -> {}, Stop.NEVER)));
        assertThat(ArrowTable.of(bytes, Stop.NEVER).names()).hasSize(300);
        ByteBuffer changed = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        for (int place = 0; place < bytes.length - 4; place += 4) {
            // the lengths of the names
            if (changed.getInt(place) >= 501 && changed.getInt(place) <= 503) {
                changed.putInt(place, bytes.length - place - 100);
            }
        }
        assertThatThrownBy(() -> ArrowTable.of(bytes, Stop.NEVER))
                .isInstanceOf(ProximaException.class)
                .hasMessageContaining("the names of the columns are longer than the bytes");
    }
}
