// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.papers.tilebfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.concurrent.Stop;
import io.proxima.projection.EdgeList;
import io.proxima.projection.csc.Orientation;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class TextbookTilesTest {

    /** The worked example of the format page: one tile of 32 rows and columns, and one entry in the rest. */
    @Test
    void shouldLayOutTheWorkedExample() {
        EdgeList edges = new EdgeList(48).add(40, 33);
        for (int column = 32; column < 48; column++) {
            edges.add(column, 0).add(column, 1);
        }
        TextbookTiles tiles = TextbookTiles.of(edges.toCsc(Orientation.NATURAL, 1, Stop.NEVER));

        assertThat(tiles.tilePtrs()).containsExactly(0, 0, 1);
        assertThat(tiles.tileRows()).containsExactly(0);
        assertThat(Arrays.copyOf(tiles.words(), 16)).containsOnly(3);
        assertThat(Arrays.copyOfRange(tiles.words(), 16, 32)).containsOnly(0);
        assertThat(tiles.words()).hasSize(32);
        assertThat(Arrays.copyOf(tiles.restPtrs(), 41)).containsOnly(0);
        assertThat(Arrays.copyOfRange(tiles.restPtrs(), 41, 49)).containsOnly(1);
        assertThat(tiles.restRows()).containsExactly(33);
    }
}
