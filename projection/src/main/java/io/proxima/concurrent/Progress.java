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
 * Receives the progress of a piece of work. A run is a sequence of tasks. Each task begins with its volume and advances
 * up to it.
 *
 * <p>Implementations are thread-safe: workers call {@link #advance} at any time.
 */
public interface Progress {

    /** Ignores all progress. */
    Progress NONE = new Progress() {
        @Override
        public void beginTask(Task task, long volume) {}

        @Override
        public void advance(long volume) {}
    };

    /**
     * Ends the previous task, if any, and begins the next one.
     *
     * @param task the kind of work
     * @param volume the sum of the units that {@link #advance} will report; may be an estimate, 0 means unknown
     */
    void beginTask(Task task, long volume);

    /** Adds completed units to the current task. */
    void advance(long volume);
}
