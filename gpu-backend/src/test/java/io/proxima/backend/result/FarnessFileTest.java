// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.Farness;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunContext;
import io.proxima.backend.cpu.CpuBackend;
import io.proxima.backend.cuda.FakeDevices;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.projection.TestGraphs;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sums survive their run: what is finished is not searched again, and everything else is discarded or refused. */
class FarnessFileTest {

    private static final Set<DistanceMeasure> HARMONIC = Set.of(DistanceMeasure.HARMONIC);
    private static final RunContext CONTROL = RunContext.of(2);
    private static final int FIRST_RANGE = 1 << 12;

    private final Csc graph = TestGraphs.rmat(13, 4, 3).toCsc(Orientation.NATURAL, 2, Stop.NEVER);
    private final int[] all = IntStream.range(0, graph.vertexCount()).toArray();
    private int searched;

    @TempDir
    Path folder;

    private Path path;

    @BeforeEach
    void namePath() {
        path = folder.resolve("job.sums");
    }

    private Farness run(int mostRuns, Set<DistanceMeasure> measures) throws Exception {
        try (LoadedGraph loaded = new CpuBackend().load(graph);
                FarnessFile file = FarnessFile.open(path, graph, all, measures, CONTROL)) {
            return file.complete(interrupted(loaded, mostRuns), CONTROL);
        }
    }

