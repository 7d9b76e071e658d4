// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.bvss;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.projection.Csc;
import org.junit.jupiter.api.Test;

class BvssLayoutTest {

    @Test
    void shouldNotOverflowAtTheLimits() {
        int lastVss = BvssLayout.MAX_VIRTUAL_SLICE_SETS - 1;
        assertThat(BvssLayout.rowIdIndex(lastVss, 127)).isEqualTo(lastVss * 128L + 127);
        assertThat(BvssLayout.maskWordIndex(lastVss, 127)).isEqualTo(lastVss * 32L + 31);
        assertThat(BvssLayout.sliceSetCount(Csc.MAX_VERTICES)).isEqualTo((1 << 28) - 1);
        assertThat(BvssLayout.firstColumn((1 << 28) - 2)).isEqualTo(Integer.MAX_VALUE - 15);
        assertThat(BvssLayout.virtualSliceSetCount(Integer.MAX_VALUE)).isEqualTo(1 << 24);
    }
}
