// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/** The order of section 4 of BLEST (arXiv:2606.05081), which places similar columns beside each other. */
package io.proxima.backend.papers.jaccard;
