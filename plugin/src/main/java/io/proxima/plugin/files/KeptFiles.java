// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.files;

import io.proxima.concurrent.Stop;
import io.proxima.plugin.job.JobRegistry;
import io.proxima.plugin.server.ProximaSettings;
import io.proxima.projection.file.CompleteFile;
import io.proxima.projection.file.ExportedGraph.Origin;
import io.proxima.projection.file.GraphFile;
import io.proxima.projection.file.GraphFileException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
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
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.neo4j.configuration.Config;
import org.neo4j.configuration.GraphDatabaseSettings;

/**
 * The files of users: finished parts of runs that can be resumed, below the server's data, and exported graphs. The
 * name of a run's file is a hash; a second file beside it says whose it is.
 *
 * @param runs the folder of runs
 * @param exports the folder of exported graphs; null if there is none
 * @param maxAge the age at which files of runs are deleted; 0 for never
 * @param maxBytes the maximum of {@link #bytes}; 0 for no limit
 * @param stop requests listing to end
 */
public record KeptFiles(Path runs, Path exports, Duration maxAge, long maxBytes, Stop stop) {

    private static final String SUMS = ".sums";
    private static final String OWNER = ".owner";

    /** The files of a server. */
    public static KeptFiles of(Config config, Stop stop) {
        return new KeptFiles(
                config.get(GraphDatabaseSettings.data_directory)
                        .resolve("proxima")
                        .resolve("jobs"),
                exportDirectory(config),
                ProximaSettings.of(config, ProximaSettings.RESUME_MAX_AGE),
                ProximaSettings.of(config, ProximaSettings.FILES_MAX_BYTES),
                stop);
    }

    /** The folder of exports; null if there is none, or if it is not a valid path, of which exports are told. */
    private static Path exportDirectory(Config config) {
        try {
            return ProximaSettings.exportDirectory(config);
        } catch (InvalidPathException e) {
            return null;
        }
    }

    /**
     * Whose a file is.
     *
     * @param database the name of the database
     * @param user the name of the user
     * @param jobId the id of the run; empty for an exported graph
     */
    public record Owner(String database, String user, String jobId) {}

    /**
     * A file.
     *
     * @param name the name in its folder; of an exported graph as the export was given it
     * @param isRun whether it is the finished part of a run, and not an exported graph
     * @param owner null if it is not recorded
     * @param bytes the size
     * @param modified the time of the last change
     */
    public record KeptFile(Path path, String name, boolean isRun, Owner owner, long bytes, Instant modified) {

