// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.config;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.memory.HeapShortageException;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.ProximaException;
import io.proxima.plugin.memory.HeapLedger;
import java.util.Collection;
import java.util.Collections;
import java.util.Locale;

/**
 * Limits the arguments of one call to an eighth of the heap, and stops reading them when the call is killed. Each list,
 * map and filter is counted before it is read. Not thread-safe.
 */
public final class ArgumentBudget {

    /** Heap of a node id, and of its place among its duplicates. */
    public static final int ID_BYTES = 48;

    /** Heap of a name in a set, or of an entry in a map. */
    public static final int NAME_BYTES = 100;

    /** Heap of a projected label, type or property, as specification and as shown to the caller. */
    public static final int PROJECTION_BYTES = 1_000;

    /** Heap of a parsed filter for each of its characters. */
    public static final int FILTER_BYTES = 50;

    private static final int SHARE = 8;

    /** Less is not entered in the ledger, which keeps small calls fast. */
    private static final long UNPROMISED_BYTES = 1 << 20;

    /** Steps of {@link PacedStop} for an element: a look-up in a set or map. */
    private static final int STEPS = 8;

    private final PacedStop stop;
    private final HeapLedger.Promise heap;
    private final long limit;
    private long bytes;
    private long promised;

    /**
     * The budget of one call.
     *
     * @param heap the promise of the call, which keeps the heap of the arguments until it is closed; null for arguments
     *     that are not kept
     */
    public ArgumentBudget(Stop stop, HeapLedger.Promise heap) {
        this.stop = new PacedStop(stop);
        this.heap = heap;
        this.limit = HeapLedger.ofThisJvm().max() / SHARE;
    }

    /**
     * Counts an argument, or a part of one, before it is read.
     *
     * @param argument the name of the argument or key, for the message
     * @param elements number of elements, or of characters
     * @param bytesOfElement heap of an element
     * @throws ProximaException if the arguments of the call take more than their share of the heap, or than is free
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    public void take(String argument, long elements, long bytesOfElement) {
        bytes += elements * bytesOfElement;
        if (bytes > limit) {
            throw ProximaException.invalidArgument(String.format(
                    Locale.ROOT,
                    "`%s` is too long with %,d elements or characters: reading the arguments would take %s of heap, but"
                            + " may take at most %s, an eighth of it. Give fewer, or raise"
                            + " `server.memory.heap.max_size`.",
                    argument,
                    elements,
                    MemoryTree.humanReadable(bytes),
                    MemoryTree.humanReadable(limit)));
        }
        if (heap != null && bytes - promised > UNPROMISED_BYTES) {
            try {
                heap.grow(bytes - promised);
            } catch (HeapShortageException e) {
                throw ProximaException.failed(
                        "Not enough heap is free to read the arguments, up to `" + argument + "` "
                                + MemoryTree.humanReadable(bytes)
                                + ". Give fewer elements, wait for running calls to end, drop graphs that are not needed,"
                                + " or give the server more memory.",
                        e);
            }
            promised = bytes;
        }
        step();
    }

    /**
     * Counts an argument that is one element or a list of them.
     *
     * @return the elements as {@link CypherTypes#value}, each of which is reported when it is read
     * @throws ProximaException as {@link #take}
     */
    public Iterable<Object> elements(String argument, Object given, long bytesOfElement) {
        Object value = CypherTypes.value(given);
        Collection<?> elements = value instanceof Collection<?> list ? list : Collections.singletonList(value);
        take(argument, elements.size(), bytesOfElement);
        return () -> elements.stream()
                .<Object>map(element -> {
                    step();
                    return CypherTypes.value(element);
                })
                .iterator();
    }

    /**
     * Reports that an element was read.
     *
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    public void step() {
        stop.worked(STEPS);
    }
}
