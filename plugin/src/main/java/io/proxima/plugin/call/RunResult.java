// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.call;

import io.proxima.memory.HeapPart;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * What a run has found, and what the modes make of it. Each supplier is called at most once; the columns are made
 * before the values, which may use up the result.
 *
 * @param elements number of elements that may have a row of the mode stream
 * @param rows supplies what makes the row of an element, which has one part
 * @param heapParts the heap that rows refer to
 * @param columns by name what the row of the other modes says of the result, beside the times and the counts of
 *     properties
 * @param values the values that the modes mutate and write set: those of the property, then those of the optional
 *     second one
 */
public record RunResult<T>(
        int elements,
        Supplier<Rows.Maker<T>> rows,
        List<HeapPart> heapParts,
        Supplier<Map<String, Object>> columns,
        Supplier<List<VertexValues>> values) {}
