// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/** Exact answers about all distances from few searches, by bounds on what the other searches would find. */
package io.proxima.backend.bounds;