    /** A graph that is stopped after some runs, and counts their sources. */
    private LoadedGraph interrupted(LoadedGraph loaded, int mostRuns) {
        int[] runs = {0};
        searched = 0;
        return (LoadedGraph) Proxy.newProxyInstance(
                LoadedGraph.class.getClassLoader(), new Class<?>[] {LoadedGraph.class}, (proxy, method, arguments) -> {
                    if (runs[0]++ == mostRuns) {
                        throw new StoppedException();
                    }
                    searched += ((int[]) arguments[0]).length;
                    try {
                        return method.invoke(loaded, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldContinueAfterTheLastFinishedRange(boolean harmonic) throws Exception {
        Set<DistanceMeasure> measures = harmonic ? HARMONIC : Set.of();
        assertThatThrownBy(() -> run(1, measures)).isInstanceOf(StoppedException.class);
        assertThat(searched).isEqualTo(FIRST_RANGE);
        FakeDevices.assertAsOnCpu(run(Integer.MAX_VALUE, measures), graph, measures);
        assertThat(searched).isEqualTo(all.length - FIRST_RANGE);
        FakeDevices.assertAsOnCpu(run(0, measures), graph, measures);
        assertThat(Files.size(path)).isLessThanOrEqualTo(FarnessFile.mostBytes(all.length, harmonic));
    }

    @Test
    void shouldDiscardWhatWasNotWrittenCompletelyOrWasChanged() throws Exception {
        assertThatThrownBy(() -> run(1, Set.of())).isInstanceOf(StoppedException.class);
        byte[] bytes = Files.readAllBytes(path);
        byte[] changed = bytes.clone();
        changed[bytes.length / 2] ^= 1;
        Stream<byte[]> shorter = IntStream.of(bytes.length - 1, bytes.length / 2, 49, 47, 1, 0)
                .mapToObj(length -> Arrays.copyOf(bytes, length));
        for (byte[] damaged : Stream.concat(Stream.of(changed), shorter).toList()) {
            Files.write(path, damaged);
            FakeDevices.assertAsOnCpu(run(Integer.MAX_VALUE, Set.of()), graph, Set.of());
            assertThat(searched).as("%d bytes", damaged.length).isEqualTo(all.length);
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                .isEqualTo("rw-------");
    }

    @Test
    void shouldRefuseTheSumsOfAnotherRun() throws Exception {
        assertThatThrownBy(() -> run(1, Set.of())).isInstanceOf(StoppedException.class);
        Csc other = TestGraphs.rmat(13, 4, 4).toCsc(Orientation.NATURAL, 2, Stop.NEVER);
        int[] some = IntStream.range(1, all.length).toArray();
        assertRefused(other, all, Set.of());
        assertRefused(graph, some, Set.of());
        assertRefused(graph, all, HARMONIC);
        Files.write(path, new byte[200]);
        assertRefused(graph, all, Set.of());
        Files.write(path, new byte[3]);
        assertThatThrownBy(() -> FarnessFile.open(path, graph, all, Set.of(), CONTROL))
                .isInstanceOf(FarnessFile.OtherRunException.class)
                .hasMessage("it is not a file of finished sums");
    }

    private void assertRefused(Csc csc, int[] sources, Set<DistanceMeasure> measures) {
        assertThatThrownBy(() -> FarnessFile.open(path, csc, sources, measures, CONTROL))
                .isInstanceOf(FarnessFile.OtherRunException.class)
                .hasMessage("it has the sums of another graph, of other nodes or of another formula");
    }

    @Test
    void shouldRefuseASecondRunOfTheFileByAnyPathUntilTheFirstEnds() throws Exception {
        Path file = Files.createSymbolicLink(folder.resolve("link.sums"), path);
        Path other = Files.createSymbolicLink(folder.resolve("folder"), folder).resolve("job.sums");
        try (FarnessFile first = FarnessFile.open(path, graph, all, Set.of(), CONTROL)) {
            assertThat(first.done()).isZero();
            assertThat(List.of(path, file, other)).allSatisfy(this::assertInUse);
        }
        FarnessFile.open(path, graph, all, Set.of(), CONTROL).close();
    }

    private void assertInUse(Path used) {
        assertThatThrownBy(() -> FarnessFile.open(used, graph, all, Set.of(), CONTROL))
                .isInstanceOf(FarnessFile.OtherRunException.class)
                .hasMessage("another run is using it");
    }

    @Test
    void shouldKnowItsMarkWithoutEndingTheLockOfARun() throws Exception {
        assertThat(FarnessFile.isMarked(path, Stop.NEVER)).isFalse();
        Files.createFile(path);
        assertThat(FarnessFile.isMarked(path, Stop.NEVER)).isTrue();
        try (FarnessFile open = FarnessFile.open(path, graph, all, Set.of(), CONTROL)) {
            assertThat(FarnessFile.isMarked(path.toRealPath(), Stop.NEVER)).isTrue();
            Process other = otherJvm();
            assertThat(other.inputReader().readLine()).isNull();
            assertThat(other.waitFor()).isNotZero();
            assertThat(open.done()).isZero();
        }
        assertThat(FarnessFile.isMarked(path, Stop.NEVER)).isTrue();
        Files.write(path, new byte[100]);
        assertThat(FarnessFile.isMarked(path, Stop.NEVER)).isFalse();
    }

    private Process otherJvm() throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Holder.class.getName(),
                        path.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    @Test
    void shouldRefuseARunOfAnotherJvm() throws Exception {
        Process java = otherJvm();
        try {
            assertThat(java.inputReader().readLine()).isEqualTo("open");
            assertInUse(path);
        } finally {
            java.destroyForcibly().waitFor();
        }
        FakeDevices.assertAsOnCpu(run(Integer.MAX_VALUE, Set.of()), graph, Set.of());
    }

    /** Another JVM, which holds the file until it is ended. */
    static final class Holder {
        private Holder() {}

        public static void main(String[] path) throws Exception {
            FarnessFileTest test = new FarnessFileTest();
            try (FarnessFile held = FarnessFile.open(Path.of(path[0]), test.graph, test.all, Set.of(), CONTROL)) {
                System.out.println(held.done() == 0 ? "open" : "not new");
                System.in.read();
            }
        }
    }

    @Test
    void shouldFailWithoutItsFolder() {
        assertThatThrownBy(() -> FarnessFile.open(folder.resolve("none/job.sums"), graph, all, Set.of(), CONTROL))
                .isInstanceOf(IOException.class);
    }
}
