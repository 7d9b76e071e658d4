// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.spark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A cluster of Spark's own manager on this host: a master, and workers of one processor with host names of their own, as
 * Spark starts a second attempt of a task on another host only.
 */
public final class SparkCluster implements AutoCloseable {

    private static final Pattern URL = Pattern.compile("Starting Spark master at (spark://\\S+)");
    private static final int LIMIT_SECONDS = 60;
    private static final int PAUSE_MILLIS = 50;

    private final List<Process> processes = new ArrayList<>();
    private final String url;

    /**
     * Starts a cluster.
     *
     * @param spark the installation
     * @param folder for logs and the workers' files
     * @param workers number of workers
     * @throws IllegalStateException if the master does not start
     */
    public SparkCluster(SparkHome spark, Path folder, int workers) throws IOException, InterruptedException {
        Files.createDirectories(folder);
        Path log = folder.resolve("master.log");
        processes.add(spark.start(
                log,
                List.of(),
                "org.apache.spark.deploy.master.Master",
                List.of("--host", "127.0.0.1", "--port", "0", "--webui-port", "0")));
        boolean started = false;
        try {
            url = url(log);
            for (int worker = 0; worker < workers; worker++) {
                processes.add(spark.start(
                        folder.resolve("worker-" + worker + ".log"),
                        List.of(),
                        "org.apache.spark.deploy.worker.Worker",
                        List.of(
                                "--host",
                                "127.0.0." + (2 + worker),
                                "--port",
                                "0",
                                "--webui-port",
                                "0",
                                "--cores",
                                "1",
                                "--memory",
                                "1g",
                                "--work-dir",
                                folder.resolve("worker-" + worker).toString(),
                                url)));
            }
            started = true;
        } finally {
            if (!started) {
                close();
            }
        }
    }

    private static String url(Path log) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (System.nanoTime() < deadline) {
            Matcher started = URL.matcher(Files.readString(log));
            if (started.find()) {
                return started.group(1);
            }
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
        throw new IllegalStateException("Spark's master did not start:\n" + Files.readString(log));
    }

    /** The value of spark.master. */
    public String url() {
        return url;
    }

    /** The executors that live. */
    public List<ProcessHandle> executors() {
        return processes.stream()
                .flatMap(process -> SparkHome.executors(process).stream())
                .toList();
    }

    /** Kills all processes. */
    @Override
    public void close() {
        try {
            for (Process process : processes) {
                SparkHome.kill(process);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
