// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import static io.proxima.backend.cuda.driver.KernelConstants.KAPPA;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.proxima.backend.cuda.driver.ShippedKernels;
import io.proxima.backend.cuda.family.words.WordsBatchKernels;
import io.proxima.backend.cuda.graph.KernelLayouts;
import io.proxima.backend.device.DeviceFacts;
import io.proxima.backend.device.KernelInterface.Entry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The committed kernel code is what the committed sources compile to. It has every entry for every device, and no entry
 * that the host does not launch. build.sh compiles it.
 */
class KernelFilesTest {

    private static final Path MAIN = Path.of("src/main");
    private static final Path SOURCES = MAIN.resolve("cuda");
    private static final Path CODE = MAIN.resolve("resources/io/proxima/backend/cuda");
    private static final Path HOST = MAIN.resolve("java/io/proxima/backend/cuda");
    private static final Path FLOOR = MAIN.resolve("java/io/proxima/backend/device");
    private static final Path PAPERS = MAIN.resolve("java/io/proxima/backend/papers");
    private static final Path CONSTANTS = HOST.resolve("driver/KernelConstants.java");
    private static final Path TESTS = Path.of("src/test/cuda");
    private static final String HASHES = "kernels.sha256";
    private static final String INTERFACE = "kernels.interface";
    private static final String CLANG_FORMAT = "clang-format-14";

    /** Says which code of a file is verified, so that it is recompiled once only. */
    @TempDir
    private Path folder;

    @Test
    void shouldHoldTheHashesOfTheSourcesAndOfTheCode() throws IOException {
        Map<String, String> recorded = Files.readAllLines(CODE.resolve(HASHES), StandardCharsets.US_ASCII).stream()
                .map(line -> line.split("\\s+\\*?", 2))
                .collect(Collectors.toMap(parts -> parts[1], parts -> parts[0], (a, b) -> a, TreeMap::new));
        Map<String, String> found = new TreeMap<>();
        Stream.of(files(SOURCES), files(CODE), List.of(CONSTANTS))
                .flatMap(List::stream)
                .filter(file -> !file.endsWith(HASHES))
                .forEach(file -> found.put(MAIN.relativize(file).toString().replace('\\', '/'), sha256(file)));
        assertThat(found)
                .as("run gpu-backend/src/main/cuda/build.sh where nvcc is, and commit what it makes")
                .isEqualTo(recorded);
    }

    /**
     * Takes minutes, so only if it is asked for; needs the nvcc of build.sh. The sources are compiled in another
     * folder, as they are on another machine.
     */
    @Test
    void shouldBeWhatTheSourcesCompileTo() throws IOException, InterruptedException {
        assumeThat(Boolean.getBoolean("proxima.recompile")).isTrue();
        String wanted = firstMatch("nvcc_version=(\\S+)", Files.readString(SOURCES.resolve("build.sh")));
        assertThat(versionOf("nvcc")).as("the version of nvcc in PATH").contains(", V" + wanted);
        Path copied = Files.createDirectory(folder.resolve("copied"));
        for (Path file : files(SOURCES)) {
            Files.copy(file, copied.resolve(file.getFileName()));
        }
        Path remade = Files.createDirectory(folder.resolve("remade"));
        run(List.of("sh", copied.resolve("build.sh").toString(), remade.toString()));
        List<Path> committed = new ArrayList<>(files(CODE));
        committed.removeIf(file -> file.endsWith(HASHES));
        committed.add(CONSTANTS);
        assertThat(names(files(remade))).containsExactlyInAnyOrderElementsOf(names(committed));
        for (Path file : committed) {
            assertThat(remade.resolve(file.getFileName())).hasSameBinaryContentAs(file);
        }
    }

    /** By src/.clang-format; needs the clang-format that it names. */
    @Test
    void shouldBeFormatted() throws IOException, InterruptedException {
        assumeThat(versionOf(CLANG_FORMAT))
                .as("the version of clang-format in PATH")
                .contains("version 14.");
        List<String> command = new ArrayList<>(List.of(CLANG_FORMAT, "--style=file", "--dry-run", "-Werror"));
        Stream.of(SOURCES, TESTS)
                .flatMap(folder -> files(folder).stream())
                .map(Path::toString)
                .filter(name -> name.endsWith(".cu") || name.endsWith(".cuh"))
                .forEach(command::add);
        run(command);
    }

