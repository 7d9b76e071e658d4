// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/** Estimates of memory and reservations of heap; used by every module. */
package io.proxima.memory;
