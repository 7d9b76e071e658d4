// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.server;

import io.proxima.it.Unchecked;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Properties;

/** The Javas of this machine. Their versions are read from the file {@code release} that each has in its home. */
final class JavaHomes {

    /** The oldest Java that a server of Neo4j's current line runs on. */
    static final int CURRENT_LINE = 21;

    private JavaHomes() {}

    /**
     * The home with the lowest version that is not below {@code feature}.
     *
     * @return null if there is none
     */
    static Path oldest(int feature, Collection<Path> homes) {
        return homes.stream()
                .filter(home -> Files.isExecutable(executable(home)) && version(home) >= feature)
                .min(Comparator.comparingInt(JavaHomes::version).thenComparing(Path::toString))
                .orElse(null);
    }

    static Path executable(Path home) {
        return home.resolve("bin/java");
    }

    /** The feature version, 17 for 17.0.15; -1 if this is no home of a Java. */
    static int version(Path home) {
        Path release = home.resolve("release");
        if (!Files.isRegularFile(release)) {
            return -1;
        }
        try {
            String version = properties(release).getProperty("JAVA_VERSION", "").replace("\"", "");
            return Runtime.Version.parse(version).feature();
        } catch (IllegalArgumentException e) {
            return -1;
        }
    }

    /** The homes that environment variables name, as JAVA_HOME_21, and those beside the home of this Java. */
    static List<Path> candidates() {
        List<Path> homes = new ArrayList<>();
        System.getenv().forEach((name, value) -> {
            if (name.startsWith("JAVA_HOME") && !value.isBlank()) {
                homes.add(Path.of(value));
            }
        });
        homes.addAll(
                Unchecked.list(real(Path.of(System.getProperty("java.home"))).getParent()));
        return homes.stream()
                .filter(Files::isDirectory)
                .map(JavaHomes::real)
                .distinct()
                .toList();
    }

    private static Path real(Path path) {
        return Unchecked.get(() -> path.toRealPath());
    }

    /** Reads a file of properties. */
    static Properties properties(Path file) {
        Properties properties = new Properties();
        Unchecked.run(() -> {
            try (var in = Files.newBufferedReader(file)) {
                properties.load(in);
            }
        });
        return properties;
    }
}
