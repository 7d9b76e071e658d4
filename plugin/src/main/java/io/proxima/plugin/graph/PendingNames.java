// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.graph;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Names of the graphs or node properties that an open group of rows will add. No other open group can have them. Not
 * thread-safe, but each group has its own.
 */
final class PendingNames implements AutoCloseable {

    private static final Map<Name, PendingNames> OWNERS = new ConcurrentHashMap<>();

    private final List<Name> names = new ArrayList<>();

    /** A name that must be unique within a transaction or a graph. */
    private record Name(Object scope, Object name) {}

    /** Adds a name; returns false if a group has it. */
    boolean add(Object scope, Object name) {
        Name added = new Name(scope, name);
        // first, so that it is removed even if the heap is full after it was added to the map
        names.add(added);
        return OWNERS.putIfAbsent(added, this) == null;
    }

    /** Removes the names of this group. */
    @Override
    public void close() {
        names.forEach(name -> OWNERS.remove(name, this));
    }
}
