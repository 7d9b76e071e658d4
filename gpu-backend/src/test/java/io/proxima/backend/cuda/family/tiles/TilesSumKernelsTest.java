// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.tiles;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.GraphShape;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.cuda.FakeDeviceTestCase;
import io.proxima.backend.cuda.FakeDevices;
import io.proxima.backend.device.graph.GraphSizes;
import io.proxima.concurrent.Stop;
import io.proxima.projection.TestGraphs;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Sums by tiles, and how 'auto' comes to them, with kernels simulated on host memory. */
class TilesSumKernelsTest extends FakeDeviceTestCase {

    private static final int DEEP = 2000;

    @Test
    void shouldSearchByFewerGroupsWhereMemoryIsShort() {
        Csc path = TestGraphs.path(DEEP).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
        FakeDevices.with(backend, path, with("auto"), 1, view -> {
            TilesSumKernels tiles = new TilesSumKernels("neighbour-tiles", backend.device());
            // one a multiprocessor at most
            int groups = Math.min(16, backend.device().facts().multiprocessors());
            GraphSizes large = GraphSizes.Bounds.of(new GraphShape(1 << 24, 1 << 24, true), 0);
            assertThat(tiles.bytes(view, tiles.mostSources(), 100))
                    .as("one batch")
                    .isEqualTo(TilesSumKernels.bytes(DEEP, 1));
            assertThat(tiles.bytes(large, tiles.mostSources(), tiles.mostSources()))
                    .isEqualTo(TilesSumKernels.bytes(1 << 24, groups));
            assertThat(tiles.bytes(large, tiles.leastSources(), tiles.leastSources()))
                    .isEqualTo(TilesSumKernels.bytes(1 << 24, 1));
        });
    }

    /** Hubs go on in the lists; a launch ends before all sources are done, as its time is over. */
    @Test
    void shouldAddUpAcrossLaunchesAndPastTheColumns() {
        Csc csc = TestGraphs.lollipop(150, 1200).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
        Set<DistanceMeasure> sums = EnumSet.complementOf(EnumSet.of(DistanceMeasure.HARMONIC));
        try (LoadedGraph loaded = backend.load(csc)) {
            FakeDevices.assertAsOnCpu(loaded.farness(sums, with("neighbour-tiles")), csc, sums);
            assertThat(launches("msbfs_tiles_k128_grid")).isGreaterThan(1);
        }
    }
}