        /** Whether the owner has a running job of its id. */
        public boolean ofRunningJob() {
            return isRun
                    && owner != null
                    && JobRegistry.running(owner.user, false).stream()
                            .anyMatch(job -> job.id().equals(owner.jobId));
        }
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
     * Records whose the file of a run is, before the file is created.
     *
     * @throws IOException if the file system fails
     */
    public void recordOwner(Owner run) throws IOException {
        Path file = ownerFile(ofRun(run));
        Files.createDirectories(runs);
        if (Files.exists(file)) {
            return;
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream texts = new DataOutputStream(bytes);
        texts.writeUTF(run.database);
        texts.writeUTF(run.user);
        texts.writeUTF(run.jobId);
        CompleteFile.write(file, channel -> CompleteFile.writeFully(channel, ByteBuffer.wrap(bytes.toByteArray()), 0));
    }

    private static Path ownerFile(Path sums) {
        String name = sums.getFileName().toString();
        return sums.resolveSibling(name.substring(0, name.length() - SUMS.length()) + OWNER);
    }

    private static Owner readOwner(Path sums) throws IOException {
        try (DataInputStream texts =
                new DataInputStream(new ByteArrayInputStream(Files.readAllBytes(ownerFile(sums))))) {
            return new Owner(texts.readUTF(), texts.readUTF(), texts.readUTF());
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    /**
     * Bytes of all files.
     *
     * @throws IOException if the file system fails
     */
    public long bytes() throws IOException {
        return list().stream().mapToLong(KeptFile::bytes).sum();
    }

    /**
     * The files, those of runs first, by name. Links are not followed. Files that are not exported graphs are left out.
     *
     * @throws IOException if the file system fails
     */
    public List<KeptFile> list() throws IOException {
        List<KeptFile> files = filesOfRuns();
        for (Path path : files(exports, Integer.MAX_VALUE, name -> !name.endsWith(CompleteFile.UNFINISHED))) {
            String name = exports.relativize(path).toString();
            add(files, path, name.replace(path.getFileSystem().getSeparator(), "/"), false);
        }
        return files;
    }

    private List<KeptFile> filesOfRuns() throws IOException {
        List<KeptFile> files = new ArrayList<>();
        for (Path path : files(runs, 1, name -> name.endsWith(SUMS))) {
            add(files, path, path.getFileName().toString(), true);
        }
        return files;
    }

    private void add(List<KeptFile> files, Path path, String name, boolean isRun) throws IOException {
        stop.check();
        try {
            Owner owner = isRun ? readOwner(path) : exporter(path);
            files.add(new KeptFile(
                    path,
                    name,
                    isRun,
                    owner,
                    Files.size(path),
                    Files.getLastModifiedTime(path).toInstant()));
        } catch (NoSuchFileException | GraphFileException e) {
            // deleted meanwhile, or another kind of file
        }
    }

    private static Owner exporter(Path path) {
        try (GraphFile file = GraphFile.open(path)) {
            Origin origin = file.header().origin();
            return new Owner(origin.database(), origin.owner(), "");
        }
    }

    /**
     * The files in a folder, sorted. Links are not followed. Folders in it that cannot be read are left out.
     *
     * @param folder null for none
     * @param depth the number of levels of folders that are searched
     * @param named selects files by their names
     * @throws IOException if the file system fails
     */
    public List<Path> files(Path folder, int depth, Predicate<String> named) throws IOException {
        if (folder == null || Files.notExists(folder)) {
            return List.of();
        }
        List<Path> files = new ArrayList<>();
        Files.walkFileTree(folder, Set.of(), depth, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) {
                stop.check();
                if (attributes.isRegularFile() && named.test(path.getFileName().toString())) {
                    files.add(path);
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path path, IOException e) throws IOException {
                if (path.equals(folder)) {
                    throw e;
                }
                // deleted meanwhile, or a folder of another user, such as lost+found
                return FileVisitResult.CONTINUE;
            }
        });
        files.sort(Comparator.naturalOrder());
        return files;
    }

    /**
     * Deletes a file, if it exists.
     *
     * @throws IOException if the file system fails
     */
    public void delete(KeptFile file) throws IOException {
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
        Files.deleteIfExists(ownerFile(sums));
    }

    /**
     * Deletes the files of runs that have not been continued for too long.
     *
     * @param log receives a line for each
     * @throws IOException if the file system fails
     */
    public void deleteExpired(Consumer<String> log) throws IOException {
        if (maxAge.isZero()) {
            return;
        }
        Instant oldest = Instant.now().minus(maxAge);
        for (KeptFile file : filesOfRuns()) {
            if (file.modified.isBefore(oldest) && !file.ofRunningJob()) {
                delete(file);
                log.accept("Deleted the file " + file.path + " of a run that was last continued at " + file.modified
                        + ", longer ago than " + ProximaSettings.RESUME_MAX_AGE.name() + "=" + maxAge + ".");
            }
        }
    }

    /**
     * Deletes what a crash has left, and the files of runs that have not been continued for too long.
     *
     * @param log receives a line for each file
     * @throws IOException if the file system fails
     */
    public void tidy(Consumer<String> log) throws IOException {
        for (Path folder : exports == null ? List.of(runs) : List.of(runs, exports)) {
            for (Path path : files(folder, Integer.MAX_VALUE, name -> name.endsWith(CompleteFile.UNFINISHED))) {
                // several servers may share the folder of exports
                if (CompleteFile.isAbandoned(path)) {
                    Files.deleteIfExists(path);
                    log.accept("Deleted the file " + path + ", which was not complete when the server ended.");
                }
            }
        }
        for (Path path : files(runs, 1, name -> name.endsWith(OWNER))) {
            String name = path.getFileName().toString();
            if (Files.notExists(path.resolveSibling(name.substring(0, name.length() - OWNER.length()) + SUMS))) {
                Files.deleteIfExists(path);
            }
        }
        deleteExpired(log);
    }
}
