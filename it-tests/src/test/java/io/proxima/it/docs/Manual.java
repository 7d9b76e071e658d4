// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The pages of the manual in this repository. */
public final class Manual {

    private Manual() {}

    /** Every page, in alphabetical order. */
    public static List<Path> pages() throws IOException {
        try (Stream<Path> files = Files.list(folder())) {
            return files.filter(file -> file.toString().endsWith(".adoc"))
                    .sorted()
                    .toList();
        }
    }

    /** A page by its name without the ending. */
    public static Path page(String name) {
        return folder().resolve(name + ".adoc");
    }

    public static ManualPage read(Path page) throws IOException {
        return new ManualPage(page.getFileName().toString(), Files.readString(page));
    }

    private static Path folder() {
        return Path.of(System.getProperty("proxima.it.directory"), "../../docs/modules/ROOT/pages")
                .normalize();
    }
}
