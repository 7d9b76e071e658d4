// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.tilebfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.cuda.fake.Lists;
import io.proxima.backend.device.ArrayLayout;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The specification of bitmask tiles, and its layout. */
class TileMatrixTest {

    /** The example of the format page. */
    @Test
    void shouldMakeTheTilesOfTheExample() {
        // every vertex from 32 to 47 has edges to 0 and 1; 40 has one to 33 too
        long[] pointers = new long[49];
        int[] indices = new int[33];
        int at = 0;
        for (int slot = 32; slot < 48; slot++) {
            indices[at++] = 0;
            indices[at++] = 1;
            if (slot == 40) {
                indices[at++] = 33;
            }
            pointers[slot + 1] = at;
        }
        TextbookTiles tiles = TextbookTiles.of(new Lists(pointers, indices));
        assertThat(tiles.tilePtrs).containsExactly(0, 0, 1);
        assertThat(tiles.tileRows).containsExactly(0);
        assertThat(Arrays.copyOf(tiles.words, 16)).containsOnly(3);
        assertThat(Arrays.copyOfRange(tiles.words, 16, 32)).containsOnly(0);
        assertThat(tiles.restRows).containsExactly(33);
        assertThat(tiles.restPtrs[40]).isZero();
        assertThat(tiles.restPtrs[41]).isOne();
        assertThat(tiles.restPtrs[48]).isOne();
    }

    @Test
    void shouldPlanPast32Bits() {
        int n = Integer.MAX_VALUE - 8;
        long tiles = 1L << 27;
        ArrayLayout layout = TileMatrix.entries(n, tiles, 1L << 33);
        assertThat(layout.at("restRows") - layout.at("words")).isEqualTo(512 * tiles);
        assertThat(layout.bytes() - layout.at("restRows")).isEqualTo(4L << 33);
        assertThat(TileMatrix.columns(n)).isEqualTo(1 << 25);
    }
}
