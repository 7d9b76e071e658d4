// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.papers.bvss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.backend.KernelLimitException;
import io.proxima.backend.cuda.driver.KernelConstants;
import io.proxima.concurrent.Stop;
import io.proxima.projection.EdgeList;
import io.proxima.projection.TestGraphs;
import io.proxima.projection.csc.Orientation;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BvssFormatTest {

    @Test
    void shouldHaveTheConstantsOfThePaper() {
        assertThat(KernelConstants.SLICE_SIZE).as("sigma").isEqualTo(TextbookBvss.COLUMNS);
        assertThat(KernelConstants.SLICES_PER_THREAD).as("theta").isEqualTo(4);
        assertThat(KernelConstants.VSS_SLICES).as("tau").isEqualTo(TextbookBvss.SLICES);
        assertThat(KernelConstants.VSS_MASK_WORDS).isEqualTo(32);
        assertThat(KernelConstants.PADDING_ROW).isZero();
    }

    /** The worked example of the format page: 20 vertices, so 3 slice sets, of which the middle one has no slices. */
    @Test
    void shouldLayOutTheWorkedExample() {
        EdgeList edges = TestGraphs.of(20, "0>3 1>3 6>3 2>9 0>17 7>17 4>18 5>19 16>0 19>0 17>18 19>18");
        TextbookBvss bvss = TextbookBvss.of(edges.toCsc(Orientation.NATURAL, 1, Stop.NEVER));

        assertThat(bvss.realPtrs()).containsExactly(0, 1, 1, 2);
        assertThat(bvss.virtualToReal()).containsExactly(0, 2);
        assertThat(bvss.rowIds()).hasSize(256).startsWith(3, 9, 17, 18, 19, 0, 0, 0);
        assertThat(Arrays.copyOfRange(bvss.rowIds(), 128, 131)).containsExactly(0, 18, 0);
        assertThat(bvss.masks()).hasSize(64).startsWith(0x10810443, 0x00000020, 0);
        assertThat(Arrays.copyOfRange(bvss.masks(), 32, 34)).containsExactly(0x00000a09, 0);
        assertThat(bvss.slices()).isEqualTo(7);
    }

    @Test
    void shouldTakeAThreadAVertexAndAWarpAVirtualSliceSet() {
        assertThat(BvssStructure.grid(257, 0).usefulThreads()).isEqualTo(257);
        assertThat(BvssStructure.grid(8, 17).usefulThreads()).isEqualTo(17 * 32);
        assertThat(BvssStructure.grid(1, Integer.MAX_VALUE).usefulThreads()).isEqualTo(32L * Integer.MAX_VALUE);
    }

    @ParameterizedTest
    @CsvSource({"1, 256, 32", "32, 256, 32", "33, 256, 64", "100, 256, 128", "256, 256, 256", "64, 64, 64"})
    void shouldTakeTheSmallestWidthThatHoldsTheBatch(int sources, int most, int width) {
        assertThat(BvssBatchKernels.width(sources, most)).isEqualTo(width);
    }

    @Test
    void shouldRefuseMoreSetsThanTheFormatCanNumber() {
        long most = BvssMaker.MOST_VIRTUAL_SLICE_SETS;
        assertThat(BvssMaker.checkedCount(most)).isEqualTo((int) most);
        assertThatThrownBy(() -> BvssMaker.checkedCount(most + 1))
                .isInstanceOf(KernelLimitException.class)
                .hasMessageContaining("virtual slice sets")
                .hasMessageContaining("'cpu'");
    }
}
