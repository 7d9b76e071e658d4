// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/** The tasks of backends, as progress shows them. */
package io.proxima.backend.task;
