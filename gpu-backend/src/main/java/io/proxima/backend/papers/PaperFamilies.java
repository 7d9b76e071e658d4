// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.papers;

import io.proxima.backend.device.kernel.KernelFamily;
import io.proxima.backend.papers.bvss.BvssBfsKernel;
import io.proxima.backend.papers.merrill.MerrillBfsKernel;
import io.proxima.backend.papers.tilebfs.TileBfsKernel;
import io.proxima.backend.papers.twolayer.TwoLayerBfsKernel;
import io.proxima.backend.papers.xbfs.XbfsKernel;
import java.util.List;

/** The families of kernels that papers describe, in the order in which users see them. Found as a service. */
public final class PaperFamilies implements KernelFamily.Provider {

    @Override
    public List<KernelFamily> families() {
        return List.of(
                BvssBfsKernel.FAMILY,
                MerrillBfsKernel.FAMILY,
                XbfsKernel.FAMILY,
                TwoLayerBfsKernel.FAMILY,
                TileBfsKernel.FAMILY);
    }
}
