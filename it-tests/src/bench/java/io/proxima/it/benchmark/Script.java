// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.benchmark;

import io.proxima.it.Unchecked;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A program in another language than Java.
 *
 * @param command the interpreter, the file, and the first arguments
 */
record Script(List<String> command) {

    /** A file of the module it-tests. */
    Script(String interpreter, String file, String... arguments) {
        this(Stream.concat(
                        Stream.of(
                                interpreter,
                                Path.of(System.getProperty("proxima.it.directory"), "..", file)
                                        .normalize()
                                        .toString()),
                        Stream.of(arguments))
                .toList());
    }

    /**
     * Runs the program; returns the lines that it prints. Its errors go to those of this JVM.
     *
     * @throws IllegalStateException if it fails
     */
    List<String> lines(Object... arguments) {
        List<String> all = new ArrayList<>(command);
        Stream.of(arguments).map(String::valueOf).forEach(all::add);
        return Unchecked.get(() -> {
            Process process = new ProcessBuilder(all)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException(command + " failed\n" + output);
            }
            return output.lines().toList();
        });
    }
}
