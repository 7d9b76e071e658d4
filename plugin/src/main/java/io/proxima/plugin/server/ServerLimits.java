// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.server;

import org.neo4j.configuration.Config;

/**
 * The limits of calls on threads.
 *
 * @param defaultConcurrency the number of threads of calls that request none
 * @param maxConcurrency the maximum number of threads of a call: the number of processors, or less by setting
 */
public record ServerLimits(int defaultConcurrency, int maxConcurrency) {

    /** The limits of a server. */
    public static ServerLimits of(Config config) {
        int most = Math.min(
                ProximaSettings.of(config, ProximaSettings.MAX_CONCURRENCY),
                Runtime.getRuntime().availableProcessors());
        return new ServerLimits(Math.min(ProximaSettings.of(config, ProximaSettings.CONCURRENCY), most), most);
    }
}
