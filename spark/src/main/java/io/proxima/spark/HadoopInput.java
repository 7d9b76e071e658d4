// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.spark;

import io.proxima.projection.file.GraphFile;
import io.proxima.spark.ProximaSparkException.Reason;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * A file in one of Hadoop's file systems. Streams of object stores read at one position at a time, so each thread has
 * one.
 */
final class HadoopInput implements GraphFile.Input {

    private final FileSystem files;
    private final Path path;
    private final long size;
    private final Queue<FSDataInputStream> idle = new ConcurrentLinkedQueue<>();

    private HadoopInput(Path path, Configuration conf) throws IOException {
        this.path = path;
        files = path.getFileSystem(conf);
        size = files.getFileStatus(path).getLen();
    }

    /**
     * Opens an exported graph and reads its header.
     *
     * @param path as Hadoop's FileSystem takes it
     * @throws ProximaSparkException if the file system cannot open the file
     * @throws io.proxima.projection.file.GraphFileException if it is not an exported graph, or is damaged
     */
    static GraphFile open(String path, Configuration conf) {
        try {
            return GraphFile.open(path, new HadoopInput(new Path(path), conf));
        } catch (FileNotFoundException e) {
            throw new ProximaSparkException(
                    Reason.FILE_SYSTEM,
                    "The graph `" + path + "` does not exist, or not on every host: " + e.getMessage()
                            + ". Copy it to a file system that driver and executors share.",
                    e);
        } catch (IOException | IllegalArgumentException e) {
            throw new ProximaSparkException(
                    Reason.FILE_SYSTEM, "The graph `" + path + "` cannot be read: " + e.getMessage() + ".", e);
        }
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public void readFully(ByteBuffer into, long position) throws IOException {
        FSDataInputStream stream = idle.poll();
        if (stream == null) {
            stream = files.open(path);
        }
        try {
            stream.readFully(position, into.array(), into.arrayOffset() + into.position(), into.remaining());
            into.position(into.limit());
        } finally {
            idle.add(stream);
        }
    }

    @Override
    public void close() throws IOException {
        for (FSDataInputStream stream : idle) {
            stream.close();
        }
    }
}
