// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.Kernel;
import io.proxima.backend.Operation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The manual's tables of the values of the key {@code kernel}, and of those that 'auto' chooses, are complete. */
class KernelsPageTest {

    private static final Path PAGE = Path.of("../docs/modules/ROOT/pages/kernels.adoc");
    private static final Pattern TABLE = Pattern.compile("(?s)\\| `kernel` \\| The kernels\\n(.*?)\\|===");
    private static final Pattern AUTO =
            Pattern.compile("(?s)\\| Run \\| Shallow graph \\| Deep graph\n\n(.*?)\n\\|===");
    private static final Pattern VALUE = Pattern.compile("(?m)^\\| ((?:'[a-z-]+'(?:, )?)+) \\|");

    @Test
    void shouldHaveARowForEachKernelAndNoOther() throws IOException {
        String table = TABLE.matcher(Files.readString(PAGE))
                .results()
                .map(match -> match.group(1))
                .findFirst()
                .orElseThrow();
        List<String> values = VALUE.matcher(table)
                .results()
                .flatMap(match -> Stream.of(match.group(1).split(", ")))
                .map(value -> value.replace("'", ""))
                .toList();
        assertThat(values)
                .containsExactlyInAnyOrderElementsOf(
                        Kernel.all().stream().map(Kernel::keyword).toList());
    }

    @Test
    void shouldPrintTheTableOfAuto() throws IOException {
        Map<Operation, String> names = Map.of(
                Operation.BFS, "`proxima.bfs`",
                Operation.NEAREST_SOURCE, "`proxima.distances.nearest`",
                Operation.MULTI_SOURCE_BFS, "`proxima.distances`",
                Operation.FARNESS_OF_SOURCES, "`proxima.closeness` with `targetNodes`",
                Operation.FARNESS, "`proxima.closeness`");
        List<String> rows = AUTO.matcher(Files.readString(PAGE))
                .results()
                .flatMap(match -> match.group(1).lines())
                .toList();
        CudaKernels.TABLE.byRun().forEach((run, kernels) -> {
            String columns = " | '" + kernels.shallow() + "' | '" + kernels.deep() + "'";
            assertThat(rows)
                    .filteredOn(row -> Stream.of(row.split("[|,] ?"))
                            .anyMatch(name -> name.strip().equals(names.get(run))))
                    .as(run.name())
                    .singleElement()
                    .asString()
                    .endsWith(columns);
        });
    }
}
