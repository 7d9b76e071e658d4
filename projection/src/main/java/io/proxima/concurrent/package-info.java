// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/** Stop requests, progress and worker threads; used by every module. */
package io.proxima.concurrent;
