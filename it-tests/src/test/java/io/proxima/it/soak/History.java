// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.soak;

import io.proxima.it.Unchecked;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What happened in a soak, in order: each call with its client, its length and its end, and when the server was down on
 * purpose. Thread-safe.
 */
final class History {

    /** Connections that were cut may be noticed late, by a call that began when the server was up again. */
    private static final long AFTERMATH_NANOS = 5_000_000_000L;

    private final long start = System.nanoTime();
    private final List<String> lines = new ArrayList<>();
    private final Map<String, Map<String, Integer>> ends = new TreeMap<>();
    private final Map<String, Map<String, Integer>> endsByBackend = new TreeMap<>();
    private final List<String> failures = new ArrayList<>();
    private final List<long[]> outages = new ArrayList<>();

    synchronized void event(String what) {
        lines.add(String.format("%10.3f  %s", seconds(System.nanoTime()), what));
    }

    /**
     * A call has ended.
     *
     * @param backend that it asked for and, where it said so, the one that ran; empty if it needs none
     * @param begun as System.nanoTime() was
     * @param end how, in a word
     * @param detail what more there is to say
     */
    synchronized void call(String client, String call, String backend, long begun, String end, String detail) {
        long now = System.nanoTime();
        lines.add(String.format(
                "%10.3f  %s  %s %s  begun %.3f, %d ms: %s %s",
                seconds(now),
                client,
                call,
                backend,
                seconds(begun),
                Duration.ofNanos(now - begun).toMillis(),
                end,
                detail));
        ends.computeIfAbsent(call, name -> new TreeMap<>()).merge(end, 1, Integer::sum);
        endsByBackend.computeIfAbsent(backend, name -> new TreeMap<>()).merge(end, 1, Integer::sum);
    }

    synchronized void beginOutage(String what) {
        event("the server " + what);
        outages.add(new long[] {System.nanoTime(), Long.MAX_VALUE});
    }

    synchronized void endOutage() {
        event("the server runs again");
        outages.get(outages.size() - 1)[1] = System.nanoTime() + AFTERMATH_NANOS;
    }

    /** Whether the server was down at any time since {@code begun}. */
    synchronized boolean hadOutageSince(long begun) {
        return outages.stream().anyMatch(span -> begun < span[1]);
    }

    synchronized void failure(String what) {
        event("FAILURE " + what);
        failures.add(what);
    }

    synchronized List<String> failures() {
        return List.copyOf(failures);
    }

    /** How often each call ended how. */
    synchronized Map<String, Map<String, Integer>> ends() {
        return new TreeMap<>(ends);
    }

    /** How often calls for each backend ended how. */
    synchronized Map<String, Map<String, Integer>> endsByBackend() {
        return new TreeMap<>(endsByBackend);
    }

    /** Writes everything down. */
    synchronized Path save(Path file) {
        return Unchecked.get(() -> {
            Files.createDirectories(file.getParent());
            return Files.write(file, lines);
        });
    }

    private double seconds(long nanoTime) {
        return (nanoTime - start) / 1e9;
    }
}
