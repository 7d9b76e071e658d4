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
 * Whether the caller wants the work to end early, as when its query was killed.
 *
 * <p>Implementations are thread-safe and cheap (well under a microsecond): workers ask at least every few
 * milliseconds, so that a killed query ends within 200 ms.
 */
@FunctionalInterface
public interface Stop {

    /** Work that nobody can stop. */
    Stop NEVER = () -> false;

    /** Returns whether the work is to end now; once true, always true. */
    boolean requested();

    /**
     * Ends the caller's work if that was requested.
     *
     * @throws StoppedException if the work is to end now
     */
    default void check() {
        if (requested()) {
            throw new StoppedException();
        }
    }
}
