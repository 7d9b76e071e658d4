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
package io.proxima.projection.store;

import io.proxima.projection.GraphSource;
import org.neo4j.graphdb.Transaction;

/** The graph that a transaction may see, with its caller's rights. */
public final class StoreSource implements GraphSource {

    private StoreSource() {}

    /**
     * The graph as the given transaction sees it.
     *
     * @param transaction the caller's transaction; read on the calling thread and, through execution contexts of it, on
     *     workers, until the projection returns
     */
    public static StoreSource of(Transaction transaction) {
        throw new UnsupportedOperationException(String.valueOf(transaction));
    }
}
