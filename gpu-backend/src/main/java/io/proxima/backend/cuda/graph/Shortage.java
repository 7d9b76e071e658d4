// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.graph;

/** The memory that a trial lacked. Its finding holds until the device has more of this memory. */
public enum Shortage {
    /** None: all candidates were tried. */
    NONE,

    /** Memory that can be allocated without an eviction, because the trial evicts nothing. */
    OF_FREE_MEMORY,

    /** Any memory: there was too little even after idle structures were evicted. */
    OF_ALL_MEMORY
}
