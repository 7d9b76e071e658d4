// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.files;

import io.proxima.plugin.ProximaException;
import io.proxima.plugin.server.ProximaSettings;
import io.proxima.projection.file.GraphFileException;
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

    // what other calls had reserved on this disk, and on all disks
    private final long othersHere;
    private final long others;

    // guarded by RESERVED
    private long bytes;

    private DiskSpace(FileStore disk, long bytes) {
        this.disk = disk;
        this.bytes = bytes;
        synchronized (RESERVED) {
            othersHere = RESERVED.getOrDefault(disk, 0L);
            others = RESERVED.values().stream().mapToLong(Long::longValue).sum();
            RESERVED.merge(disk, bytes, Long::sum);
        }
    }

    /**
     * Reserves space. Looks at disks and files without a lock: a slow disk delays nobody else's call.
     *
     * @param files the files whose size is limited, too; their stop is checked
     * @param folder an existing folder, in which the call will write
     * @param bytes maximum number of bytes
     * @param what what needs them, as the subject of a sentence
     * @param remedy what to do if there is too little, as a sentence
     * @return the reservation, to be closed when the bytes have been written
     * @throws ProximaException with the figures if less than twice the space is free, or if all files would exceed
     *     their limit
     */
    public static DiskSpace reserve(KeptFiles files, Path folder, long bytes, String what, String remedy) {
        DiskSpace space = null;
        boolean allowed = false;
        try {
            // before the look at the disk: what another call has reserved is then either counted or already written
            space = new DiskSpace(Files.getFileStore(folder), bytes);
            space.requireFree(folder, what, remedy);
            space.requireAllowed(files, what, remedy);
            allowed = true;
            return space;
        } catch (IOException e) {
            throw ProximaException.failed(
                    "The free space in " + folder + " is unknown: " + GraphFileException.reason(e) + ".", e);
        } finally {
            if (space != null && !allowed) {
                space.close();
            }
        }
    }

    private void requireFree(Path folder, String what, String remedy) throws IOException {
        long free = disk.getUsableSpace();
        if (bytes > Math.max(0, free - othersHere) / 2) {
            throw ProximaException.failed(what + " would take " + bytes + " bytes, more than half of the " + free
                    + " bytes that are free in " + folder
                    + (othersHere == 0 ? "" : ", without the " + othersHere + " bytes that running calls have reserved")
                    + ". " + remedy);
        }
    }

    private void requireAllowed(KeptFiles files, String what, String remedy) {
        if (files.maxBytes() == 0) {
            return;
        }
        long kept = files.bytes();
        if (bytes > files.maxBytes() - kept - others) {
            throw ProximaException.failed(what + " would take " + bytes + " bytes, but files take " + kept
                    + " and running calls have reserved " + others + " of the " + files.maxBytes()
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
