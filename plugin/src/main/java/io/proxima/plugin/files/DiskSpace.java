// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.files;

import io.proxima.plugin.ProximaException;
import io.proxima.plugin.server.ProximaSettings;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Space on a disk that a running call of this JVM may fill. Calls on the same disk reserve their space before they
 * write, and each leaves half of what remains to others, because the databases may be on that disk.
 */
public final class DiskSpace implements AutoCloseable {

    // guarded by itself
    private static final Map<FileStore, Long> RESERVED = new HashMap<>();

    private final FileStore disk;

    // guarded by RESERVED
    private long bytes;

    private DiskSpace(FileStore disk, long bytes) {
        this.disk = disk;
        this.bytes = bytes;
    }

    /**
     * Reserves space.
     *
     * @param files the files whose size is limited, too
     * @param folder an existing folder, in which the call will write
     * @param bytes maximum number of bytes
     * @param what what needs them, as the subject of a sentence
     * @param remedy what to do if there is too little, as a sentence
     * @return the reservation, to be closed when the bytes have been written
     * @throws ProximaException with the figures if less than twice the space is free, or if all files would exceed
     *     their limit
     */
    public static DiskSpace reserve(KeptFiles files, Path folder, long bytes, String what, String remedy) {
        try {
            FileStore disk = Files.getFileStore(folder);
            synchronized (RESERVED) {
                long others = RESERVED.getOrDefault(disk, 0L);
                long free = disk.getUsableSpace();
                if (bytes > Math.max(0, free - others) / 2) {
                    throw ProximaException.failed(what + " would take " + bytes + " bytes, more than half of the "
                            + free + " bytes that are free in " + folder
                            + (others == 0 ? "" : ", without the " + others + " bytes that running calls have reserved")
                            + ". " + remedy);
                }
                requireAllowed(files, bytes, what, remedy);
                RESERVED.merge(disk, bytes, Long::sum);
            }
            return new DiskSpace(disk, bytes);
        } catch (IOException e) {
            throw ProximaException.failed("The free space in " + folder + " is unknown: " + e, e);
        }
    }

    private static void requireAllowed(KeptFiles files, long bytes, String what, String remedy) throws IOException {
        if (files.maxBytes() == 0) {
            return;
        }
        long kept = files.bytes();
        long reserved = RESERVED.values().stream().mapToLong(Long::longValue).sum();
        if (bytes > files.maxBytes() - kept - reserved) {
            throw ProximaException.failed(what + " would take " + bytes + " bytes, but files take " + kept
                    + " and running calls have reserved " + reserved + " of the " + files.maxBytes()
                    + " bytes that the setting `" + ProximaSettings.FILES_MAX_BYTES.name() + "` allows. " + remedy);
        }
    }

    /** Ends the reservation; has no effect the second time. */
    @Override
    public void close() {
        synchronized (RESERVED) {
            long end = bytes;
            bytes = 0;
            RESERVED.computeIfPresent(disk, (unused, all) -> all == end ? null : all - end);
        }
    }
}
