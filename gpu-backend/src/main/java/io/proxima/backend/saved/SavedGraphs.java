// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.saved;

import io.proxima.backend.order.VertexOrder;
import io.proxima.concurrent.Stop;
import io.proxima.projection.Csc;
import io.proxima.projection.GraphFingerprint;
import io.proxima.projection.file.CompleteFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * A folder of ordered graphs, one file for each graph and order. A file is named after the graph's fingerprint and the
 * order, so it is valid for every projection with the same vertices and edges, of any database. The key of the fingerprints
 * is a secret of the folder: users choose the edges of the graphs that they project, and one of them could otherwise make a
 * file for the graph of another.
 *
 * <p>The files take at most half of the space that would be free without them; the least recently used graphs are deleted
 * first. A file that cannot be used is deleted, and the reason is logged. Thread-safe; several servers may share a folder.
 */
public final class SavedGraphs {

    static final String SUFFIX = ".proxima";

    /** The file of the fingerprints' key. */
    static final String KEY = "fingerprints.key";

    /** What a crash left is older than any writing takes. */
    private static final long ABANDONED_MILLIS = 24L * 60 * 60 * 1000;

    private final Path folder;
    private final GraphFingerprint.Key key;
    private final LongSupplier freeBytes;
    private final Consumer<String> log;

    SavedGraphs(Path folder, GraphFingerprint.Key key, LongSupplier freeBytes, Consumer<String> log) {
        this.folder = folder;
        this.key = key;
        this.freeBytes = freeBytes;
        this.log = log;
    }

    /**
     * Opens a folder; creates it if it does not exist.
     *
     * @param log receives one sentence for each file that cannot be used or written
     * @throws IOException if the folder cannot be created, or files cannot be written to it
     */
    public static SavedGraphs in(Path folder, Consumer<String> log) throws IOException {
        Files.createDirectories(folder);
        // permission bits do not tell of a read-only file system or a quota: a file does
        Files.delete(Files.createTempFile(folder, "probe", CompleteFile.UNFINISHED));
        LongSupplier freeBytes = () -> {
            try {
                return Files.getFileStore(folder).getUsableSpace();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };
        return new SavedGraphs(folder, key(folder), freeBytes, log);
    }

    private static GraphFingerprint.Key key(Path folder) throws IOException {
        Path file = folder.resolve(KEY);
        if (Files.notExists(file) || Files.size(file) != GraphFingerprint.Key.BYTES) {
            byte[] random = new byte[GraphFingerprint.Key.BYTES];
            new SecureRandom().nextBytes(random);
            CompleteFile.write(file, channel -> CompleteFile.writeFully(channel, ByteBuffer.wrap(random), 0));
        }
        return GraphFingerprint.Key.of(Files.readAllBytes(file));
    }

    /**
     * The fingerprint of a graph, which only this folder knows. Reads the whole graph once.
     *
     * @param concurrency threads that read, at least 1
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    public GraphFingerprint fingerprint(Csc graph, int concurrency, Stop stop) {
        return GraphFingerprint.of(graph, key, concurrency, stop);
    }

    /** Whether a graph lies here in an order; nothing of it is read. */
    public boolean has(GraphFingerprint fingerprint, VertexOrder order) {
        return Files.exists(file(fingerprint, order));
    }

    /**
     * Finds a graph.
     *
     * @param order not AUTO
     * @param concurrency threads that check it, at least 1
     * @param stop asks the work to end early
     * @return empty if it is not here, or was and cannot be used
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    public Optional<OrderedGraph> load(GraphFingerprint fingerprint, VertexOrder order, int concurrency, Stop stop) {
        return load(
                fingerprint,
                order,
                "Its slice sets are built again.",
                file -> OrderedGraphFile.read(file, fingerprint, concurrency, stop));
    }

    /**
     * Finds the order of a graph; its slice sets stay in the file.
     *
     * @param order not AUTO
     * @param concurrency threads that check it, at least 1
     * @param stop asks the work to end early
     * @return empty if it is not here, or was and cannot be used
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    public Optional<SavedOrder> loadOrder(GraphFingerprint fingerprint, VertexOrder order, int concurrency, Stop stop) {
        return load(
                fingerprint,
                order,
                "The graph is ordered again.",
                file -> OrderedGraphFile.readOrder(file, fingerprint, concurrency, stop));
    }

    /** What is read of a file. */
    @FunctionalInterface
    private interface Reading<T> {
        T from(Path file) throws SavedGraphException;
    }

    private <T> Optional<T> load(
            GraphFingerprint fingerprint, VertexOrder order, String otherwise, Reading<T> reading) {
        Path file = file(fingerprint, order);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            T found = reading.from(file);
            touch(file);
            return Optional.of(found);
        } catch (SavedGraphException e) {
            log.accept(e.getMessage() + " " + otherwise);
            if (e.reason() != SavedGraphException.Reason.UNREADABLE) {
                delete(file);
            }
            return Optional.empty();
        }
    }

