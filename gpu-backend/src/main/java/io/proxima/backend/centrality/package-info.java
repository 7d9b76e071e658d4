// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The parts of centrality runs that all backends share: the sums that need no search, and the order of the searches.
 */
package io.proxima.backend.centrality;
