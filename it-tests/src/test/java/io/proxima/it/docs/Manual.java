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
