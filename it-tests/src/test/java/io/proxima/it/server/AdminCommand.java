// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.server;

import io.proxima.it.Unchecked;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What the product's {@code neo4j-admin} runs, on the home of a server that does not run. */
public final class AdminCommand {

    private static final int LIMIT_MINUTES = 10;

    private AdminCommand() {}

    /**
     * Runs a command to its end. A {@code neo4j.conf} must be in the home.
     *
     * @param installation what the build laid out
     * @param home the server's home, not in use
     * @param arguments the command and its options
     * @throws IllegalStateException if it fails; the message has what it printed
     */
    public static void run(Installation installation, Path home, List<String> arguments) {
        Unchecked.run(() -> {
            Path output = Files.createDirectories(home.resolve("logs")).resolve("neo4j-admin.log");
            List<String> command = new ArrayList<>(List.of(
                    installation.java(),
                    "-Xmx1g",
                    // as of a short program: without these, it takes twice the processor time
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+UseSerialGC",
                    // as the product's own neo4j.conf has it
                    "--add-opens=java.base/java.nio=ALL-UNNAMED",
                    "-cp",
                    // plugins declare settings
                    home.resolve("plugins") + "/*" + File.pathSeparator + installation.serverClassPath(),
                    "org.neo4j.cli.AdminTool"));
            command.addAll(arguments);
            ProcessBuilder builder = new ProcessBuilder(command)
                    // where some commands leave a report
                    .directory(home.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile());
            builder.environment().put("NEO4J_HOME", home.toString());
            builder.environment().put("NEO4J_CONF", home.resolve("conf").toString());
            Process process = builder.start();
            boolean ended = process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES);
            process.destroyForcibly();
            if (!ended || process.exitValue() != 0) {
                throw new IllegalStateException("neo4j-admin " + String.join(" ", arguments) + " failed"
                        + (ended ? ", exit status " + process.exitValue() : ": no end in " + LIMIT_MINUTES + " minutes")
                        + "\n" + Files.readString(output));
            }
        });
    }
}
