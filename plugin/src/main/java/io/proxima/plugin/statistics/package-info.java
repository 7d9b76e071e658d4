// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/** Scores, statistics and component ids for users, computed from the integer results of a backend. */
package io.proxima.plugin.statistics;
