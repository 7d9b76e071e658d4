// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/** The interfaces of kernels (one search, batches of searches, sums) and the registry of kernel families. */
package io.proxima.backend.device.kernel;
