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

/** Is told where a run goes. Called on the run's thread; a run that falls back calls once more. */
@FunctionalInterface
public interface RunObserver {

    /** Nobody wants to know. */
    RunObserver NONE = (backend, reason) -> {};

    /**
     * A run begins on a backend.
     *
     * @param backend the backend's name, such as "cuda:0"
     * @param reason why it was taken; one sentence for the log
     */
    void runsOn(String backend, String reason);

    /**
     * How a run is done on a backend; told before it begins.
     *
     * @param order the order in which the graph lies, in words of the configuration key {@code order}
     * @param kernel the kernels that run, in words of the configuration key {@code kernel}; "cpu" where none do
     * @param reason why these; one sentence for the log, empty where nothing was chosen
     */
    default void runsWith(String order, String kernel, String reason) {}
}
