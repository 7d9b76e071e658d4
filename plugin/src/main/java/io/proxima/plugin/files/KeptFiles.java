// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.files;

import io.proxima.backend.result.FarnessFile;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.plugin.ProximaException;
import io.proxima.plugin.job.JobRegistry;
import io.proxima.plugin.server.ProximaSettings;
import io.proxima.projection.file.CompleteFile;
import io.proxima.projection.file.ExportedGraph.Origin;
import io.proxima.projection.file.GraphFile;
import io.proxima.projection.file.GraphFileException;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.neo4j.configuration.Config;
import org.neo4j.configuration.GraphDatabaseSettings;

/**
 * The files of users: finished parts of runs that can be resumed, below the server's data, and exported graphs. The
 * name of a run's file is a hash; a second file beside it records whose it is. Both folders are resolved here, once for
 * each call: their paths have no links, so that equal files have equal paths.
 *
 * @param runs the folder of runs; need not exist
 * @param exports the folder of exported graphs; need not exist, null if there is none or if it cannot be used
 * @param maxAge the age at which files of runs are deleted; 0 for never
 * @param maxBytes the maximum of {@link #bytes}; 0 for no limit
 * @param stop requests listing to end
 */
public record KeptFiles(Path runs, Path exports, Duration maxAge, long maxBytes, Stop stop) {

    private static final String SUMS = ".sums";
    private static final String OWNER = ".owner";

    /** Files that calls of this JVM are writing or deleting. */
    private static final Set<Path> CLAIMED = ConcurrentHashMap.newKeySet();

    /** The files of a server. */
    public static KeptFiles of(Config config, Stop stop) {
        Path exports;
        try {
            exports = exportFolder(config);
        } catch (InvalidPathException | ProximaException e) {
            // exports are refused for this reason; runs need none
            exports = null;
        }
        return new KeptFiles(
                runFolder(config),
                exports,
                ProximaSettings.of(config, ProximaSettings.RESUME_MAX_AGE),
                ProximaSettings.of(config, ProximaSettings.FILES_MAX_BYTES),
                stop);
    }

    private static Path runFolder(Config config) {
        return resolved(config.get(GraphDatabaseSettings.data_directory)
                .resolve("proxima")
                .resolve("jobs"));
    }

    /**
     * The folder of exported graphs; null if none is set.
     *
     * @throws InvalidPathException if the setting is not a valid path
     * @throws ProximaException if the folder has files of the server: a file that is opened and closed loses the lock
     *     by which the server protects its store
     */
    static Path exportFolder(Config config) {
        Path set = ProximaSettings.exportDirectory(config);
        if (set == null) {
            return null;
        }
        Path folder = resolved(set);
        Path databases =
                resolved(config.get(GraphDatabaseSettings.data_directory).resolve("databases"));
        for (Path own : List.of(databases, runFolder(config))) {
            if (own.startsWith(folder) || folder.startsWith(own)) {
                throw ProximaException.failed("The folder " + folder + " of the setting `"
                        + ProximaSettings.EXPORT_DIRECTORY.name() + "` must not contain the server's own folder " + own
                        + ", nor lie in it. Set another folder, such as `graphs`, and restart the server.");
            }
        }
        return folder;
    }

    /** A path without links, as far as it exists. */
    private static Path resolved(Path path) {
        for (Path existing = path; existing != null; existing = existing.getParent()) {
            try {
                return existing.toRealPath().resolve(existing.relativize(path));
            } catch (IOException e) {
                // does not exist, or leads nowhere
            }
        }
        return path;
    }

    /**
     * Whose a file is.
     *
     * @param database the name of the database
     * @param user the name of the user
     * @param jobId the id of the run; empty for an exported graph
     */
    public record Owner(String database, String user, String jobId) {}

    /** What is in a file. */
    public enum Content {
        /** What its writer has written. */
        WHOLE,
        /** It carries Proxima's mark, but cannot be used, or it is not known whose it is. */
        DAMAGED,
        /** It does not carry Proxima's mark, and is never deleted. */
        FOREIGN
    }

    /**
     * A file.
     *
     * @param name the name in its folder; of an exported graph as the export was given it
     * @param isRun whether it is in the folder of runs, and not in that of exported graphs
     * @param owner null if it is not recorded
     * @param bytes the size
     * @param modified the time of the last change
     */
    public record KeptFile(
            Path path, String name, boolean isRun, Content content, Owner owner, long bytes, Instant modified) {

        /** Whether the owner has a running job of its id. */
        public boolean ofRunningJob() {
            return isRun
                    && owner != null
                    && JobRegistry.running(owner.user, false).stream()
                            .anyMatch(job -> job.id().equals(owner.jobId));
        }

        /** Whether a call of this JVM is writing or deleting the file. */
        public boolean isClaimed() {
            return CLAIMED.contains(path);
        }
    }

    /** The right of one call of this JVM to write or delete a file. */
    public interface Claim extends AutoCloseable {
        /** Ends it. */
        @Override
        void close();
    }

