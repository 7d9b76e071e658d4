// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "persistent.cuh"

namespace proxima {

/** The arguments common to all single-search kernels; they precede a kernel's own arguments, and one host class fills them. */
struct SearchHead {
    const int *sources;      // int[sourceCount], distinct
    const int *stopTargets;  // int[stopTargetCount]: the run ends with the first level that contains one of them
    const int *stopFlag;     // host-mapped, may be null; see StopWatch
    int *levels;             // int[n]: hops from the nearest source
    RunControl *control;
    RunControl *report;
    int n;
    int sourceCount;
    int onlySource;  // the source of a one-source run; avoids a read of host memory
    int stopTargetCount;
    int maxDepth;  // the last level to visit, or NO_MAX_DEPTH
};

}  // namespace proxima
