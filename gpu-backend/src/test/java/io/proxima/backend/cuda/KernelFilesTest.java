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
package io.proxima.backend.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The committed kernel code is of the committed sources; build.sh makes it anew and writes the hashes. */
class KernelFilesTest {

    private static final Path MAIN = Path.of("src/main");
    private static final Path CODE = MAIN.resolve("resources/io/proxima/backend/cuda");
    private static final Path SOURCES = MAIN.resolve("cuda");

    @Test
    void shouldHoldTheHashesOfTheSourcesAndOfTheCode() throws IOException {
        Map<String, String> recorded =
                Files.readAllLines(CODE.resolve("kernels.sha256"), StandardCharsets.US_ASCII).stream()
                        .map(line -> line.split("\\s+\\*?", 2))
                        .collect(Collectors.toMap(parts -> parts[1], parts -> parts[0], (a, b) -> a, TreeMap::new));
        Map<String, String> found = new TreeMap<>();
        try (Stream<Path> sources = Files.list(SOURCES);
                Stream<Path> code = Files.list(CODE)) {
            Stream.concat(sources, code)
                    .filter(file -> !file.endsWith("kernels.sha256"))
                    .forEach(file -> found.put(MAIN.relativize(file).toString().replace('\\', '/'), sha256(file)));
        }
        assertThat(found)
                .as("run gpu-backend/src/main/cuda/build.sh where nvcc is, and commit what it makes")
                .isEqualTo(recorded);
    }

    @Test
    void shouldHoldEveryKernelForEveryDevice() throws IOException {
        for (String module :
                new String[] {"bfs_bvss", "msbfs_bvss", "bfs_directional", "compact_build", "farness", "probe"}) {
            byte[] cubin = KernelImages.PACKED.image(module, FakeDriver.hopperFacts(1));
            assertThat(cubin).startsWith(0x7f, 'E', 'L', 'F');
            byte[] ptx =
                    KernelImages.PACKED.image(module, new Driver.DeviceFacts("A100", 8, 0, 108, true, 99 << 10, 1));
            assertThat(ptx).endsWith(0);
            assertThat(new String(ptx, StandardCharsets.US_ASCII)).contains(".target sm_80");
        }
        String searches = ptx("bfs_bvss");
        for (LaunchPolicy.SearchKernel kernel : LaunchPolicy.SearchKernel.values()) {
            assertThat(searches).contains(".entry " + kernel.entry + "(");
        }
        String many = ptx("msbfs_bvss");
        for (LaunchPolicy.MultiSourceKernel kernel : LaunchPolicy.MultiSourceKernel.values()) {
            for (int width = kernel.smallestWidth; width <= 256; width *= 2) {
                assertThat(many).contains(".entry " + kernel.entry(width) + "(");
                assertThat(many).contains(".entry " + kernel.measuredEntry(width) + "(");
            }
        }
    }

    /** What the host plans with is what the kernels were compiled with. */
    @Test
    void shouldShareTheSizesOfTheKernelsOverLists() throws IOException {
        String directional = source("bfs_directional.cu");
        assertThat(directional)
                .contains("DIRECTIONAL_THREADS = " + LaunchPolicy.Directional.THREADS + ";")
                .contains("LONG_LIST = " + MemoryPlan.Directional.LONG_LIST + ";")
                .contains("sizeof(DirectionalShared<uint32_t>) == " + LaunchPolicy.Directional.SHARED_BYTES + " ")
                .contains("sizeof(DirectionalShared<uint64_t>) == " + LaunchPolicy.Directional.WIDE_SHARED_BYTES + ",");
        assertThat(source("compact.cuh"))
                .contains("HEADS = " + MemoryPlan.Compact.HEADS + ";")
                .contains("HEAD_ALIGNMENT = " + MemoryPlan.Compact.HEAD_ALIGNMENT + ";");
        assertThat(ptx("bfs_directional"))
                .contains(".entry bfs_directional_p32_grid(", ".entry bfs_directional_p64_grid(");
        assertThat(ptx("compact_build"))
                .contains(
                        ".entry compact_measure_thread(",
                        ".entry compact_pointers_thread(",
                        ".entry compact_heads_thread(");
    }

    @Test
    void shouldShareTheSizesOfTiles() throws IOException {
        assertThat(source("tiles.cuh")).contains("TILE_COLUMNS = " + TilesPart.MOST_COLUMNS + ";");
        assertThat(source("msbfs_tiles.cu")).contains("TILE_TURNS = " + MemoryPlan.TileSearch.TURNS + ";");
        assertThat(ptx("msbfs_tiles"))
                .contains(".entry msbfs_tiles_k" + TilesSumKernels.KAPPA + "_grid(", ".entry msbfs_tiles_add_thread(");
        assertThat(ptx("tiles_build"))
                .contains(
                        ".entry tiles_build_positions_thread(",
                        ".entry tiles_build_measure_warp(",
                        ".entry tiles_build_pointers_grid(",
                        ".entry tiles_build_columns_thread(",
                        ".entry tiles_build_near_warp(");
    }

    private static String source(String file) throws IOException {
        return Files.readString(SOURCES.resolve(file), StandardCharsets.UTF_8);
    }

    private static String ptx(String module) throws IOException {
        return Files.readString(CODE.resolve(module + ".ptx"), StandardCharsets.US_ASCII);
    }

    private static String sha256(Path file) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
        } catch (IOException | NoSuchAlgorithmException e) {
            throw new IllegalStateException("cannot hash " + file, e);
        }
    }
}
