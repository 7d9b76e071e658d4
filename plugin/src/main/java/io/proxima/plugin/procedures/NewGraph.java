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

import io.proxima.plugin.ProximaException;
import io.proxima.plugin.catalog.GraphCatalog;
import io.proxima.plugin.catalog.GraphEntry;
import io.proxima.plugin.catalog.GraphKey;
import io.proxima.projection.GraphProjection;
import io.proxima.projection.Orientation;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.neo4j.storageengine.api.TransactionIdStore;

/** A graph on its way into the catalog; created before the first of its nodes is read. */
final class NewGraph {

    private final Caller caller;
    private final GraphKey key;
    private final boolean replace;
    private final TransactionIdStore transactions;
    private final long seen;

    NewGraph(Caller caller, GraphKey key, boolean replace) {
        this.caller = caller;
        this.key = key;
        this.replace = replace;
        this.transactions = caller.transactionIds();
        this.seen = Caller.lastClosed(transactions);
    }

    /**
     * Refuses a name before work is spent on it.
     *
     * @throws ProximaException if a graph has it already and is not to be replaced
     */
    static void requireFree(GraphKey key, boolean replace) {
        if (!replace) {
            GraphCatalog.requireFree(key);
        }
    }

    /**
     * Takes the graph in; a call that was stopped meanwhile leaves nothing behind.
     *
     * @param configuration the whole effective configuration of what made the graph
     * @param orientation of each projected type
     * @throws ProximaException if the name was taken meanwhile and is not to be replaced
     * @throws io.proxima.concurrent.StoppedException if the call was stopped
     */
    void keep(
            GraphProjection projection, Map<String, Object> configuration, Function<String, Orientation> orientation) {
        GraphEntry entry = new GraphEntry(
                key,
                projection,
                new GraphEntry.Details(
                        configuration,
                        schema(projection, type -> Map.of()),
                        schema(
                                projection,
                                type -> Map.of(
                                        "direction",
                                        orientation.apply(type) == Orientation.UNDIRECTED ? "UNDIRECTED" : "DIRECTED",
                                        "properties",
                                        Map.of())),
                        Instant.now(),
                        seen,
                        transactions::getLastCommittedTransactionId));
        // before the graph of that name that is to be replaced is gone
        caller.stop().check();
        GraphCatalog.add(entry, replace);
        if (caller.stop().requested()) {
            // killed, or the database stops and has cleared the catalog already
            GraphCatalog.drop(entry);
            caller.stop().check();
        }
    }

    private static Map<String, Object> schema(GraphProjection projection, Function<String, Object> ofType) {
        Map<String, Object> nodes = new LinkedHashMap<>();
        projection.labels().forEach(label -> nodes.put(label, Map.of()));
        Map<String, Object> relationships = new LinkedHashMap<>();
        projection.types().forEach(type -> relationships.put(type, ofType.apply(type)));
        return Map.of("graphProperties", Map.of(), "nodes", nodes, "relationships", relationships);
    }
}
