// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

/** Optional results of {@link LoadedGraph#farness}, in addition to farness and reach. */
public enum DistanceMeasure {
    /** {@link Farness#harmonic}. */
    HARMONIC,
    /** {@link Farness#eccentricity}. */
    ECCENTRICITY,
    /** {@link Farness#hops}. */
    HOPS
}
