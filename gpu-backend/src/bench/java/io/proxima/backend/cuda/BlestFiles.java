// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunContext;
import io.proxima.backend.cpu.CpuBackend;
import io.proxima.projection.csc.Csc;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Writes benchmark graphs for the public code of BLEST, and prints a hash of the levels of each source, for a
 * comparison. Arguments: a folder, then graphs as {@link BenchmarkGraphs} names them.
 *
 * <p>NAME.bin, little-endian: vertices, entries (32 bits each), a byte that is 1 for Kronecker graphs, pointers and
 * indices (32 bits each). NAME.sources: the sources as text. A hash is FNV-1a over the levels as words of 32 bits.
 */
public final class BlestFiles {

    private static final int SOURCES = 64;
    private static final long FNV_BASIS = 1469598103934665603L;
    private static final long FNV_PRIME = 1099511628211L;

    private BlestFiles() {}

    /** Runs. */
    public static void main(String[] args) throws IOException {
        run(Path.of(args[0]), List.of(args).subList(1, args.length));
    }

    static void run(Path folder, List<String> names) throws IOException {
        RunContext control = RunContext.of(Runtime.getRuntime().availableProcessors());
        for (String name : names) {
            Csc csc = new BenchmarkGraphs(control.concurrency()).make(name);
            int[] sources = BenchmarkGraphs.sources(csc, SOURCES);
            write(name, csc, folder.resolve(name + ".bin"));
            Files.writeString(
                    folder.resolve(name + ".sources"),
                    Arrays.stream(sources).mapToObj(source -> source + "\n").collect(Collectors.joining()));
            try (LoadedGraph graph = new CpuBackend().load(csc)) {
                for (int source : sources) {
                    int[] levels = graph.bfs(source, LoadedGraph.NO_MAX_DEPTH, new int[0], control)
                            .levels();
                    long hash = Arrays.stream(levels)
                            .mapToLong(Integer::toUnsignedLong)
                            .reduce(FNV_BASIS, (found, level) -> (found ^ level) * FNV_PRIME);
                    System.out.printf("%s source %d hash %x%n", name, source, hash);
                }
            }
        }
    }

    private static void write(String name, Csc csc, Path path) throws IOException {
        try (DataOutputStream file =
                new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(path), 1 << 20))) {
            writeInt(file, csc.vertexCount());
            writeInt(file, (int) csc.entryCount());
            file.writeByte(name.startsWith("kron") ? 1 : 0);
            for (long pointer : csc.columnPointers()) {
                writeInt(file, (int) pointer);
            }
            for (long i = 0; i < csc.entryCount(); i++) {
                writeInt(file, csc.rowIndices().get(i));
            }
        }
    }

    private static void writeInt(DataOutputStream file, int value) throws IOException {
        file.writeInt(Integer.reverseBytes(value));
    }
}
