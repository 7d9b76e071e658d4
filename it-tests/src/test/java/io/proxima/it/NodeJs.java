// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Runs programs in Node.js. */
public final class NodeJs {

    private NodeJs() {}

    /**
     * Runs a program that must succeed. The test is skipped without Node.js, or without the packages of the program.
     *
     * @param folder the working directory
     * @param required the folder of the package without which it does not run
     * @return what it printed
     */
    public static String run(Path folder, Path required, String... program) throws IOException, InterruptedException {
        Optional<Path> node = Arrays.stream(System.getenv("PATH").split(File.pathSeparator, -1))
                .map(path -> Path.of(path, "node"))
                .filter(Files::isExecutable)
                .findFirst();
        assumeTrue(node.isPresent(), "Node.js is not in PATH");
        assumeTrue(Files.isDirectory(required), "run `npm ci` beforehand: there is no " + required);
        List<String> command = new ArrayList<>(List.of(node.get().toString()));
        command.addAll(List.of(program));
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as(output).isZero();
        return output;
    }
}
