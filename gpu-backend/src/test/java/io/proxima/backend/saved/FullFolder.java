// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
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
