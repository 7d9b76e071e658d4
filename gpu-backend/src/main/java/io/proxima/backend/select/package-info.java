// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/** Which backend runs what: the entry point, and the backend 'auto'. Nobody else names a concrete backend. */
package io.proxima.backend.select;
