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
