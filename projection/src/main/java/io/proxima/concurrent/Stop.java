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
package io.proxima.concurrent;

/**
 * A request to end work early, for example because its query was killed.
 *
 * <p>Implementations are thread-safe and cheap (well below a microsecond). Workers call them at least every few
 * milliseconds, so that a killed query ends within 200 ms.
 */
@FunctionalInterface
public interface Stop {

    /** Never requests a stop. */
    Stop NEVER = () -> false;

    /** Returns whether the work must end now; once true, always true. */
    boolean requested();

    /**
     * Throws an exception if the stop was requested.
     *
     * @throws StoppedException if the stop was requested
     */
    default void check() {
        if (requested()) {
            throw new StoppedException();
        }
    }
}
