// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.spark;

import io.proxima.projection.file.GraphFile;
import io.proxima.projection.file.GraphFileHeader;
import io.proxima.spark.ProximaSparkException.Reason;
import java.io.Serializable;
import org.apache.hadoop.conf.Configuration;

/**
 * The graph of a query, as the driver found it.
 *
 * @param path the file, as Hadoop's FileSystem takes it
 * @param fingerprint the fingerprint of its edges
 * @param digest the digest of its header, which differs for equal edges with other properties, too
 */
record GraphFileKey(String path, String fingerprint, String digest) implements Serializable {

    private static final long serialVersionUID = 1L;

    static GraphFileKey of(String path, GraphFileHeader header) {
        return new GraphFileKey(path, header.fingerprint().toString(), header.digest());
    }

    /**
     * Opens the file on an executor.
     *
     * @throws ProximaSparkException if it cannot be opened, or is not the file that the driver has read
     */
    GraphFile open(Configuration conf) {
        GraphFile file = HadoopInput.open(path, conf);
        GraphFileHeader found = file.header();
        if (found.digest().equals(digest)) {
            return file;
        }
        file.close();
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
