// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/** One GPU: its leases and their queue, its memory and the eviction of idle structures, launches, copies. */
package io.proxima.backend.device;
