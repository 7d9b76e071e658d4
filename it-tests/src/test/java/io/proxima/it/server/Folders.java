// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Folders with all that is in them. */
public final class Folders {

    private Folders() {}

    /** Copies what is in a folder into another, which exists. */
    public static void copy(Path from, Path to) throws IOException {
        List<Path> inside;
        try (Stream<Path> paths = Files.walk(from)) {
            inside = paths.filter(path -> !path.equals(from)).toList();
        }
        for (Path path : inside) {
            Files.copy(path, to.resolve(from.relativize(path)));
        }
    }

    static void delete(Path folder) throws IOException {
        List<Path> inside;
        try (Stream<Path> paths = Files.walk(folder)) {
            inside = paths.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : inside) {
            Files.delete(path);
        }
    }
}
