// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TechniqueTableTest {

    private static final List<String> MEASURED = List.of(
            "graph,vertices,entries,what,variant,unit,mean,median,worst,checked",
            "kron9,512,900,\"single source, kernel, depth 7\",degree auto: directional,ms,1.0,0.5,2.0,8 sources",
            "kron9,512,900,\"single source, upload to sync\",degree auto: directional,ms,1.0,0.1,2.0,8 sources",
            "kron9,512,900,\"single source, kernel, depth 7\",degree tile,ms,1.0,0.75,2.0,8 sources",
            "kron9,512,900,\"single source, kernel, depth 7\",natural tile,ms,1.0,0.25,2.0,8 sources",
            "rgg9,512,900,\"single source, kernel, depth 90\",degree tile,ms,1.0,4.0,9.0,8 sources");

    @Test
    void shouldTakeTheFasterOrderAndMarkTheBest() {
        assertThat(TechniqueTable.markdown(MEASURED)).isEqualTo("""
                | kernel | kron9 | rgg9 |
                |---|---:|---:|
                | auto | 0.500 directional degree |  |
                | tile | *0.250* | *4.000* degree |
                """);
    }

    @Test
    void shouldWriteTheSameFiguresAsACsv(@TempDir Path folder) throws IOException {
        Path csv = Files.write(folder.resolve("benchmark.csv"), MEASURED);
        Path figures = folder.resolve("techniques.csv");
        TechniqueTable.main(new String[] {csv.toString(), folder.resolve("t.md").toString(), figures.toString()});
        assertThat(figures).hasContent("""
                graph,step,side,repetition,millis
                kron9,search,auto,1,0.50000
                kron9,search,tile,1,0.25000
                rgg9,search,tile,1,4.00000
                """);
        assertThat(folder.resolve("t.md")).hasContent(TechniqueTable.markdown(MEASURED));
    }

    @Test
    void shouldRefuseACsvWithoutSearches() {
        assertThatThrownBy(() -> TechniqueTable.markdown(MEASURED.subList(0, 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("kernels:K,L:G");
    }
}
