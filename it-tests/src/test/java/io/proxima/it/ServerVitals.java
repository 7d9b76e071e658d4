// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it;

import io.proxima.it.server.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a server's process holds, as the JDK's tools and the operating system see it from outside. */
public final class ServerVitals {

    private static final Pattern HISTOGRAM_LINE = Pattern.compile("\\s*\\d+:\\s+(\\d+)\\s+(\\d+)\\s+(\\S+).*");
    private static final Pattern TOTAL_LINE = Pattern.compile("Total\\s+(\\d+)\\s+(\\d+).*");

    private final ServerProcess server;

    public ServerVitals(ServerProcess server) {
        this.server = server;
    }

    /** The threads that execute code of Proxima's now, each with its stack. */
    public List<String> threadsInProxima() {
        return threads().stream()
                .filter(thread -> thread.contains("at io.proxima."))
                .toList();
    }

    /** Every thread, each with its stack. */
    public List<String> threads() {
        return Arrays.stream(jcmd("Thread.print").split("\n\n", -1))
                .filter(block -> block.startsWith("\""))
                .toList();
    }

    /** What is reachable on the heap, after a full collection; lambdas without a state are not listed. */
    public Heap heap() {
        long total = -1;
        Map<String, Long> instances = new TreeMap<>();
        for (String line : jcmd("GC.class_histogram").lines().toList()) {
            Matcher matcher = HISTOGRAM_LINE.matcher(line);
            if (matcher.matches()
                    && matcher.group(3).startsWith("io.proxima.")
                    && !matcher.group(3).contains("$$Lambda")) {
                instances.merge(matcher.group(3), Long.parseLong(matcher.group(1)), Long::sum);
            }
            matcher = TOTAL_LINE.matcher(line);
            if (matcher.matches()) {
                total = Long.parseLong(matcher.group(2));
            }
        }
        if (total < 0) {
            throw new AssertionError("No total in the histogram of the heap");
        }
        return new Heap(total, instances);
    }

    /**
     * What is reachable on the heap.
     *
     * @param bytes of all objects
     * @param proximasInstances how many objects of each class of Proxima's there are, by the name of the class
     */
    public record Heap(long bytes, Map<String, Long> proximasInstances) {

        /** How many objects there are of a class, by its name without the package. */
        public long instancesOf(String simpleName) {
            return proximasInstances.entrySet().stream()
                    .filter(entry -> entry.getKey().endsWith("." + simpleName))
                    .mapToLong(Map.Entry::getValue)
                    .sum();
        }
    }

    /** What the process has open. */
    public Map<String, Long> openFiles() {
        return openFiles(server.pid());
    }

    /** What a process has open: files, sockets and the like by name; empty where the system does not tell. */
    public static Map<String, Long> openFiles(long pid) {
        try (Stream<Path> files = Files.list(Path.of("/proc", String.valueOf(pid), "fd"))) {
            return files.map(ServerVitals::target)
                    .collect(Collectors.groupingBy(name -> name, TreeMap::new, Collectors.counting()));
        } catch (IOException | UncheckedIOException e) {
            // no such system, or the process has ended
            return Map.of();
        }
    }

    private static String target(Path link) {
        try {
            return Files.readSymbolicLink(link).toString().replaceAll("\\[\\d+]", "[]");
        } catch (IOException e) {
            // closed in the meantime
            return "(closed)";
        }
    }

    private String jcmd(String command) {
        return Unchecked.get(() -> {
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "jcmd")
                                    .toString(),
                            String.valueOf(server.pid()),
                            command)
                    .redirectErrorStream(true)
                    .start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new AssertionError("jcmd " + command + " failed: " + output);
            }
            return output;
        });
    }
}
