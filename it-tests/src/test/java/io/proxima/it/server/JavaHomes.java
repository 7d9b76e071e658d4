// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;

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
        Properties properties = new Properties();
        try (var in = Files.newBufferedReader(release)) {
            properties.load(in);
            String version = properties.getProperty("JAVA_VERSION", "").replace("\"", "");
            return Runtime.Version.parse(version).feature();
        } catch (IllegalArgumentException e) {
            return -1;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
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
        try (Stream<Path> siblings =
                Files.list(real(Path.of(System.getProperty("java.home"))).getParent())) {
            siblings.forEach(homes::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return homes.stream()
                .filter(Files::isDirectory)
                .map(JavaHomes::real)
                .distinct()
                .toList();
    }

    private static Path real(Path path) {
        try {
            return path.toRealPath();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
