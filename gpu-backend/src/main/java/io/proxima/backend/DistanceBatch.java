// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

/** The distances from a batch of sources to every vertex. */
public interface DistanceBatch {

    /** The index of the batch's first source in the run's source array. */
    int firstSource();

    /** The number of sources in this batch. */
    int sourceCount();

    /** The largest distance in the batch. */
    int depth();

    /**
     * The number of hops from a source to a vertex.
     *
     * @param source index within the batch, 0 to sourceCount() - 1
     * @param vertex vertex id space
     * @return the distance, {@link LoadedGraph#UNREACHED} if there is no path
     */
    int distance(int source, int vertex);
}
