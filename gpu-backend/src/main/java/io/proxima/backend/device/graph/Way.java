// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.graph;

import java.util.List;

/**
 * One way to do the work of a call on a device: what it takes there besides structures. An estimate prints it, a device
 * promises it, and kernels read it instead of asking for room.
 *
 * @param batch maximum number of sources of a batch, or of teams that search side by side
 * @param levels number of levels that the counts of harmonic sums have room for; 0 without
 * @param kept bytes of the arrays that the run keeps to its end, such as sums
 * @param workspace bytes of the workspace, which a run has only within a lease
 * @param growth bytes by which {@code kept} may grow during the run while memory is not short
 */
public record Way(int batch, int levels, long kept, long workspace, long growth) {

    /** Of work that takes structures only. */
    public static final Way NOTHING = new Way(0, 0, 0, 0, 0);

    /** The last of these ways only, which takes least. */
    public static List<Way> least(List<Way> ways) {
        return ways.subList(ways.size() - 1, ways.size());
    }

    /** The same way of a run that has room for another one, before or after it. */
    public Way withRoomFor(Way other) {
        return new Way(batch, levels, Math.max(kept, other.kept), Math.max(workspace, other.workspace), growth);
    }

    /** Work in batches that keeps nothing. */
    public static Way inBatches(int batch, long workspace) {
        return new Way(batch, 0, 0, workspace, 0);
    }

    /** Work that takes a workspace only. */
    public static Way within(long workspace) {
        return inBatches(1, workspace);
    }
}
