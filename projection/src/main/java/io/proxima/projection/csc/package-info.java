// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/** Lists of neighbours in compressed columns, with weights or without, and what is computed of them alone. */
package io.proxima.projection.csc;
