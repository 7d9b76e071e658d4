// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import io.proxima.projection.Csc;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * Writes undirected benchmark graphs for the programs of the GAP Benchmark Suite: NAME.sg, its "serialized graph", and NAME.wsg,
 * the same with the weights of {@link BenchmarkGraphs#weight}. Arguments: the folder, then graphs as {@link BenchmarkGraphs} names
 * them.
 */
public final class GapFiles {

    private static final int BUFFER = 1 << 22;

    private GapFiles() {}

    /** Runs. */
    public static void main(String[] args) throws IOException {
        Path folder = Path.of(args[0]);
        BenchmarkGraphs graphs = new BenchmarkGraphs(Runtime.getRuntime().availableProcessors());
        for (String name : List.of(args).subList(1, args.length)) {
            Csc csc = graphs.make(name);
            write(folder.resolve(name + ".sg"), csc, false);
            write(folder.resolve(name + ".wsg"), csc, true);
        }
    }

    private static void write(Path file, Csc csc, boolean weighted) throws IOException {
        Files.deleteIfExists(file);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER).order(ByteOrder.LITTLE_ENDIAN);
            // not directed
            buffer.put((byte) 0).putLong(csc.entryCount()).putLong(csc.vertexCount());
            for (int vertex = 0; vertex <= csc.vertexCount(); vertex++) {
                drainIfFull(buffer, channel);
                buffer.putLong(vertex == 0 ? 0 : csc.columnEnd(vertex - 1));
            }
            for (int vertex = 0; vertex < csc.vertexCount(); vertex++) {
                for (long entry = csc.columnStart(vertex); entry < csc.columnEnd(vertex); entry++) {
                    drainIfFull(buffer, channel);
                    int neighbour = csc.rowIndices().get(entry);
                    buffer.putInt(neighbour);
                    if (weighted) {
                        buffer.putInt(BenchmarkGraphs.weight(vertex, neighbour));
                    }
                }
            }
            drain(buffer, channel);
        }
    }

    private static void drainIfFull(ByteBuffer buffer, FileChannel channel) throws IOException {
        if (buffer.remaining() < Long.BYTES) {
            drain(buffer, channel);
        }
    }

    private static void drain(ByteBuffer buffer, FileChannel channel) throws IOException {
        buffer.flip();
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
        buffer.clear();
    }
}
