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
package io.proxima.backend.task;

import io.proxima.concurrent.Task;

/** The tasks that backends report, each begun by the work that it names. */
public final class BackendTask {

    /** A breadth-first search; volume in vertices. */
    public static final Task BFS = Task.of("BFS");

    /** Searches from many sources; volume in sources. */
    public static final Task MULTI_SOURCE_BFS = Task.of("Multi-source BFS");

    /** The choice of the nearest source of each vertex, once the levels are known; volume in vertices. */
    public static final Task NEAREST_SOURCE = Task.of("Nearest source");

    /** Sums of distances; volume in sources. */
    public static final Task FARNESS = Task.of("Farness");

    /** An order of the vertices; on a device with the order as detail. */
    public static final Task ORDER_VERTICES = Task.of("Order vertices");

    /** Slice sets, made on the host or on the device of the detail; volume in entries. */
    public static final Task BUILD_BVSS = Task.of("Build BVSS");

    /** Records of balls, made on the device of the detail; volume in vertices. */
    public static final Task MAKE_RECORDS = Task.of("Make records");

    /** The copy of a graph to the device of the detail; volume in bytes. */
    public static final Task COPY = Task.of("Copy");

    /** A graph that a calibration measures on. */
    public static final Task MAKE_GRAPHS = Task.of("Make graphs");

    /** One group of numbers that a calibration measures; volume in trials. */
    public static final Task MEASURE = Task.of("Measure");

    private BackendTask() {}
}
