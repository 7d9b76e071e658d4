// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.bvss;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.projection.Csc;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class BvssLayoutTest {

    @Test
    void shouldHaveTheConstantsOfThePaper() {
        assertThat(BvssLayout.SLICE_SIZE).as("sigma").isEqualTo(8);
        assertThat(BvssLayout.SLICES_PER_THREAD).as("theta").isEqualTo(4);
        assertThat(BvssLayout.VSS_SLICES).as("tau").isEqualTo(128);
        assertThat(BvssLayout.VSS_MASK_WORDS).isEqualTo(32);
    }

    @Test
    void shouldPlaceSlicesFourToALane() {
        assertThat(BvssLayout.rowIdIndex(3, 0)).isEqualTo(384);
        assertThat(BvssLayout.rowIdIndex(3, 127)).isEqualTo(511);
        assertThat(BvssLayout.lane(0)).isEqualTo(0);
        assertThat(BvssLayout.lane(7)).isEqualTo(1);
        assertThat(BvssLayout.lane(127)).isEqualTo(31);
        assertThat(BvssLayout.maskWordIndex(3, 6)).isEqualTo(97);
        assertThat(BvssLayout.maskShift(6)).isEqualTo(16);
        assertThat(BvssLayout.maskByteOffset(3, 6)).isEqualTo(390);
    }

    @Test
    void shouldNotOverflowAtTheLimits() {
        int lastVss = BvssLayout.MAX_VIRTUAL_SLICE_SETS - 1;
        assertThat(BvssLayout.rowIdIndex(lastVss, 127)).isEqualTo(lastVss * 128L + 127);
        assertThat(BvssLayout.maskWordIndex(lastVss, 127)).isEqualTo(lastVss * 32L + 31);
        assertThat(BvssLayout.maskByteOffset(lastVss, 127)).isEqualTo(lastVss * 128L + 127);
        assertThat(BvssLayout.sliceSetCount(Csc.MAX_VERTICES)).isEqualTo((1 << 28) - 1);
        assertThat(BvssLayout.firstColumn((1 << 28) - 2)).isEqualTo(Integer.MAX_VALUE - 15);
        assertThat(BvssLayout.virtualSliceSetCount(Integer.MAX_VALUE)).isEqualTo(1 << 24);
        assertThat(BvssLayout.bytes(Csc.MAX_VERTICES, BvssLayout.MAX_VIRTUAL_SLICE_SETS))
                .isEqualTo(4L * (1 << 28) + 644L * BvssLayout.MAX_VIRTUAL_SLICE_SETS);
    }

    @Property
    void shouldSplitAColumnIntoSetAndBit(@ForAll @IntRange(max = Csc.MAX_VERTICES - 1) int column) {
        int set = BvssLayout.sliceSet(column);
        assertThat(BvssLayout.firstColumn(set) + BvssLayout.columnBit(column)).isEqualTo(column);
        assertThat(set).isLessThan(BvssLayout.sliceSetCount(column + 1));
        assertThat(BvssLayout.columnBit(column)).isBetween(0, 7);
    }

    @Property(tries = 200)
    void shouldHaveTheMaskBytesInSliceOrderInLittleEndianMemory(
            @ForAll @IntRange(max = 3) int vss,
            @ForAll @IntRange(max = 127) int slice,
            @ForAll @IntRange(min = 1, max = 255) int mask) {
        int[] words = new int[4 * 32];
        words[(int) BvssLayout.maskWordIndex(vss, slice)] = mask << BvssLayout.maskShift(slice);
        ByteBuffer memory = ByteBuffer.allocate(4 * 128).order(ByteOrder.LITTLE_ENDIAN);
        memory.asIntBuffer().put(words);

        byte[] expected = new byte[4 * 128];
        expected[vss * 128 + slice] = (byte) mask;
        assertThat(memory.array()).isEqualTo(expected);
        assertThat(BvssLayout.maskByteOffset(vss, slice)).isEqualTo(vss * 128L + slice);
    }
}
