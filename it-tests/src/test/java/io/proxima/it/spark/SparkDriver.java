// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.spark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * A process with Spark in it, such as a driver.
 *
 * @param log what it prints
 */
record SparkDriver(Process process, Path log) implements AutoCloseable {

    private static final int LIMIT_MINUTES = 5;

    /**
     * Waits for the process to do something.
     *
     * @throws AssertionError if it has ended, or takes too long
     */
    void await(String what, BooleanSupplier done) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(LIMIT_MINUTES);
        while (!done.getAsBoolean()) {
            if (!process.isAlive() || System.nanoTime() > deadline) {
                throw new AssertionError("Spark did not reach this: " + what + "\n" + Files.readString(log));
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    void await(Path file) throws IOException, InterruptedException {
        await(file.toString(), () -> Files.exists(file));
    }

    /**
     * Waits for the end of the process.
     *
     * @throws AssertionError if it fails, or takes too long
     */
    void end() throws IOException, InterruptedException {
        if (!process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES) || process.exitValue() != 0) {
            throw new AssertionError("Spark failed:\n" + Files.readString(log));
        }
    }

    /** The executors that it has started and that live. */
    List<ProcessHandle> executors() {
        return process.descendants()
                .filter(ProcessHandle::isAlive)
                .filter(child -> child.info()
                        .arguments()
                        .map(arguments -> List.of(arguments).stream()
                                .anyMatch(argument -> argument.endsWith("CoarseGrainedExecutorBackend")))
                        .orElse(false))
                .toList();
    }

    /** Ends the process and its executors at once, as a crash of the host would. */
    @Override
    public void close() {
        List<ProcessHandle> processes = process.descendants().toList();
        process.destroyForcibly();
        processes.forEach(ProcessHandle::destroyForcibly);
        process.onExit().join();
    }
}
