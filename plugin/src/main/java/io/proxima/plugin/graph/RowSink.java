// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.graph;

import java.util.Map;

/** What becomes of the rows of a query: a graph, or an estimate. */
interface RowSink {

    /** Reserves memory for the next row, whose kind is known. */
    void expectRow();

    /**
     * Returns the result of the call.
     *
     * @param existenceUnknown whether nodes of the rows may not exist
     */
    Map<String, Object> finish(boolean existenceUnknown);
}
