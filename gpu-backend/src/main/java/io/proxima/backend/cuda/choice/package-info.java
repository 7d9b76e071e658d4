// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/** Chooses the kernels of each run, and prepares graphs for repeated use. */
package io.proxima.backend.cuda.choice;
