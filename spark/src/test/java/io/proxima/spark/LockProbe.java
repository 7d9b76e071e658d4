// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.spark;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A process that tries to lock the file of its argument, and says by its exit status whether another process has. */
final class LockProbe {

    static final int FREE = 3;
    static final int LOCKED = 4;

    private LockProbe() {}

    public static void main(String[] arguments) throws IOException {
        try (FileChannel channel = FileChannel.open(Path.of(arguments[0]), StandardOpenOption.WRITE)) {
            FileLock lock = channel.tryLock();
            System.exit(lock == null ? LOCKED : FREE);
        }
    }
}
