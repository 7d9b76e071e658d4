// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "persistent.cuh"

namespace proxima {

/** What every kernel of one search takes, in front of its own arguments; the host fills it in one place. */
struct SearchHead {
    const int *sources;      // int[sourceCount], distinct
    const int *stopTargets;  // int[stopTargetCount]: the search ends with the first level that contains one of them
    const int *stopFlag;     // host-mapped, may be null
    int *levels;             // int[n]
    RunControl *control;
    RunControl *report;
    int n;
    int sourceCount;
    int onlySource;  // the source of a search from one; avoids a read of host memory
    int stopTargetCount;
    int maxDepth;  // the last level to visit, or NO_MAX_DEPTH
};

}  // namespace proxima
