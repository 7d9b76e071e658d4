// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/**
 * What papers describe, as values of the keys 'kernel' and 'order': to be compared with, seldom chosen by 'auto'. Found
 * as services; nothing else depends on it.
 */
package io.proxima.backend.papers;
