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
