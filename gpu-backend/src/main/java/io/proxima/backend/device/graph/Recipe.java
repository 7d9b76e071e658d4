// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.graph;

import java.util.List;

/**
 * The device memory for building a structure, besides the structure itself. No builder allocates more than its recipe.
 *
 * @param from structures that are read, and built first if they are not resident
 * @param scratchBytes bytes freed when the structure is built; they also count while the structures of {@code from} are
 *     built
 */
public record Recipe(List<DeviceStructure<?>> from, long scratchBytes) {

    /** The recipe of a structure that is built on the host and copied. */
    public static final Recipe COPY = new Recipe(List.of(), 0);
}
