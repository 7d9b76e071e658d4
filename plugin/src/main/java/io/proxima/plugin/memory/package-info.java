// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/** Admission of calls by the heap that they reserve. */
package io.proxima.plugin.memory;