    /** Fails with what a program prints unless it succeeds. */
    private static void run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
    }

    @Test
    void shouldHoldEveryKernelForEveryDevice() {
        assertThat(names(files(CODE)).stream()
                        .filter(name -> !Set.of(HASHES, INTERFACE).contains(name)))
                .containsExactlyInAnyOrderElementsOf(modules().stream()
                        .flatMap(module -> Stream.of(module + ".ptx", module + ".sm_90.cubin"))
                        .toList());
        assertThat(ShippedKernels.INTERFACE.entries().values())
                .extracting(Entry::module)
                .containsAll(modules());
        for (String module : modules()) {
            byte[] ptx = ShippedKernels.image(module, new DeviceFacts("A100", 8, 0, 108, true, 99 << 10, 1));
            assertThat(ptx).endsWith(0);
            String text = new String(ptx, StandardCharsets.US_ASCII);
            assertThat(text).contains(".target sm_80");
            assertThat(entriesOfPtx(text)).as(module + ".ptx").isEqualTo(entries(module));
        }
    }

    @Test
    void shouldHoldTheEntriesThatTheHostLaunches() throws IOException {
        Set<String> launched = new TreeSet<>();
        Set<String> composed = new TreeSet<>();
        Pattern name = Pattern.compile("\"[a-z0-9_]+\"(\\s*\\+[^\",;?:]+\\+\\s*\"[a-z0-9_]+\")*");
        for (Path source : Stream.of(HOST, FLOOR, PAPERS)
                .flatMap(folder -> files(folder).stream())
                .toList()) {
            name.matcher(Files.readString(source))
                    .results()
                    .map(MatchResult::group)
                    .filter(found -> found.matches("(?s).*_(thread|warp|block|grid)\""))
                    .forEach(found -> (found.contains("+") ? composed : launched).add(found.replaceAll("[\"\\s]", "")));
        }
        Map<String, List<String>> composedAs = composedEntries();
        assertThat(composed).isEqualTo(composedAs.keySet());
        composedAs.values().forEach(launched::addAll);

        assertThat(launched).isEqualTo(ShippedKernels.INTERFACE.entries().keySet());
    }

    /** What the host launches by a name that it puts together: the expression, and the names that it can give. */
    private static Map<String, List<String>> composedEntries() {
        int[] words = IntStream.iterate(
                        WordsBatchKernels.LEAST_WIDTH,
                        width -> width <= WordsBatchKernels.MOST_SOURCES,
                        width -> 2 * width)
                .toArray();
        return Map.of(
                "msbfs_bvss_k+width+_grid", each("msbfs_bvss_k%d_grid", 32, 64, 128, 256),
                "msbfs_words_k+width+_grid", each("msbfs_words_k%d_grid", words),
                "msbfs_words_sources_k+width+_grid", each("msbfs_words_sources_k%d_grid", words),
                "msbfs_tiles_k+KAPPA+_grid", each("msbfs_tiles_k%d_grid", KAPPA),
                "permute_levels_gather+8*entryBytes+_thread", each("permute_levels_gather%d_thread", 8, 16),
                "permute_rows_gather+8*from.entryBytes()+_thread", each("permute_rows_gather%d_thread", 8, 16, 32, 64));
    }

    private static List<String> each(String format, int... numbers) {
        return IntStream.of(numbers)
                .mapToObj(number -> String.format(Locale.ROOT, format, number))
                .toList();
    }

    private static List<String> modules() {
        return names(files(SOURCES)).stream()
                .filter(name -> name.endsWith(".cu"))
                .map(name -> name.substring(0, name.length() - ".cu".length()))
                .toList();
    }

    /** The bytes of the argument of each entry, and the threads of its blocks, 0 if it leaves them open. */
    private static Map<String, List<Integer>> entries(String module) {
        return ShippedKernels.INTERFACE.entries().values().stream()
                .filter(entry -> entry.module().equals(module))
                .collect(Collectors.toMap(
                        Entry::name, entry -> List.of(entry.argument().bytes(), entry.threads())));
    }

    /** The same as PTX has it: one parameter, an array of bytes. */
    private static Map<String, List<Integer>> entriesOfPtx(String ptx) {
        return Pattern.compile("\\.entry (\\w+)\\(\\s*\\.param \\.align 8 \\.b8 \\w+\\[(\\d+)\\]\\s*\\)([^{]*)\\{")
                .matcher(ptx)
                .results()
                .collect(Collectors.toMap(entry -> entry.group(1), entry -> {
                    Matcher threads = Pattern.compile("\\.maxntid (\\d+)").matcher(entry.group(3));
                    return List.of(
                            Integer.parseInt(entry.group(2)), threads.find() ? Integer.parseInt(threads.group(1)) : 0);
                }));
    }

    /** What a program says of its version; empty if it is not in PATH. */
    private static String versionOf(String program) throws InterruptedException {
        try {
            Process process = new ProcessBuilder(program, "--version").start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            return process.waitFor() == 0 ? said : "";
        } catch (IOException e) {
            return "";
        }
    }

    /** The host refuses graphs of which the kernels could not count the long lists. */
    @Test
    void shouldCountTheEntriesOfLongListsInTheBitsThatTheHostAssumes() throws IOException {
        String header = Files.readString(SOURCES.resolve("long_lists.cuh"));
        int entryBits = Long.SIZE - Integer.parseInt(firstMatch("LONG_LIST_BITS =\\s*(\\d+)", header));
        assertThat(KernelLayouts.countsLongLists((1L << entryBits) - 1)).isTrue();
        assertThat(KernelLayouts.countsLongLists(1L << entryBits)).isFalse();
    }

    private static String firstMatch(String pattern, String text) {
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        assertThat(matcher.find()).as("%s in %s", pattern, text).isTrue();
        return matcher.group(1);
    }

    private static List<Path> files(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> names(List<Path> files) {
        return files.stream()
                .map(file -> file.getFileName().toString())
                .sorted()
                .toList();
    }

    private static String sha256(Path file) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
        } catch (IOException | NoSuchAlgorithmException e) {
            throw new IllegalStateException("cannot hash " + file, e);
        }
    }
}
