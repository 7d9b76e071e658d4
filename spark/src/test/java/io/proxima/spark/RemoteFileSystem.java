// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.spark;

import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;

/** Local files under the scheme {@code remote}. */
public final class RemoteFileSystem extends RawLocalFileSystem {

    /** Called before a file is opened. */
    static volatile Opening opening = () -> {};

    /** What happens before a file is opened. */
    interface Opening {
        void run() throws IOException;
    }

    @Override
    public void initialize(URI uri, Configuration conf) throws IOException {
        super.initialize(URI.create("remote:///"), conf);
    }

    @Override
    public URI getUri() {
        return URI.create("remote:///");
    }

    @Override
    public String getScheme() {
        return "remote";
    }

    @Override
    public FSDataInputStream open(Path file, int bufferSize) throws IOException {
        opening.run();
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
