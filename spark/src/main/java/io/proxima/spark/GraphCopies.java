// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.spark;

import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.projection.file.CompleteFile;
import io.proxima.projection.file.GraphFileException;
import io.proxima.projection.file.GraphFileHeader;
import io.proxima.spark.ProximaSparkException.Reason;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.spark.sql.SparkSession;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Local copies of graphs. Executors of a host share them: a file lock lets one process copy a graph while others wait,
 * and a copy appears only when it is complete. Graphs with a local path are not copied.
 */
final class GraphCopies {

    private static final Logger LOG = LoggerFactory.getLogger(GraphCopies.class);
    private static final int CHUNK_BYTES = 1 << 20;
    private static final int LOCK_PAUSE_MILLIS = 100;

    /** Copies that no task has opened for so long are deleted when another graph is copied. */
    private static final Duration KEPT = Duration.ofDays(7);

    /** The names of copies, also unfinished ones: the folder may have other files, such as exported graphs. */
    private static final Pattern COPY =
            Pattern.compile("[0-9a-f]{32}-[0-9a-f]{64}\\.proxima(.*\\" + CompleteFile.UNFINISHED + ")?");

    private GraphCopies() {}

    /**
     * Reads the header of the graph on the driver.
     *
     * @throws ProximaSparkException if the file cannot be read, or has not the fingerprint or the digest of the options
     * @throws GraphFileException if it is not an exported graph, or its header is damaged
     */
    static GraphFileHeader header(ScanOptions options, SparkSession session) {
        GraphFileHeader header = header(options.graph(), session.sessionState().newHadoopConf());
        String found = header.fingerprint().toString();
        if (!options.fingerprint().isEmpty() && !options.fingerprint().equals(found)) {
            throw new ProximaSparkException(
                    Reason.WRONG_GRAPH,
                    "The graph `" + options.graph() + "` has the fingerprint " + found
                            + ", but the option `fingerprint` is `" + options.fingerprint()
                            + "`. Name the file of that graph, or leave out the option.");
        }
        if (!options.digest().isEmpty() && !options.digest().equals(header.digest())) {
            throw new ProximaSparkException(
                    Reason.WRONG_GRAPH,
                    "The graph `" + options.graph() + "` has been replaced while the job runs: by an export from `"
                            + header.origin().graphName() + "` of "
                            + header.origin().created() + ", with the fingerprint " + found
                            + ". Put the former file back and start the job again, or choose another folder for"
                            + " `--output`.");
        }
        return header;
    }

    private static GraphFileHeader header(String path, Configuration conf) {
        try {
            org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path(path);
            FileSystem files = file.getFileSystem(conf);
            FileStatus status = files.getFileStatus(file);
            try (FSDataInputStream in = files.open(file)) {
                return GraphFileHeader.read(path, status.getLen(), in);
            }
        } catch (FileNotFoundException e) {
            throw new ProximaSparkException(
                    Reason.FILE_SYSTEM,
                    "The graph `" + path + "` does not exist, or not on every host: " + e.getMessage()
                            + ". Copy it to a file system that driver and executors share.",
                    e);
        } catch (IOException | IllegalArgumentException e) {
            throw failed(path, "read", e);
        }
    }

    /**
     * Finds or makes the local copy of a graph.
     *
     * @param stop ends waiting and copying
     * @return the copy, whose header has been checked
     * @throws ProximaSparkException if the file cannot be copied, or is not the graph of the key
     */
    static Path fetch(GraphKey key, Configuration conf, Stop stop) {
        try {
            org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path(key.path());
            FileSystem files = file.getFileSystem(conf);
            if (files.makeQualified(file).toUri().getScheme().equals("file")) {
                key.check(header(key.path(), conf));
                return Path.of(files.makeQualified(file).toUri().getPath());
            }
            Path copy = folder(key).resolve(key.fileName());
            while (!use(copy)) {
                alone(copy, stop, () -> {
                    if (!use(copy)) {
                        key.check(header(key.path(), conf));
                        deleteOld(key, copy.getParent());
                        copy(key, files, file, copy, stop);
                    }
                });
            }
            return copy;
        } catch (ClosedByInterruptException e) {
            throw new StoppedException();
        } catch (IOException | IllegalArgumentException e) {
            stop.check();
            throw failed(key.path(), "copied to this host", e);
        }
    }

    /** Removes a copy, so that the next call of {@link #fetch} makes it again. Leaves graphs with a local path. */
    static void discard(GraphKey key, Path copy) throws IOException {
        if (copy.equals(folderOf(key).resolve(key.fileName()))) {
            Files.deleteIfExists(copy);
        }
    }