    /**
     * Whether a file of this size may be saved here, so that no larger graph is prepared in vain. If not, this is logged.
     *
     * @param least as {@link OrderedGraphFile#leastBytes}
     */
    public boolean mayHold(GraphFingerprint fingerprint, long least) {
        try {
            boolean fits = least <= mostBytes(heldBytes(entries()));
            if (!fits) {
                log.accept(refusal(fingerprint, "at least " + least));
            }
            return fits;
        } catch (IOException | UncheckedIOException e) {
            log.accept("The graph " + fingerprint + " cannot be saved: " + e);
            return false;
        }
    }

    private String refusal(GraphFingerprint fingerprint, String bytes) {
        return "The graph " + fingerprint + " is not saved: it needs " + bytes
                + " bytes, more than half of the free space in " + folder + ".";
    }

    /**
     * Saves a graph. Replaces an existing file. A failure is logged and changes nothing else.
     *
     * @param stop requests the work to end early; the new file is then deleted
     * @return whether the graph was saved
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    public boolean save(OrderedGraph graph, Stop stop) {
        Path file = file(graph.fingerprint(), graph.order());
        long bytes = OrderedGraphFile.bytes(graph);
        try {
            if (!makeRoom(bytes, file)) {
                log.accept(refusal(graph.fingerprint(), Long.toString(bytes)));
                return false;
            }
            OrderedGraphFile.write(file, graph, stop);
            return true;
        } catch (IOException | UncheckedIOException e) {
            log.accept("The graph " + graph.fingerprint() + " cannot be saved: " + e);
            return false;
        }
    }

    /** Deletes the graphs used longest ago until {@code wanted} bytes fit. */
    private synchronized boolean makeRoom(long wanted, Path replaced) throws IOException {
        List<Entry> entries = entries();
        long held = heldBytes(entries);
        long most = mostBytes(held);
        if (wanted > most) {
            return false;
        }
        for (Entry entry : entries) {
            if (entry.path.equals(replaced)) {
                held -= entry.bytes;
            }
        }
        for (Entry entry : entries) {
            if (held + wanted <= most) {
                break;
            }
            if (!entry.path.equals(replaced)) {
                delete(entry.path);
                held -= entry.bytes;
            }
        }
        return true;
    }

    private static long heldBytes(List<Entry> entries) {
        return entries.stream().mapToLong(Entry::bytes).sum();
    }

    /** The maximum bytes of all graphs here: half of the space that is free without them. */
    private long mostBytes(long held) {
        return (freeBytes.getAsLong() + held) / 2;
    }

    private record Entry(Path path, long bytes, FileTime used) {}

    /** The graphs here, the one used longest ago first. What a crash left is deleted on the way. */
    private List<Entry> entries() throws IOException {
        List<Entry> entries = new ArrayList<>();
        try (DirectoryStream<Path> files =
                Files.newDirectoryStream(folder, "*{" + SUFFIX + "," + CompleteFile.UNFINISHED + "}")) {
            for (Path path : files) {
                try {
                    Entry entry = new Entry(path, Files.size(path), Files.getLastModifiedTime(path));
                    if (path.toString().endsWith(SUFFIX)) {
                        entries.add(entry);
                    } else if (entry.used.toMillis() < System.currentTimeMillis() - ABANDONED_MILLIS) {
                        delete(path);
                    }
                } catch (NoSuchFileException e) {
                    log.accept("Another server has deleted or finished " + path + ".");
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        entries.sort(Comparator.comparing(Entry::used));
        return entries;
    }

    private Path file(GraphFingerprint fingerprint, VertexOrder order) {
        return folder.resolve(fingerprint + "-" + order.key() + SUFFIX);
    }

    private void touch(Path file) {
        try {
            Files.setLastModifiedTime(file, FileTime.fromMillis(System.currentTimeMillis()));
        } catch (IOException e) {
            log.accept("The saved graph " + file + " may be deleted sooner than it should: " + e);
        }
    }

    private void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            log.accept("The file " + file + " cannot be deleted: " + e);
        }
    }
}
