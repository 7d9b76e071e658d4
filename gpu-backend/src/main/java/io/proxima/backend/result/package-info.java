// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/** What backends make of levels and distances on the host: parents, ties, sums and files of sums. */
package io.proxima.backend.result;
