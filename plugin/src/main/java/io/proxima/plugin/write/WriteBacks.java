// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.write;

import io.proxima.plugin.catalog.GraphKey;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.neo4j.configuration.Config;
import org.neo4j.kernel.internal.GraphDatabaseAPI;

/**
 * Counts the transactions of write modes in a database. They set properties that projections do not read, so they make
 * no graph stale. Thread-safe.
 */
public final class WriteBacks {

    private static final Map<Database, WriteBacks> OF_DATABASES = new ConcurrentHashMap<>();

    private final AtomicLong count = new AtomicLong();

    private WriteBacks() {}

    /** Two DBMS of a JVM may have databases of the same id. */
    private record Database(Path dbms, UUID id) {}

    /** The write-backs to a database. */
    public static WriteBacks of(GraphDatabaseAPI database) {
        Path dbms = GraphKey.dbms(database.getDependencyResolver().resolveDependency(Config.class));
        UUID id = database.databaseId().databaseId().uuid();
        return OF_DATABASES.computeIfAbsent(new Database(dbms, id), unused -> new WriteBacks());
    }

    /** The number of transactions of the database up to one, without those of write modes. */
    public long transactionsOfOthers(long last) {
        return last - count.get();
    }

    /**
     * Counts a transaction before it commits. A transaction that was counted and is not in a projection yet makes its
     * graph stale; the other way round, a graph could miss the commit of another user.
     */
    void begin() {
        count.incrementAndGet();
    }

    /** Uncounts a transaction that did not commit. */
    void rolledBack() {
        count.decrementAndGet();
    }
}
