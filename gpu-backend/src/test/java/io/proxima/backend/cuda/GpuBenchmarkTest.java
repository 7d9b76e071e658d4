// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.RunOptions;
import io.proxima.backend.cuda.fake.FakeDriver;
import io.proxima.backend.cuda.family.bvss.BvssBatchKernels;
import io.proxima.backend.cuda.family.bvss.BvssLevelKernels;
import io.proxima.backend.order.VertexOrder;
import io.proxima.concurrent.Stop;
import io.proxima.projection.Csc;
import io.proxima.projection.GraphFiles;
import io.proxima.projection.Orientation;
import io.proxima.projection.TestGraphs;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The benchmark runs and finds its results right, on a fake device and small graphs. */
class GpuBenchmarkTest {

    @Test
    void shouldMeasureEveryVariant() {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        StringWriter csv = new StringWriter();
        try (CudaBackends backends = FakeDevices.backends(FakeDriver.hopper(FakeDevices.PLENTY));
                PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
                PrintWriter writer = new PrintWriter(csv)) {
            GpuBenchmark.run(
                    (CudaBackend) backends.choose().backend(),
                    out,
                    writer,
                    List.of(
                            "kron9",
                            "urand9",
                            "rgg9",
                            "full:road25",
                            "roadc30",
                            "closeness:kron7",
                            "crossover:6",
                            "orders:road25",
                            "prepare:kron9"));
        }
        assertThat(printed.toString(StandardCharsets.UTF_8)).contains("checked: 256 sources");
        for (BvssLevelKernels.Variant kernel : BvssLevelKernels.Variant.values()) {
            assertThat(csv.toString()).contains("upload to sync\",natural " + kernel.name() + ",ms");
        }
        assertThat(csv.toString())
                .contains("upload to sync\",natural directional,ms", "upload to sync\",natural AB grid 2,ms")
                .contains("upload to sync\",natural balls,ms", "upload to sync\",natural balls bits,ms")
                .contains("upload to sync\",natural ball-records,ms", "upload to sync\",natural ball-records bits,ms")
                .contains("'auto' to the best\",natural directional,times");
        for (BvssBatchKernels.Variant kernel : BvssBatchKernels.Variant.values()) {
            assertThat(csv.toString()).contains("sums only\"," + kernel.name() + ",ms");
        }
        assertThat(csv.toString()).contains("farness([HARMONIC])\",cuda,s").contains("prepare for 512, round 3");
        for (VertexOrder order : VertexOrder.values()) {
            assertThat(csv.toString().contains("\"BVSS, second\"," + order.key() + ",ms"))
                    .as(order.key())
                    .isEqualTo(order != VertexOrder.AUTO);
        }
    }

    @Test
    void shouldMeasureTheFamiliesOfManySearches() {
        assertThat(measure("many:kron11", "many:road60"))
                .contains("multi-source 256, 'auto' to the best\",words,times")
                .contains("multi-source 256, 'auto' to the best\",blocks,times")
                .contains("multi-source 1024, sums only\",words,ms")
                .contains("closeness, share of the host\",words,");
    }

    @Test
    void shouldMeasureComponents() {
        assertThat(measure("wcc:kron11", "wcc:road60"))
                .contains("\"components, round 5\",cpu,")
                .contains("\"components from lists, round 5\",")
                .contains("\"components, call 5\",");
    }

    @Test
    void shouldMeasureTheKernelsThatAreRequested() {
        assertThat(measure("kernels:merrill,xbfs:kron9"))
                .contains("natural merrill,ms", "natural xbfs,ms", "natural auto: ");
    }

    @Test
    void shouldMeasureSearchesBesideCloseness() {
        assertThat(measure("beside:road30:kron9"))
                .contains("\"wait for the device, p99\",alone,ms", "\"call of one search\",alone,ms")
                .contains("\"closeness\",alone,ms", "\"closeness\",beside searches,ms");
    }

    @Test
    void shouldMeasureWhatAutoTakesOnAGraphOfAFile(@TempDir Path folder) throws IOException {
        Csc csc = TestGraphs.rmat(11, 8, 3).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
        Path file = folder.resolve("rmat11");
        write(csc, file);
        assertThat(GraphFiles.read(file, 2).columnPointers()).isEqualTo(csc.columnPointers());
        assertThat(GraphFiles.read(file, 2).rowIndices().page(0))
                .isEqualTo(csc.rowIndices().page(0));
        assertThat(measure("large:" + file))
                .contains("rmat11,2048," + csc.entryCount() + ",\"multi-source 256, distances\"")
                .contains("single source, upload to sync");
    }

    /** The CSV of some tasks, with the kernels that 'auto' chooses. */
    private static String measure(String... tasks) {
        StringWriter csv = new StringWriter();
        try (CudaBackends backends = FakeDevices.backends(
                        FakeDriver.hopper(FakeDevices.PLENTY), FakeDevices.policy(RunOptions.AUTO));
                PrintStream out = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
                PrintWriter writer = new PrintWriter(csv)) {
            GpuBenchmark.run((CudaBackend) backends.choose().backend(), out, writer, List.of(tasks));
        }
        return csv.toString();
    }

    private static void write(Csc csc, Path file) throws IOException {
        int longs = csc.vertexCount() + 3;
        ByteBuffer bytes = ByteBuffer.allocate(longs * Long.BYTES + (int) csc.entryCount() * Integer.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(csc.vertexCount())
                .putLong(csc.entryCount());
        bytes.asLongBuffer().put(csc.columnPointers());
        bytes.position(longs * Long.BYTES);
        bytes.asIntBuffer().put(csc.rowIndices().page(0));
        Files.write(file, bytes.array());
    }
}
