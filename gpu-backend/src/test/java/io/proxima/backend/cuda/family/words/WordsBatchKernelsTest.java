// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.words;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.Kernel;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunContext;
import io.proxima.backend.RunOptions;
import io.proxima.backend.VertexOrder;
import io.proxima.backend.cuda.FakeDeviceTestCase;
import io.proxima.backend.cuda.FakeDevices;
import io.proxima.concurrent.Stop;
import io.proxima.projection.EdgeList;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WordsBatchKernelsTest extends FakeDeviceTestCase {

    /** Rows have no room for isolated vertices behind the others, once it is known how many those are. */
    @Test
    void shouldSearchFromMoreSourcesAtOnceOnceItKnowsHowManyVerticesHaveEdges() {
        useDevice(7 << 20);
        EdgeList edges = new EdgeList(1 << 15);
        Random random = new Random(5);
        for (int i = 0; i < 1 << 14; i++) {
            edges.add(random.nextInt(1 << 11), random.nextInt(1 << 11));
        }
        Csc csc = edges.toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
        RunContext control = RunContext.of(1).with(new RunOptions(VertexOrder.DEGREE, Kernel.of("bit-parallel")));
        try (LoadedGraph graph = backend.load(csc)) {
            FakeDevices.assertAsOnCpu(graph.farness(Set.of(), control), csc, Set.of());
            assertThat(launches("msbfs_words_k1024")).isZero();
            FakeDevices.assertAsOnCpu(graph.farness(Set.of(), control.again()), csc, Set.of());
            assertThat(launches("msbfs_words_k1024")).isPositive();
        }
    }
}
