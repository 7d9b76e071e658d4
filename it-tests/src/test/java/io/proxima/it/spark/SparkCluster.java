// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.spark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A cluster of Spark's own manager on this host: a master, and workers of one processor with host names of their own,
 * as Spark starts a second attempt of a task on another host only.
 */
public final class SparkCluster implements AutoCloseable {

    private static final Pattern URL = Pattern.compile("Starting Spark master at (spark://\\S+)");

    private final List<SparkDriver> processes = new ArrayList<>();
    private final String url;

    /**
     * Starts a cluster.
     *
     * @param spark the installation
     * @param folder for logs and the workers' files
     * @param workers number of workers
     * @throws AssertionError if the master does not start
     */
    public SparkCluster(SparkHome spark, Path folder, int workers) throws IOException, InterruptedException {
        Files.createDirectories(folder);
        SparkDriver master = spark.start(
                folder.resolve("master.log"),
                List.of(),
                "org.apache.spark.deploy.master.Master",
                List.of("--host", "127.0.0.1", "--port", "0", "--webui-port", "0"));
        processes.add(master);
        boolean started = false;
        try {
            master.await("its address", () -> !url(master).isEmpty());
            url = url(master);
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

    private static String url(SparkDriver master) {
        Matcher started = URL.matcher(ExportedAirports.text(master.log()));
        return started.find() ? started.group(1) : "";
    }

    /** The value of spark.master. */
    public String url() {
        return url;
    }

    /** The executors that live. */
    public List<ProcessHandle> executors() {
        return processes.stream()
                .flatMap(process -> process.executors().stream())
                .toList();
    }

    /** Kills all processes. */
    @Override
    public void close() {
        processes.forEach(SparkDriver::close);
    }
}
