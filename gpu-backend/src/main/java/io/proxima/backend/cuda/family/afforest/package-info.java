// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/** Weakly connected components by Afforest: components.cu. */
package io.proxima.backend.cuda.family.afforest;
