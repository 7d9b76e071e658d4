// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Asks Maven for the jars of a pom that is no module of the build. */
public final class MavenClassPath {

    private static final int LIMIT_MINUTES = 10;

    private MavenClassPath() {}

    /**
     * Resolves the dependencies of a pom.
     *
     * @param pom the pom
     * @param files where to write what Maven prints, without an ending
     * @param properties of the pom
     * @param mavenHome Maven's home
     * @param repository Maven's local repository
     * @param offline whether Maven is offline
     * @param failure what the exception says, before what Maven printed
     * @return the jars, separated as a class path is
     * @throws IllegalStateException if Maven fails
     */
    public static String of(
            Path pom,
            Path files,
            Map<String, String> properties,
            Path mavenHome,
            String repository,
            boolean offline,
            String failure)
            throws IOException, InterruptedException {
        Path output = Path.of(files + ".classpath");
        Path log = Path.of(files + ".log");
        List<String> command = new ArrayList<>(List.of(
                mavenHome.resolve("bin/mvn").toString(),
                "-B",
                "-ntp",
                "-f",
                pom.normalize().toString(),
                "-Dmaven.repo.local=" + repository,
                "-Dmdep.outputFile=" + output,
                "dependency:build-classpath"));
        properties.forEach((name, value) -> command.add("-D" + name + "=" + value));
        if (offline) {
            command.add("-o");
        }
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().putAll(Map.of("JAVA_HOME", System.getProperty("java.home")));
        Process process = builder.start();
        boolean ended = process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES);
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        if (!ended || process.exitValue() != 0) {
            throw new IllegalStateException(failure + "\n" + Files.readString(log));
        }
        return Files.readString(output).strip();
    }
}
