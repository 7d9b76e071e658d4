// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.bvss;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.projection.IntPages;
import io.proxima.projection.Orientation;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Structures with one fault each: every invariant of {@link Bvss} is broken alone. */
class BvssValidateTest {

    /** The parts of a BVSS of 150 vertices, 19 slice sets: set 0 has one VSS of one slice, set 1 none, set 2 two VSS of 128 and 1 slices. */
    private static final class Parts {
        int vertexCount = 150;
        int[] realPtrs = new int[20];
        int[] virtualToReal = {0, 2, 2};
        int[] rowIds = new int[3 * 128];
        int[] masks = new int[3 * 32];
        long sliceCount = 130;
        long entryCount = 131;

        Parts() {
            realPtrs[1] = 1;
            realPtrs[2] = 1;
            for (int set = 3; set < 20; set++) {
                realPtrs[set] = 3;
            }
            rowIds[0] = 9;
            setMask(0, 0, 0x81);
            for (int slice = 0; slice < 128; slice++) {
                rowIds[128 + slice] = slice < 16 ? slice : slice + 8;
                setMask(1, slice, 0x04);
            }
            rowIds[256] = 149;
            setMask(2, 0, 0x80);
        }

        void setMask(int vss, int slice, int mask) {
            int word = vss * 32 + slice / 4;
            int shift = 8 * (slice % 4);
            masks[word] = (masks[word] & ~(0xff << shift)) | (mask << shift);
        }

        Bvss bvss() {
            return new Bvss(
                    vertexCount,
                    realPtrs,
                    virtualToReal,
                    IntPages.ofArray(rowIds),
                    IntPages.ofArray(masks),
                    sliceCount,
                    entryCount);
        }
    }

    @Test
    void shouldAcceptTheUndamagedStructure() {
        new Parts().bvss().validate();
    }

    @Test
    void shouldAcceptEveryBuiltGraph() {
        Graphs.shapes().values().forEach(edges -> Graphs.bvss(Graphs.csc(edges, Orientation.UNDIRECTED))
                .validate());
    }

    @Test
    void shouldRefuseArraysOfWrongLength() {
        refuses(
                p -> p.vertexCount = 153,
                "realPtrs has one entry a slice set and one more",
                "length=20",
                "sliceSets=20");
        refuses(p -> p.rowIds = new int[3 * 128 - 1], "rowIds has 128 entries a virtual slice set", "length=383");
        refuses(p -> p.masks = new int[3 * 32 + 1], "masks has 32 words a virtual slice set", "length=97");
    }

    @Test
    void shouldRefuseWrongPointers() {
        refuses(p -> p.realPtrs[0] = 1, "realPtrs begins with 0", "realPtrs[0]=1");
        refuses(p -> p.realPtrs[2] = 0, "realPtrs does not decrease", "sliceSet=1, from=1, to=0");
        refuses(p -> p.realPtrs[19] = 4, "realPtrs ends with the number of virtual slice sets", "last=4");
        refuses(p -> p.virtualToReal[1] = 1, "virtualToReal is the inverse of realPtrs", "vss=1", "sliceSet=2");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 150, Integer.MAX_VALUE, Integer.MIN_VALUE})
    void shouldRefuseARowThatIsNoVertex(int row) {
        refuses(p -> p.rowIds[0] = row, "row ids are vertices", "vss=0, slice=0, row=" + row);
    }

    @Test
    void shouldRefuseRowsOutOfOrder() {
        refuses(p -> p.rowIds[131] = 2, "row ids ascend without repeats", "vss=1, slice=3, row=2", "rowBefore=2");
        refuses(p -> p.rowIds[131] = 1, "row ids ascend without repeats", "vss=1, slice=3, row=1", "rowBefore=2");
    }

    @Test
    void shouldRefuseRowsOutOfOrderAcrossTheVirtualSetsOfASet() {
        refuses(p -> p.rowIds[256] = 135, "row ids ascend without repeats", "vss=2, slice=0, row=135", "rowBefore=135");
    }

    @Test
    void shouldRefuseBitsOfColumnsThatDoNotExist() {
        refuses(
                p -> {
                    // the last slice set covers the columns 144 to 149 only
                    p.virtualToReal = new int[] {0, 2, 18};
                    for (int set = 3; set < 19; set++) {
                        p.realPtrs[set] = 2;
                    }
                    p.rowIds[256] = 7;
                    p.setMask(2, 0, 0x40);
                },
                "masks have no bits of columns from vertexCount on",
                "vss=2, slice=0, row=7, mask=0x40");
    }

    @Test
    void shouldRefuseALoop() {
        refuses(p -> p.rowIds[0] = 7, "there is no loop", "vss=0, slice=0, row=7, mask=0x81");
    }

    @Test
    void shouldRefuseWrongPadding() {
        refuses(p -> p.rowIds[1] = 12, "a slice without bits is padding and has the padding row", "slice=1, row=12");
        refuses(p -> p.setMask(1, 5, 0), "a slice without bits is padding", "vss=1, slice=5, row=5");
        refuses(p -> p.setMask(2, 1, 0x01), "row ids ascend without repeats", "vss=2, slice=1, row=0");
        refuses(
                p -> {
                    p.rowIds[2] = 12;
                    p.setMask(0, 2, 0x01);
                },
                "padding comes after the slices",
                "vss=0, slice=2, row=12");
    }

    @Test
    void shouldRefusePaddingBeforeTheLastVirtualSetOfASet() {
        refuses(
                p -> {
                    p.rowIds[255] = 0;
                    p.setMask(1, 127, 0);
                },
                "only the last virtual slice set of a slice set is padded",
                "vss=1, sliceSet=2, slices=127");
    }

    @Test
    void shouldRefuseAVirtualSetWithoutSlices() {
        refuses(
                p -> {
                    p.rowIds[0] = 0;
                    p.setMask(0, 0, 0);
                },
                "no virtual slice set is without slices",
                "vss=0, sliceSet=0");
    }

    @Test
    void shouldRefuseWrongCounts() {
        refuses(p -> p.sliceCount = 131, "sliceCount is the number of slices", "sliceCount=131, slices=130");
        refuses(p -> p.entryCount = 130, "entryCount is the number of mask bits", "entryCount=130, bits=131");
    }

    private static void refuses(Consumer<Parts> damage, String invariant, String... values) {
        Parts parts = new Parts();
        damage.accept(parts);
        assertThatThrownBy(() -> parts.bvss().validate())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(invariant)
                .hasMessageContainingAll(values);
    }
}