    /** Marks a copy as used; false if there is none. */
    private static boolean use(Path copy) throws IOException {
        try {
            Files.setLastModifiedTime(copy, FileTime.from(Instant.now()));
            return true;
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    /** Work on the files of a folder. */
    private interface Work {
        void run() throws IOException;
    }

    /**
     * Works while no other thread of this host does. Of this JVM, only the thread that will have the lock opens its file:
     * closing any channel of a file may release all locks of the process on it. Other class loaders share only what
     * belongs to the JVM, such as its properties.
     */
    private static void alone(Path copy, Stop stop, Work work) throws IOException {
        String ofJvm =
                "io.proxima.spark.copying." + copy.getParent().toRealPath().resolve(copy.getFileName());
        while (System.getProperties().putIfAbsent(ofJvm, "") != null) {
            pause(stop);
        }
        try (FileChannel channel = FileChannel.open(
                        copy.resolveSibling(copy.getFileName() + ".lock"),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE);
                FileLock lock = lock(channel, stop)) {
            if (lock.isValid()) {
                work.run();
            }
        } finally {
            System.clearProperty(ofJvm);
        }
    }

    /** Copies a file, whose header is checked once more because the path may have got another one. */
    private static void copy(GraphKey key, FileSystem files, org.apache.hadoop.fs.Path from, Path to, Stop stop)
            throws IOException {
        long bytes = files.getFileStatus(from).getLen();
        try (InputStream in = files.open(from)) {
            CompleteFile.write(to, channel -> {
                byte[] chunk = new byte[CHUNK_BYTES];
                for (long at = 0; at < bytes; ) {
                    stop.check();
                    int read = in.readNBytes(chunk, 0, (int) Math.min(CHUNK_BYTES, bytes - at));
                    if (read == 0) {
                        throw new EOFException("it ends after " + at + " of " + bytes + " bytes");
                    }
                    CompleteFile.writeFully(channel, ByteBuffer.wrap(chunk, 0, read), at);
                    at += read;
                }
                key.check(GraphFileHeader.read(key.path(), bytes, Channels.newInputStream(channel.position(0))));
            });
        }
    }

    private static Path folderOf(GraphKey key) {
        return key.cacheDirectory().isEmpty()
                ? Path.of(System.getProperty("java.io.tmpdir"), "proxima-graphs-" + System.getProperty("user.name"))
                : Path.of(key.cacheDirectory());
    }

    private static Path folder(GraphKey key) throws IOException {
        Path folder = folderOf(key);
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(folder.toAbsolutePath().getParent());
            try {
                Files.createDirectory(folder, ownerOnly());
            } catch (FileAlreadyExistsException e) {
                // another executor of this host was faster
            }
        }
        if (key.cacheDirectory().isEmpty()) {
            checkOwner(folder);
        }
        return folder;
    }

    /**
     * The name of the folder can be guessed: another user may have made it, or a link to a folder of this user. In containers
     * a user may have no name.
     */
    private static void checkOwner(Path folder) throws IOException {
        if (Files.isSymbolicLink(folder)) {
            throw new IOException("the folder " + folder + " is a link; set the option `cacheDirectory`");
        }
        Path own = Files.createTempFile("proxima", null);
        try {
            UserPrincipal owner = Files.getOwner(folder);
            if (!owner.equals(Files.getOwner(own))) {
                throw new IOException("the folder " + folder + " belongs to " + owner.getName()
                        + "; set the option `cacheDirectory`");
            }
        } finally {
            Files.delete(own);
        }
    }

    /** Graphs show the structure of the data. */
    private static FileAttribute<?>[] ownerOnly() {
        return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
                }
                : new FileAttribute<?>[0];
    }

    private static FileLock lock(FileChannel channel, Stop stop) throws IOException {
        while (true) {
            try {
                FileLock lock = channel.tryLock();
                if (lock != null) {
                    return lock;
                }
            } catch (OverlappingFileLockException e) {
                // a program in this JVM holds it that is not Proxima: wait as for another process
            }
            pause(stop);
        }
    }

    private static void pause(Stop stop) {
        stop.check();
        try {
            Thread.sleep(LOCK_PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoppedException();
        }
    }

    /**
     * Deletes what a killed process has left of this graph, and copies of other graphs that are no longer used. Other
     * processes may do the same. A failure is logged: the new copy may find enough space all the same.
     */
    private static void deleteOld(GraphKey key, Path folder) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(
                folder, file -> COPY.matcher(file.getFileName().toString()).matches())) {
            for (Path file : files) {
                deleteIfOld(key, file);
            }
        } catch (IOException | DirectoryIteratorException e) {
            LOG.warn("Proxima: the folder {} cannot be searched for old copies of graphs.", folder, e);
        }
    }

    private static void deleteIfOld(GraphKey key, Path file) {
        try {
            BasicFileAttributes found =
                    Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            boolean unfinished = file.getFileName().toString().startsWith(key.fileName());
            boolean old =
                    found.lastModifiedTime().toInstant().isBefore(Instant.now().minus(KEPT));
            if (found.isRegularFile() && (unfinished || old)) {
                Files.deleteIfExists(file);
            }
        } catch (NoSuchFileException e) {
            // another process was faster
        } catch (IOException e) {
            LOG.warn("Proxima: the old copy {} cannot be deleted.", file, e);
        }
    }

    private static ProximaSparkException failed(String path, String how, Exception cause) {
        return new ProximaSparkException(
                Reason.FILE_SYSTEM,
                "The graph `" + path + "` cannot be " + how + ": " + cause.getMessage() + ".",
                cause);
    }
}
