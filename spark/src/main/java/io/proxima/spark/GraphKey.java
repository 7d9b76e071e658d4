// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.spark;

import io.proxima.projection.file.GraphFileHeader;
import io.proxima.spark.ProximaSparkException.Reason;
import java.io.Serializable;

/**
 * The graph of a query, as the driver found it.
 *
 * @param path the file, as Hadoop's FileSystem takes it
 * @param fingerprint the fingerprint of its nodes and edges
 * @param digest the digest of its header
 * @param cacheDirectory the option
 */
record GraphKey(String path, String fingerprint, String digest, String cacheDirectory) implements Serializable {

    private static final long serialVersionUID = 1L;

    static GraphKey of(ScanOptions options, GraphFileHeader header) {
        return new GraphKey(
                options.graph(), header.fingerprint().toString(), header.digest(), options.cacheDirectory());
    }

    /** The name of the copy: the fingerprint alone would be that of equal edges with other properties, too. */
    String fileName() {
        return fingerprint + "-" + digest + ".proxima";
    }

    /**
     * Checks that a file is the one that the driver has seen.
     *
     * @throws ProximaSparkException if it is another one
     */
    void check(GraphFileHeader found) {
        if (!found.digest().equals(digest)) {
            throw new ProximaSparkException(
                    Reason.WRONG_GRAPH,
                    "The graph `" + path + "` is not the one that the driver has read: its fingerprint is "
                            + found.fingerprint() + ", exported from `"
                            + found.origin().graphName() + "` of "
                            + found.origin().created() + ", but "
                            + fingerprint + " is expected. Do not replace a graph while a query runs; if it is a local"
                            + " path, put the same file on every host.");
        }
    }
}
