// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm;

import io.proxima.plugin.call.Caller;
import io.proxima.plugin.call.Rows;
import io.proxima.projection.IdMap;

/** Scores in vertex order, as rows of a node id and a score. */
public final class ScoreRows<T> extends Rows<T> {

    /** Makes a row. */
    @FunctionalInterface
    public interface RowMaker<T> {
        /** The row of a node. */
        T make(long nodeId, double score);
    }

    private final IdMap ids;
    private final Scores scores;
    private final RowMaker<T> row;
    private int next;

    public ScoreRows(Caller caller, IdMap ids, Scores scores, RowMaker<T> row) {
        super(caller);
        this.ids = ids;
        this.scores = scores;
        this.row = row;
    }

    @Override
    protected T compute() {
        if (next == scores.count()) {
            return null;
        }
        int i = next++;
        return row.make(ids.toNeo4jId(scores.vertex(i)), scores.values()[i]);
    }
}
