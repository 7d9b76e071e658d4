// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.plugin.TestDbms;
import java.util.Iterator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.neo4j.graphdb.Transaction;

class RowsTest {

    private static final int ROWS = 1000;

    @ParameterizedTest
    @CsvSource({"0, 128", "100, 128", "262144, 4", "1048576, 1", "99999999, 1"})
    void shouldProduceFewerLongRowsAhead(long bytes, int mostAhead) {
        try (Transaction transaction = TestDbms.database().beginTx()) {
            Numbers numbers = new Numbers(bytes);
            int greatest = 0;
            try (Stream<Numbered> rows = Rows.stream(caller(transaction), ROWS, 1, numbers, () -> {}, () -> {})) {
                Iterator<Numbered> each = rows.iterator();
                for (int row = 0; row < ROWS; row++) {
                    assertThat(each.next().number()).isEqualTo(row);
                    greatest = Math.max(greatest, numbers.produced - row);
                }
                assertThat(each.hasNext()).isFalse();
            }
            assertThat(greatest).isEqualTo(mostAhead);
            assertThat(Rows.heapBytes(bytes))
                    .as("with the row of the reader")
                    .isGreaterThanOrEqualTo(mostAhead * bytes);
        }
    }

    @Test
    void shouldCountTheRowOfTheReaderAndThoseOfABatch() {
        assertThat(Rows.heapBytes(0)).isZero();
        assertThat(Rows.heapBytes(100)).isEqualTo(129 * 100);
        assertThat(Rows.heapBytes(1 << 30)).isEqualTo((1 << 20) + 2L * (1 << 30));
    }

    private static Caller caller(Transaction transaction) {
        return TestDbms.caller(transaction, () -> {});
    }

    private record Numbered(int number, long heapBytes) implements Rows.Sized {}

    /** Rows of a given length. */
    private static final class Numbers implements Rows.Maker<Numbered> {
        private final long bytes;
        private int produced;

        Numbers(long bytes) {
            this.bytes = bytes;
        }

        @Override
        public Numbered row(int element, int part) {
            return new Numbered(produced++, bytes);
        }
    }
}
