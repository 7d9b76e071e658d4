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
package io.proxima.backend.saved;

import io.proxima.projection.GraphFingerprint;
import java.nio.file.Path;
import java.util.function.Consumer;

/** A folder of saved graphs with little free space. */
public final class FullFolder {

    private FullFolder() {}

    /** Opens the folder. */
    public static SavedGraphs in(Path folder, long freeBytes, Consumer<String> log) {
        GraphFingerprint.Key key = GraphFingerprint.Key.of(new byte[GraphFingerprint.Key.BYTES]);
        return new SavedGraphs(folder, key, () -> freeBytes, log);
    }
}
