// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.it.server.Installation;
import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a release publishes, as far as each build has it. */
class ReleaseTest {

    private static final Path ROOT =
            Path.of(System.getProperty("proxima.it.directory"), "../..").normalize();

    private final Path plugin = Installation.built().plugin();

    /** The jar for Spark, which is on the class path. Its classes cannot be loaded here, without Spark. */
    private static Path sparkJar() throws IOException {
        URL inside = ReleaseTest.class.getResource("/io/proxima/spark/ProximaSource.class");
        return Path.of(URI.create(
                ((JarURLConnection) inside.openConnection()).getJarFileURL().toString()));
    }

    @Test
    void shouldContainNothingButProximaAndWhatTheLicencesName() throws IOException {
        assertThat(roots(sparkJar())).containsExactly("io/proxima/", "jcuda/", "lib/libJCuda");
        assertThat(roots(plugin))
                .containsExactly(
                        "io/proxima/",
                        "jcuda/",
                        "lib/libJCuda",
                        "linux/arm64/org/lwjgl/",
                        "linux/x64/org/lwjgl/",
                        "org/lwjgl/",
                        "windows/x64/org/lwjgl/");
        try (JarFile jar = new JarFile(sparkJar().toFile())) {
            assertThat(jar.stream().map(JarEntry::getName))
                    .contains("META-INF/services/org.apache.spark.sql.sources.DataSourceRegister", "META-INF/LICENSE")
                    .contains(
                            "io/proxima/spark/ClosenessJob.class", "io/proxima/backend/select/TraversalBackends.class")
                    .noneMatch(name -> name.startsWith("io/proxima/projection/store/"));
        }
        assertThat(Files.readString(ROOT.resolve("THIRD-PARTY-LICENSES.txt")))
                .contains("org.jcuda:jcuda and org.jcuda:jcuda-natives:", "Permission is hereby granted")
                .contains("org.lwjgl:lwjgl and org.lwjgl:lwjgl-vulkan:", "License: BSD-3-Clause")
                .contains("org.apache.arrow:arrow-format:", "com.google.flatbuffers:flatbuffers-java:")
                .contains("CUB of the CUDA Core Compute Libraries", "Redistributions in binary form");
    }

    private static Set<String> roots(Path path) throws IOException {
        Set<String> roots = new TreeSet<>();
        try (JarFile jar = new JarFile(path.toFile())) {
            for (Enumeration<JarEntry> entries = jar.entries(); entries.hasMoreElements(); ) {
                String name = entries.nextElement().getName();
                if (!name.endsWith("/") && !name.startsWith("META-INF/")) {
                    roots.add(name.replaceFirst(
                            "^(io/proxima/|lib/libJCuda|(?:(?:linux|windows)/\\w+/)?org/lwjgl/|[^/]*/?).*$", "$1"));
                }
            }
        }
        return roots;
    }

    /** So that nobody copies the jar without its libraries, too. */
    @Test
    void shouldLieBesideNoJarThatIsNotPacked() throws IOException {
        try (Stream<Path> files = Files.list(ROOT.resolve("plugin/target"))) {
            assertThat(files.map(file -> file.getFileName().toString()).filter(name -> name.endsWith(".jar")))
                    .isNotEmpty()
                    .allMatch(name -> name.startsWith("proxima-"));
        }
    }

    @Test
    void shouldCarryTheLicences() throws IOException {
        try (JarFile jar = new JarFile(plugin.toFile())) {
            for (String file : new String[] {"LICENSE", "THIRD-PARTY-LICENSES.txt"}) {
                try (InputStream in = jar.getInputStream(jar.getEntry("META-INF/" + file))) {
                    assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                            .isEqualTo(Files.readString(ROOT.resolve(file)));
                }
            }
        }
    }

    @Test
    void shouldHaveTheVersionOfTheManual() throws IOException {
        String version = version();
        String line = version.replaceFirst("^(\\d+\\.\\d+)\\..*$", "$1");
        assertThat(Files.readString(ROOT.resolve("docs/antora.yml"))).contains("version: '" + line + "'\n");
        assertThat(Files.readString(ROOT.resolve("docs/modules/ROOT/pages/install.adoc")))
                .as("the table of versions")
                .contains("\n| " + line + " |");
        String pom = Files.readString(ROOT.resolve("pom.xml"));
        assertThat(pom).contains("<revision>" + version + "</revision>");
        assertThat(Files.readString(ROOT.resolve("CITATION.cff"))).contains("\nversion: " + version + "\n");
    }

    /** The version that the jar states. */
    static String version() throws IOException {
        try (JarFile jar = new JarFile(Installation.built().plugin().toFile())) {
            return jar.getManifest().getMainAttributes().getValue(Attributes.Name.IMPLEMENTATION_VERSION);
        }
    }
}
