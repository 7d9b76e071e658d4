// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The binding to the driver, in JVMs of its own: without a driver, and with a stub of it that gcc compiles. */
class JcudaDriverTest {

    private static final Path STUB_SOURCE = Path.of("src/test/c/libcuda_stub.c");

    /** The class path with the service of the jar that servers under test have beside Proxima's. */
    private static final String OFFER =
            System.getProperty("java.class.path") + File.pathSeparator + Path.of("src/test/driver");

    @TempDir
    private Path folder;

    @Test
    void shouldLinkNothingOfJcudaWithoutADriver() throws Exception {
        assumeTrue(
                !DriverLibrary.ofThisHost().missing().isEmpty(),
                "There is a driver here, so JCuda may well be linked.");
        Path classes = folder.resolve("classes.log");
        String printed = run("none", List.of("-Xlog:class+load:file=" + classes), false, "list");
        assertThat(printed).contains("cuda | false | The NVIDIA driver's library libcuda.so.1 is not installed here");
        assertThat(Files.readString(classes))
                .contains("io.proxima.backend.cuda.driver.CudaProbe")
                .doesNotContain(" jcuda.");
    }

    @Test
    void shouldTellThatTheDriverSeesNoDevice() throws Exception {
        compileStub();
        assertThat(run("none", List.of(), true, "list"))
                .contains("cuda | false | The driver reports CUDA_ERROR_NO_DEVICE: no NVIDIA GPU is visible")
                .contains("auto | The driver reports CUDA_ERROR_NO_DEVICE")
                .contains("nvidia-smi");
        assertThat(leftBehind()).isEmpty();
    }

    @Test
    void shouldReportALibraryThatIsNoDriver() throws Exception {
        assumeTrue(DriverLibrary.ofThisHost().missing().startsWith("The NVIDIA"), "not this platform");
        Files.writeString(folder.resolve("libcuda.so.1"), "not a library");
        assertThat(run("none", List.of(), true, "list"))
                .contains("cuda | false | The NVIDIA driver's library cannot be loaded: ")
                .contains("cpu | true | ");
        assertThat(leftBehind()).isEmpty();
    }

    @Test
    void shouldBindEveryFunction() throws Exception {
        compileStub();
        String printed = run("device", List.of(), true, "binding");
        assertThat(printed.lines())
                .containsExactly(
                        "DeviceFacts[name=Stub, major=9, minor=0, multiprocessors=132, cooperativeLaunch=true,"
                                + " sharedBytesPerBlock=232448, totalBytes=5368709120]",
                        "free 4294967296",
                        "The CUDA driver reported CUDA_ERROR_OUT_OF_MEMORY (2) in cuMemAlloc.",
                        "mapped true",
                        "true",
                        "mapped 1048576",
                        "mapped 3221225472",
                        "mapped 5368709120",
                        "not mapped memory of this device: address=A",
                        "The CUDA driver reported CUDA_ERROR_OUT_OF_MEMORY (2) in cuMemHostAlloc.",
                        "The CUDA driver reported CUDA_ERROR_NOT_FOUND (500) in cuModuleGetFunction(absent).",
                        "blocks 8 2",
                        "5060364 true 1.5",
                        "7500364",
                        "closed");
        assertThat(leftBehind()).isEmpty();
    }

    @Test
    void shouldTakeTheDriverThatAJarOffers() throws Exception {
        assertThat(run("none", OFFER, List.of(), false, "list")).contains("cuda:0 | true | ");
    }

    @Test
    void shouldReportAnOfferedDriverThatDoesNotStart() throws Exception {
        assertThat(run("none", OFFER, List.of("-Dproxima.test.driver=absent"), false, "list"))
                .contains("cuda | false | A jar in the plugins folder provides a CUDA driver that failed to start:"
                        + " proxima.test.driver must be fake or host: absent. Remove the jar and restart")
                .contains("cpu | true | ");
    }

    private List<Path> leftBehind() throws IOException {
        try (Stream<Path> files = Files.list(temporary())) {
            return files.filter(file -> !file.getFileName().toString().startsWith("hsperf"))
                    .toList();
        }
    }

    private Path temporary() throws IOException {
        return Files.createDirectories(folder.resolve("tmp"));
    }

    private void compileStub() throws Exception {
        Process gcc;
        try {
            gcc = new ProcessBuilder(
                            "gcc",
                            "-shared",
                            "-fPIC",
                            "-O1",
                            "-Wno-unused-parameter",
                            "-o",
                            folder.resolve("libcuda.so.1").toString(),
                            STUB_SOURCE.toString())
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException e) {
            assumeTrue(false, "There is no gcc here: " + e.getMessage());
            return;
        }
        String said = new String(gcc.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(gcc.waitFor()).as(said).isZero();
    }

    private String run(String stub, List<String> options, boolean withLibrary, String argument) throws Exception {
        return run(stub, System.getProperty("java.class.path"), options, withLibrary, argument);
    }

    private String run(String stub, String classPath, List<String> options, boolean withLibrary, String argument)
            throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Xmx64m");
        command.add("-Djava.io.tmpdir=" + temporary());
        command.addAll(options);
        command.addAll(List.of("-cp", classPath, StubbedDriver.class.getName(), argument));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        Map<String, String> environment = builder.environment();
        environment.put("STUB", stub);
        environment.put("LD_LIBRARY_PATH", withLibrary ? folder.toString() : "");
        Process java = builder.start();
        String printed = new String(java.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(java.waitFor(5, TimeUnit.MINUTES)).isTrue();
        assertThat(java.exitValue()).as(printed).isZero();
        return printed;
    }
}
