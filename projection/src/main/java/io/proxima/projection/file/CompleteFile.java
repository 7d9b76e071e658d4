// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.file;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Files that are either complete or absent, and transfers that are complete or fail. */
public final class CompleteFile {

    /** The ending of a file that is being written. */
    public static final String UNFINISHED = ".unfinished";

    private CompleteFile() {}

    /** Writes the content of a file. */
    @FunctionalInterface
    public interface Writing {
        /** Writes everything; may write at any position, and read what it has written. */
        void to(FileChannel channel) throws IOException;
    }

    /**
     * Writes a file under a temporary name in the same folder, flushes it to disk, renames it and flushes the
     * folder. Replaces an existing file. Only the owner may read the file.
     *
     * @param path the file; its folder exists
     * @throws IOException if the file system fails; nothing is left of the new file, and an existing one is unchanged,
     *     as with any other exception of {@code writing}
     */
    public static void write(Path path, Writing writing) throws IOException {
        Path folder = path.toAbsolutePath().getParent();
        // only the owner may read what createTempFile creates: graphs show the structure of the data
        Path unfinished = Files.createTempFile(folder, path.getFileName().toString(), UNFINISHED);
        boolean done = false;
        try {
            try (FileChannel channel =
                    FileChannel.open(unfinished, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                lock(channel);
                writing.to(channel);
                channel.force(true);
            }
            Files.move(unfinished, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            done = true;
            flush(folder);
        } finally {
            if (!done) {
                Files.deleteIfExists(unfinished);
            }
        }
    }

    /** Whether nobody writes a file with the ending {@link #UNFINISHED}: a process that did has ended. */
    public static boolean isAbandoned(Path unfinished) {
        try (FileChannel channel = FileChannel.open(unfinished, StandardOpenOption.WRITE)) {
            return lock(channel);
        } catch (IOException e) {
            return false;
        }
    }

    /** Locks a file until its channel is closed; false if another one has locked it, or if the file system cannot. */
    @SuppressWarnings("resource") // ends with the channel
    private static boolean lock(FileChannel channel) {
        try {
            return channel.tryLock() != null;
        } catch (IOException | OverlappingFileLockException e) {
            return false;
        }
    }

    /** Without it, a power failure could undo the renaming. Not every file system can do it. */
    private static void flush(Path folder) {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException e) {
            // the file is complete; whether it survives a power failure is up to the file system
        }
    }

    /** Writes the remaining bytes of a buffer. */
    public static void writeFully(FileChannel channel, ByteBuffer bytes, long position) throws IOException {
        long at = position;
        while (bytes.hasRemaining()) {
            at += channel.write(bytes, at);
        }
    }

    /**
     * Fills the remaining bytes of a buffer.
     *
     * @throws EOFException if the file ends earlier
     */
    public static void readFully(FileChannel channel, ByteBuffer bytes, long position) throws IOException {
        long at = position;
        while (bytes.hasRemaining()) {
            int read = channel.read(bytes, at);
            if (read < 0) {
                throw new EOFException("end of file at " + at);
            }
            at += read;
        }
    }
}
