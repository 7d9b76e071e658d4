// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.vulkan.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lwjgl.util.shaderc.Shaderc;
import org.opentest4j.TestAbortedException;

/**
 * The committed SPIR-V is what shaderc makes of the sources, and the committed interface is what SPIRV-Cross reads in
 * it. With {@code -Dproxima.shaders.write=true}, the test writes both instead; that is how kernels are compiled after a
 * change.
 */
class ShaderFilesTest {

    private static final Path SOURCES = Path.of("src/main/vulkan");
    private static final Path COMPILED = Path.of("src/main/resources" + ShippedShaders.FOLDER);

    private static final boolean WRITES = Boolean.getBoolean("proxima.shaders.write");

    private static Stream<String> kernels() throws IOException {
        return Files.readAllLines(SOURCES.resolve("kernels.list")).stream().filter(line -> !line.startsWith("#"));
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void shouldBeCompiledFromTheSources(String line) throws IOException {
        String[] words = line.split(" ", -1);
        byte[] code = compiled(words);
        Path file = COMPILED.resolve(words[0] + ".spv");
        if (WRITES) {
            Files.write(file, code);
        }
        assertThat(Files.readAllBytes(file))
                .as("the SPIR-V of " + words[1] + ": run this test with -Dproxima.shaders.write=true")
                .isEqualTo(code);
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void shouldBeValid(String line) throws IOException, InterruptedException {
        Path file = COMPILED.resolve(line.split(" ", 2)[0] + ".spv");
        ProcessBuilder validator = new ProcessBuilder("spirv-val", "--target-env", "vulkan1.2", file.toString());
        Process running;
        try {
            running = validator.redirectErrorStream(true).start();
        } catch (IOException e) {
            throw new TestAbortedException("spirv-val is not installed", e);
        }
        String output = new String(running.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(running.waitFor()).as(output).isZero();
    }

    @Test
    void shouldShipNothingElse() throws IOException {
        try (Stream<Path> files = Files.list(COMPILED)) {
            assertThat(files.map(file -> file.getFileName().toString()).filter(name -> name.endsWith(".spv")))
                    .containsExactlyInAnyOrderElementsOf(kernels()
                            .map(line -> line.split(" ", 2)[0] + ".spv")
                            .toList());
        }
    }

    /** The kernels of a source have the same argument, which is named after the source. */
    @Test
    void shouldHoldTheInterfaceOfTheCode() throws IOException {
        List<String> lines = new ArrayList<>();
        for (String kernel : kernels().toList()) {
            String[] words = kernel.split(" ", -1);
            lines.addAll(ShaderInterface.lines(words[0], words[1].replace(".comp", ""), compiled(words)));
        }
        String text = lines.stream().distinct().sorted().collect(Collectors.joining("\n", "", "\n"));
        Path file = COMPILED.resolve("kernels.interface");
        if (WRITES) {
            Files.writeString(file, text);
        }
        assertThat(file).as("run this test with -Dproxima.shaders.write=true").hasContent(text);
    }

    @Test
    void shouldReadTheInterfaceOfAKernel() {
        var entry = ShippedShaders.INTERFACE.entry("farness_counts_harmonic_thread");
        assertThat(entry.threads()).isEqualTo(256);
        assertThat(entry.argument().bytes()).isEqualTo(32);
        assertThat(entry.argument().fields())
                .containsOnlyKeys("levelCounts", "harmonic", "n", "levelCount", "firstLevel");
        assertThat(entry.argument().fields().get("levelCount").offset()).isEqualTo(20);
    }

    private static byte[] compiled(String[] words) throws IOException {
        long compiler = Shaderc.shaderc_compiler_initialize();
        long options = Shaderc.shaderc_compile_options_initialize();
        Shaderc.shaderc_compile_options_set_target_env(
                options, Shaderc.shaderc_target_env_vulkan, Shaderc.shaderc_env_version_vulkan_1_2);
        for (int i = 2; i < words.length; i++) {
            String[] define = words[i].split("=", 2);
            Shaderc.shaderc_compile_options_add_macro_definition(options, define[0], define[1]);
        }
        long result = Shaderc.shaderc_compile_into_spv(
                compiler, text(SOURCES.resolve(words[1])), Shaderc.shaderc_compute_shader, words[1], "main", options);
        try {
            assertThat(Shaderc.shaderc_result_get_compilation_status(result))
                    .as(Shaderc.shaderc_result_get_error_message(result))
                    .isEqualTo(Shaderc.shaderc_compilation_status_success);
            ByteBuffer code = Shaderc.shaderc_result_get_bytes(result);
            byte[] bytes = new byte[code.remaining()];
            code.get(bytes);
            return bytes;
        } finally {
            Shaderc.shaderc_result_release(result);
            Shaderc.shaderc_compile_options_release(options);
            Shaderc.shaderc_compiler_release(compiler);
        }
    }

    /** A source with what it includes. */
    private static String text(Path source) throws IOException {
        StringBuilder text = new StringBuilder();
        for (String line : Files.readAllLines(source)) {
            boolean includes = line.startsWith("#include");
            text.append(includes ? text(SOURCES.resolve(line.split("\"", -1)[1])) : line)
                    .append('\n');
        }
        return text.toString();
    }
}
