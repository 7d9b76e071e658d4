/*
 * Copyright 2026 The Proxima authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.proxima.plugin.procedures;

import io.proxima.projection.IdMap;

/** Scores in vertex order, as rows of a node id and a score. */
final class ScoreRows<T> extends Rows<T> {

    /** Makes a row. */
    @FunctionalInterface
    interface RowMaker<T> {
        /** The row of a node. */
        T make(long nodeId, double score);
    }

    private final IdMap ids;
    private final Scores scores;
    private final RowMaker<T> row;
    private int next;

    ScoreRows(Caller caller, IdMap ids, Scores scores, RowMaker<T> row) {
        super(caller);
        this.ids = ids;
        this.scores = scores;
        this.row = row;
    }

    @Override
    T compute() {
        if (next == scores.count()) {
            return null;
        }
        int i = next++;
        return row.make(ids.toNeo4jId(scores.vertex(i)), scores.values()[i]);
    }
}