    /**
     * Claims a file.
     *
     * @param path without links; the file need not exist
     * @return null if another call of this JVM is writing or deleting the file
     */
    public static Claim claim(Path path) {
        // made first: if the heap were full after the path was added, nothing would remove it
        Claim claim = () -> CLAIMED.remove(path);
        return CLAIMED.add(path) ? claim : null;
    }

    /**
     * Claims a file as soon as no other call of this JVM is deleting it.
     *
     * @param path without links, written by no other call; the file need not exist
     * @throws StoppedException if the stop was requested while waiting
     */
    public Claim awaitClaim(Path path) {
        Claim claim = claim(path);
        while (claim == null) {
            stop.check();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            claim = claim(path);
        }
        return claim;
    }

    /** The file of a run; it need not exist. */
    public Path ofRun(Owner run) {
        String identity = run.database + '\0' + run.user + '\0' + run.jobId;
        try {
            // ids may have characters that file names may not have
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(identity.getBytes(StandardCharsets.UTF_8));
            return runs.resolve(HexFormat.of().formatHex(hash) + SUMS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /**
     * Records whose the file of a run is, before the file is created in the existing folder. Replaces a damaged record.
     *
     * @throws IOException if the file system fails
     */
    public void recordOwner(Owner run) throws IOException {
        Path sums = ofRun(run);
        if (run.equals(recordedOwner(sums))) {
            return;
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream texts = new DataOutputStream(bytes);
        texts.writeUTF(run.database);
        texts.writeUTF(run.user);
        texts.writeUTF(run.jobId);
        CompleteFile.write(
                sibling(sums, SUMS, OWNER),
                channel -> CompleteFile.writeFully(channel, ByteBuffer.wrap(bytes.toByteArray()), 0));
    }

    /** The path of a file of the same run with another ending. */
    private static Path sibling(Path file, String ending, String other) {
        String name = file.getFileName().toString();
        String base = name.endsWith(ending) ? name.substring(0, name.length() - ending.length()) : name;
        return file.resolveSibling(base + other);
    }

    /** Null if there is no record, or a damaged one. */
    private Owner recordedOwner(Path sums) {
        Path file = sibling(sums, SUMS, OWNER);
        // another kind of file, such as a pipe, could block
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            return null;
        }
        try (DataInputStream texts = new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
            Owner owner = new Owner(texts.readUTF(), texts.readUTF(), texts.readUTF());
            return ofRun(owner).equals(sums) ? owner : null;
        } catch (IOException e) {
            return null;
        }
    }

    /** Bytes of all files that carry Proxima's mark. */
    public long bytes() {
        return list().stream()
                .filter(file -> file.content != Content.FOREIGN)
                .mapToLong(KeptFile::bytes)
                .sum();
    }

    /**
     * The files, those of runs first, by name, without those that are being written under another name. Links are not
     * followed. What cannot be read is damaged or foreign, and folders that cannot be read have no files.
     */
    public List<KeptFile> list() {
        List<KeptFile> files = listRuns();
        for (Path path : files(exports, Integer.MAX_VALUE, name -> true)) {
            read(path, false).ifPresent(files::add);
        }
        return files;
    }

    private List<KeptFile> listRuns() {
        List<KeptFile> files = new ArrayList<>();
        for (Path path : files(runs, 1, name -> !name.endsWith(OWNER))) {
            read(path, true).ifPresent(files::add);
        }
        return files;
    }

    /** A file as it is now; empty if it has been deleted, or is being written under another name. */
    Optional<KeptFile> read(Path path, boolean isRun) {
        stop.check();
        try {
            BasicFileAttributes attributes =
                    Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            String fileName = path.getFileName().toString();
            if (!attributes.isRegularFile() || (CompleteFile.isMarked(fileName) && !CompleteFile.isAbandoned(path))) {
                return Optional.empty();
            }
            Owner owner = isRun ? recordedOwner(path) : exporter(path);
            return Optional.of(new KeptFile(
                    path,
                    isRun
                            ? fileName
                            : exports.relativize(path)
                                    .toString()
                                    .replace(path.getFileSystem().getSeparator(), "/"),
                    isRun,
                    isRun ? contentOfRun(path, owner, attributes.size()) : contentOfExport(path, owner),
                    owner,
                    attributes.size(),
                    attributes.lastModifiedTime().toInstant()));
        } catch (IOException e) {
            // deleted meanwhile
            return Optional.empty();
        }
    }

    private Content contentOfRun(Path sums, Owner owner, long bytes) {
        String name = sums.getFileName().toString();
        if (!name.endsWith(SUMS)) {
            return CompleteFile.isMarked(name) ? Content.DAMAGED : Content.FOREIGN;
        }
        boolean marked = FarnessFile.isMarked(sums, stop);
        // before version 0.3, owners were not recorded
        boolean recorded = Files.exists(sibling(sums, SUMS, OWNER), LinkOption.NOFOLLOW_LINKS);
        if (!recorded && (!marked || bytes == 0)) {
            return Content.FOREIGN;
        }
        return marked && recorded == (owner != null) ? Content.WHOLE : Content.DAMAGED;
    }

    private static Content contentOfExport(Path path, Owner owner) {
        if (owner != null) {
            return Content.WHOLE;
        }
        boolean marked = CompleteFile.isMarked(path.getFileName().toString()) || GraphFile.isMarked(path);
        return marked ? Content.DAMAGED : Content.FOREIGN;
    }

    /** Null if the file is not a whole graph. */
    private static Owner exporter(Path path) {
        try (GraphFile file = GraphFile.open(path)) {
            Origin origin = file.header().origin();
            return new Owner(origin.database(), origin.owner(), "");
        } catch (GraphFileException e) {
            return null;
        }
    }

    /** The files in a folder, sorted, without what cannot be read. Links are not followed. */
    List<Path> files(Path folder, int depth, Predicate<String> named) {
        List<Path> files = new ArrayList<>();
        if (folder == null) {
            return files;
        }
        try {
            Files.walkFileTree(folder, Set.of(), depth, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes) {
                    stop.check();
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) {
                    stop.check();
                    if (attributes.isRegularFile()
                            && named.test(path.getFileName().toString())) {
                        files.add(path);
                    }
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path path, IOException e) {
                    // deleted meanwhile, or a folder of another user, such as lost+found
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path path, IOException e) {
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException("the visitor throws none", e);
        }
        files.sort(Comparator.naturalOrder());
        return files;
    }

    /**
     * Deletes a file, if it exists.
     *
     * @param file one that carries Proxima's mark, claimed by the caller
     * @throws IOException if the file system fails
     */
    void delete(KeptFile file) throws IOException {
        if (file.isRun) {
            deleteRun(file.path);
        } else {
            Files.deleteIfExists(file.path);
        }
    }

    /**
     * Deletes the file of a run, if it exists.
     *
     * @throws IOException if the file system fails
     */
    public void deleteRun(Path sums) throws IOException {
        Files.deleteIfExists(sums);
        deleteRecord(sums);
    }

    private static void deleteRecord(Path sums) throws IOException {
        Path record = sibling(sums, SUMS, OWNER);
        if (Files.isRegularFile(record, LinkOption.NOFOLLOW_LINKS)) {
            Files.deleteIfExists(record);
        }
    }

    /**
     * Deletes the files of runs that have not been continued for too long, and what a crash has left in their folder.
     * The calls of other users do not fail because of them: a file that cannot be deleted stays.
     *
     * @param log receives a line for each file
     */
    public void tidyRuns(Consumer<String> log) {
        deleteAbandoned(runs, log);
        Instant oldest = Instant.now().minus(maxAge);
        for (KeptFile file : maxAge.isZero() ? List.<KeptFile>of() : listRuns()) {
            delete(
                    file.path,
                    () -> read(file.path, true)
                            .filter(now -> now.modified.isBefore(oldest)
                                    && now.content != Content.FOREIGN
                                    && !now.ofRunningJob())
                            .isPresent(),
                    () -> delete(file),
                    "the file " + file.path + " of a run that was last continued at " + file.modified
                            + ", longer ago than " + ProximaSettings.RESUME_MAX_AGE.name() + "=" + maxAge + ".",
                    log);
        }
        for (Path record : files(runs, 1, name -> name.endsWith(OWNER))) {
            Path sums = sibling(record, OWNER, SUMS);
            delete(
                    sums,
                    () -> Files.notExists(sums) && recordedOwner(sums) != null,
                    () -> deleteRecord(sums),
                    "the file " + record + " of a run that has no other file.",
                    log);
        }
    }

    /**
     * Deletes files in a folder, but not in folders below it, that were not complete when their server ended.
     *
     * @param log receives a line for each file
     */
    void deleteAbandoned(Path folder, Consumer<String> log) {
        for (Path path : files(folder, 1, CompleteFile::isMarked)) {
            delete(
                    path,
                    // several servers may share the folder of exports
                    () -> CompleteFile.isAbandoned(path),
                    () -> Files.deleteIfExists(path),
                    "the file " + path + ", which was not complete when the server ended.",
                    log);
        }
    }

    private static void delete(
            Path claimed, BooleanSupplier wanted, Deletion deletion, String what, Consumer<String> log) {
        if (!wanted.getAsBoolean()) {
            return;
        }
        try (Claim claim = claim(claimed)) {
            // again, because another call may have written the file before it was claimed
            if (claim != null && wanted.getAsBoolean()) {
                deletion.run();
                log.accept("Deleted " + what);
            }
        } catch (IOException e) {
            log.accept("Could not delete " + what + " " + e);
        }
    }

    /** Deletes files. */
    @FunctionalInterface
    private interface Deletion {
        void run() throws IOException;
    }
}
