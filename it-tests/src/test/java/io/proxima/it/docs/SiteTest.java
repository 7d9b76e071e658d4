// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.it.NodeJs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The manual becomes a site without a warning. */
@Tag("full")
class SiteTest {

    private static final Path DOCS =
            Path.of(System.getProperty("proxima.it.directory"), "../../docs").normalize();

    @Test
    void shouldBuildWithoutAWarningAndListEveryPageForPrograms(@TempDir Path repository)
            throws IOException, InterruptedException {
        Path docs = Files.createDirectory(repository.resolve("docs"));
        for (String name : List.of("antora.yml", "antora-playbook.yml", "extensions", "modules", "ui")) {
            copy(name, docs);
        }
        // Antora reads the files beside a commit, and accepts no linked worktree of git as a repository
        git(repository, "init", "--quiet");
        git(repository, "-c", "user.name=-", "-c", "user.email=-", "commit", "--quiet", "--allow-empty", "--message=-");
        Path packages = Files.createSymbolicLink(repository.resolve("node_modules"), DOCS.resolve("node_modules"));

        String output = NodeJs.run(
                docs,
                packages.resolve("antora"),
                packages.resolve("antora/bin/antora").toString(),
                "--log-failure-level=warn",
                "antora-playbook.yml");

        // a warning of JUnit, otherwise
        Files.delete(packages);
        assertThat(output).doesNotContainIgnoringCase("warn");
        Path site = docs.resolve("build/site");
        String listed = Files.readString(site.resolve("llms.txt"));
        String line = Files.readString(DOCS.resolve("antora.yml")).replaceAll("(?s).*version: '(.*?)'.*", "$1");
        for (Path page : Manual.pages()) {
            String address =
                    "proxima/" + line + "/" + page.getFileName().toString().replace(".adoc", ".html");
            assertThat(listed).containsPattern("- \\[.+]\\(" + address + "\\): .+\n");
            assertThat(site.resolve(address)).exists();
        }
    }

    private static void copy(String name, Path target) throws IOException {
        try (Stream<Path> files = Files.walk(DOCS.resolve(name))) {
            for (Path file : files.toList()) {
                Files.copy(file, target.resolve(DOCS.relativize(file).toString()));
            }
        }
    }

    private static void git(Path repository, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("git"));
        command.addAll(List.of(arguments));
        assertThat(new ProcessBuilder(command)
                        .directory(repository.toFile())
                        .inheritIO()
                        .start()
                        .waitFor())
                .isZero();
    }
}
