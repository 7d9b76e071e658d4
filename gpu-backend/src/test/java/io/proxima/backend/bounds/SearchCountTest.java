// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.bounds;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunContext;
import io.proxima.backend.bounds.Eccentricities.Wanted;
import io.proxima.backend.cpu.CpuBackend;
import io.proxima.backend.cuda.BenchmarkGraphs;
import io.proxima.concurrent.Stop;
import io.proxima.projection.TestGraphs;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Bounds save searches on the kinds of graphs that have them. The numbers are up to half above those of today.
 */
@Tag("full")
class SearchCountTest {

    @ParameterizedTest
    @CsvSource({
        // vertices of small components are searched too
        "R-MAT 16, 4, 200",
        "R-MAT 18, 4, 595",
        "roadc180, 40, 600",
        "../it-tests/src/test/resources/graphs/ca-condmat.txt.gz-undirected, 6, 100",
        "../it-tests/src/test/resources/graphs/as-caida.txt.gz-undirected, 5, 24"
    })
    void shouldSearchFewVertices(String name, long ofDiameterAndRadius, long ofAll) {
        Csc csc = name.startsWith("R-MAT")
                ? TestGraphs.rmat(Integer.parseInt(name.substring(6)), 16, 1)
                        .toCsc(Orientation.UNDIRECTED, 2, Stop.NEVER)
                : new BenchmarkGraphs(2).make(name);
        Set<Wanted> width = EnumSet.of(Wanted.DIAMETER, Wanted.RADIUS);
        assertThat(searches(csc, width)).isLessThanOrEqualTo(ofDiameterAndRadius);
        assertThat(searches(csc, Set.of(Wanted.ALL))).isLessThanOrEqualTo(ofAll);
    }

    private static long searches(Csc csc, Set<Wanted> wanted) {
        try (LoadedGraph loaded = new CpuBackend().load(csc)) {
            return EccentricityBounds.find(csc, loaded, loaded, wanted, () -> {}, RunContext.of(2))
                    .searches();
        }
    }
}
