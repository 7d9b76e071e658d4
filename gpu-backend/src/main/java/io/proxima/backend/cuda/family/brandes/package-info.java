// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/** Betweenness by Brandes' algorithm, with teams of blocks that search from 32 sources each: betweenness.cu. */
package io.proxima.backend.cuda.family.brandes;
