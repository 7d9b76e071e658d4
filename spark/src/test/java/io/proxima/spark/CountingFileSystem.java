// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.spark;

import java.io.IOException;
import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;

/** Local files under the scheme {@code counting}, as a remote file system has them, and the number of times that one was opened. */
public final class CountingFileSystem extends RawLocalFileSystem {

    static final AtomicInteger OPENED = new AtomicInteger();

    /** Called before a file is opened, with the number of this opening. */
    static final AtomicReference<IntConsumer> OPENING = new AtomicReference<>(number -> {});

    @Override
    public void initialize(URI uri, Configuration conf) throws IOException {
        super.initialize(URI.create("counting:///"), conf);
    }

    @Override
    public URI getUri() {
        return URI.create("counting:///");
    }

    @Override
    public String getScheme() {
        return "counting";
    }

    @Override
    public FSDataInputStream open(Path file, int bufferSize) throws IOException {
        OPENING.get().accept(OPENED.incrementAndGet());
        return super.open(local(file), bufferSize);
    }

    @Override
    public FileStatus getFileStatus(Path file) throws IOException {
        return super.getFileStatus(local(file));
    }

    private static Path local(Path file) {
        return new Path(file.toUri().getPath());
    }
}
