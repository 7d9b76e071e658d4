// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.plugin.TestDbms;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.neo4j.kernel.impl.coreapi.InternalTransaction;
import org.neo4j.kernel.internal.GraphDatabaseAPI;

class TransactionEndTest {

    private static final int THREADS = 4;
    private static final int TRANSACTIONS = 5_000;

    @Test
    void shouldHearEveryEndWhileOthersStopListening() {
        GraphDatabaseAPI database = TestDbms.database();
        List<CompletableFuture<Void>> users = IntStream.range(0, THREADS)
                .mapToObj(user -> CompletableFuture.runAsync(() -> {
                    for (int i = 0; i < TRANSACTIONS; i++) {
                        try (InternalTransaction transaction = (InternalTransaction) database.beginTx();
                                TransactionEnd end = TransactionEnd.of(database, transaction, ended -> {})) {
                            transaction.rollback();
                            assertThat(end.outcome()).isEqualTo(TransactionEnd.Outcome.ROLLED_BACK);
                        }
                    }
                }))
                .toList();
        users.forEach(CompletableFuture::join);
    }
}
