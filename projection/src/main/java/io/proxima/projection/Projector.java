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
package io.proxima.projection;

import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;

/** The one door from a source to a projection. */
public final class Projector {

    private Projector() {}

    /**
     * Projects a graph.
     *
     * @param source what is scanned
     * @param spec what to take of it
     * @param options how
     * @param stop asks the work to end early; nothing stays allocated then
     * @param progress is told the tasks "Scan nodes", "Scan relationships", "Build CSC"
     * @return the projection
     * @throws ProjectionException if the source lacks a label or type, or an endpoint lies outside and options validate
     */
    public static GraphProjection project(
            GraphSource source, ProjectionSpec spec, Options options, Stop stop, Progress progress) {
        throw new UnsupportedOperationException();
    }

    /**
     * How to project.
     *
     * @param concurrency threads that read and build, at least 1
     * @param validateRelationships whether an endpoint outside the projected nodes is an error instead of being left out
     */
    public record Options(int concurrency, boolean validateRelationships) {}
}
