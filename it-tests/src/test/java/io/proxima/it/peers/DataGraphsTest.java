// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.peers;

import io.proxima.it.data.DataServer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** What is compared on the graphs of {@link DataServer}: in one class, so that one JVM starts that server. */
@Tag("full")
class DataGraphsTest {

    @Nested
    class WithATextbook extends TextbookComparison {}

    @Nested
    class WithPeers extends PeerComparison {}

    @Nested
    class ExchangedWithGds extends GdsExchange {}
}
