// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.call;

import io.proxima.memory.HeapPart;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * What a run has found, and what the modes make of it. Each supplier is called at most once; the statistics are made
 * before the values, which may use up the result.
 *
 * @param streamed what the rows of the mode stream are made from
 * @param statistics by column what the row of the other modes says of the result, beside the distributions, the times
 *     and the counts of properties
 * @param distributions by column the distributions in that row, which are computed only if the query reads them
 * @param values the values that the modes mutate and write set: those of the property, then those of the optional
 *     second one
 * @param written called after the values have been written
 */
public record RunResult<T>(
        Streamed<T> streamed,
        Supplier<Map<String, Object>> statistics,
        Map<String, Supplier<Map<String, Object>>> distributions,
        Supplier<List<VertexValues>> values,
        Runnable written) {

    /** A result without distributions. */
    public RunResult(
            Streamed<T> streamed, Supplier<Map<String, Object>> statistics, Supplier<List<VertexValues>> values) {
        this(streamed, statistics, Map.of(), values, () -> {});
    }

    /**
     * What rows are made from.
     *
     * @param elements number of elements that may have rows
     * @param parts number of parts of each element
     * @param maker supplies what makes the row of a part
     * @param heapParts the heap that rows refer to
     * @param searching whether rows search while they are read: they then end the run
     */
    public record Streamed<T>(
            int elements, int parts, Supplier<Rows.Maker<T>> maker, List<HeapPart> heapParts, boolean searching) {

        /** Elements of one part. */
        public Streamed(int elements, Supplier<Rows.Maker<T>> maker, List<HeapPart> heapParts) {
            this(elements, 1, maker, heapParts, false);
        }

        /** Nothing, for the other modes. */
        public static <T> Streamed<T> none() {
            return new Streamed<>(0, () -> (element, part) -> null, List.of());
        }
    }

    /** This result with a distribution. */
    public RunResult<T> with(String column, Supplier<Map<String, Object>> distribution) {
        return new RunResult<>(streamed, statistics, Map.of(column, distribution), values, written);
    }

    /** This result, with work after its values have been written. */
    public RunResult<T> whenWritten(Runnable work) {
        return new RunResult<>(streamed, statistics, distributions, values, work);
    }
}
