// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/** Running calls as jobs, with their progress and their stop. */
package io.proxima.plugin.job;
