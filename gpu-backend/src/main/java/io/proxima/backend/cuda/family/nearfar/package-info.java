// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/** Weighted shortest paths by a near queue and a far pile: near_far.cu. */
package io.proxima.backend.cuda.family.nearfar;
