// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/** Estimates of the device memory and the heap that a run will take. */
package io.proxima.backend.cuda.estimate;
