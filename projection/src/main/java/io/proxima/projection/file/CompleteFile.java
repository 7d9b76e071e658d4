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
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;

/** Files that are either complete or absent, and transfers that are complete or fail. */
public final class CompleteFile {

    /** The ending of a file that is being written. */
    public static final String UNFINISHED = ".unfinished";

    private static final String MARK = "proxima-";

    // the whole name: no other program makes such files
    /** One look at a file by another server is over by then; on a file system without locks, that is the wait. */
    private static final int MOST_LOOKS = 20;

    private static final Pattern MARKED =
            Pattern.compile(MARK + "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\\.unfinished");

    /** Names of files that this JVM is writing: opening one of them again would end its lock against other JVMs. */
    private static final Set<String> WRITTEN = ConcurrentHashMap.newKeySet();

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
        Path unfinished = folder.resolve(MARK + UUID.randomUUID() + UNFINISHED);
        String name = unfinished.getFileName().toString();
        boolean done = false;
        WRITTEN.add(name);
        try {
            try (FileChannel channel = FileChannel.open(
                    unfinished,
                    Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE),
                    // graphs show the structure of the data
                    ofItsOwner(unfinished))) {
                // another server may be looking at the file
                for (int looks = 0; !lock(channel) && looks < MOST_LOOKS; looks++) {
                    LockSupport.parkNanos(1_000_000);
                }
                writing.to(channel);
                channel.force(true);
            }
            Files.move(unfinished, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            done = true;
            flush(folder);
        } finally {
            WRITTEN.remove(name);
            if (!done) {
                Files.deleteIfExists(unfinished);
            }
        }
    }

    /** The attributes of a new file that only its owner may read and write. */
    public static FileAttribute<?>[] ofItsOwner(Path path) {
        boolean posix = path.getFileSystem().supportedFileAttributeViews().contains("posix");
        return posix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
    }

    /** Whether a name is one under which {@link #write} writes a file. Only such files may be deleted unasked. */
    public static boolean isMarked(String fileName) {
        return MARKED.matcher(fileName).matches();
    }

    /** Whether nobody writes a file whose name {@linkplain #isMarked is marked}: a process that did has ended. */
    public static boolean isAbandoned(Path unfinished) {
        if (WRITTEN.contains(unfinished.getFileName().toString())) {
            return false;
        }
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
