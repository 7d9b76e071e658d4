/*
 * Copyright 2026 The Proxima authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
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
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.time.Instant;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.spark.sql.SparkSession;

/**
 * Local copies of graphs. Executors of a host share them: a file lock lets one process copy a graph while others wait,
 * and a copy appears only when it is complete. Graphs with a local path are not copied.
 */
final class GraphCopies {

    private static final int CHUNK_BYTES = 1 << 20;
    private static final int LOCK_PAUSE_MILLIS = 100;

    /** Copies that no task has opened for so long are deleted when another graph is copied. */
    private static final Duration KEPT = Duration.ofDays(7);

    private GraphCopies() {}

    /**
     * Reads the header of the graph on the driver.
     *
     * @throws ProximaSparkException if the file cannot be read, or has not the fingerprint of the options
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
            Path folder = folder(key);
            Path copy = folder.resolve(key.fileName());
            if (!isComplete(copy)) {
                try (FileChannel channel = FileChannel.open(
                                folder.resolve(key.fileName() + ".lock"),
                                StandardOpenOption.CREATE,
                                StandardOpenOption.WRITE);
                        FileLock lock = lock(channel, stop)) {
                    if (lock.isValid() && !isComplete(copy)) {
                        key.check(header(key.path(), conf));
                        deleteOld(folder, key);
                        copy(files, file, copy, stop);
                    }
                }
            }
            Files.setLastModifiedTime(copy, FileTime.from(Instant.now()));
            return copy;
        } catch (ClosedByInterruptException e) {
            throw new StoppedException();
        } catch (IOException | IllegalArgumentException e) {
            stop.check();
            throw failed(key.path(), "copied to this host", e);
        }
    }

    /** Removes a copy, so that the next call of {@link #fetch} makes it again. */
    static void discard(GraphKey key, Path copy) throws IOException {
        if (copy.endsWith(key.fileName())) {
            Files.deleteIfExists(copy);
        }
    }

    /** The name of a copy has the digest of its header; GraphFile checks the content. */
    private static boolean isComplete(Path copy) {
        return Files.isRegularFile(copy);
    }

    private static void copy(FileSystem files, org.apache.hadoop.fs.Path from, Path to, Stop stop) throws IOException {
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
            });
        }
    }

    private static Path folder(GraphKey key) throws IOException {
        Path folder = key.cacheDirectory().isEmpty()
                ? Path.of(System.getProperty("java.io.tmpdir"), "proxima-graphs-" + System.getProperty("user.name"))
                : Path.of(key.cacheDirectory());
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

    /** The name of the folder can be guessed: another user may have made it. In containers a user may have no name. */
    private static void checkOwner(Path folder) throws IOException {
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

    /** Another class loader of this JVM may hold the lock: that is an exception, where another process is null. */
    private static FileLock lock(FileChannel channel, Stop stop) throws IOException {
        while (true) {
            try {
                FileLock lock = channel.tryLock();
                if (lock != null) {
                    return lock;
                }
            } catch (OverlappingFileLockException e) {
                // wait as for another process
            }
            stop.check();
            try {
                Thread.sleep(LOCK_PAUSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new StoppedException();
            }
        }
    }

    /** Deletes what a killed process has left of this graph, and other graphs that are no longer used. */
    private static void deleteOld(Path folder, GraphKey key) throws IOException {
        Instant oldest = Instant.now().minus(KEPT);
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.proxima*")) {
            for (Path file : files) {
                String name = file.getFileName().toString();
                boolean unfinished = name.startsWith(key.fileName()) && name.endsWith(CompleteFile.UNFINISHED);
                if (unfinished
                        || (!name.endsWith(".lock")
                                && Files.getLastModifiedTime(file).toInstant().isBefore(oldest))) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    private static ProximaSparkException failed(String path, String how, Exception cause) {
        return new ProximaSparkException(
                Reason.FILE_SYSTEM,
                "The graph `" + path + "` cannot be " + how + ": " + cause.getMessage() + ".",
                cause);
    }
}
