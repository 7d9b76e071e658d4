// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.concurrent;

import java.util.concurrent.atomic.AtomicInteger;

/** Appends vertices to a queue, for one thread. If others append to the same queue, it does so by blocks. */
public final class QueueAppender {

    private static final int BLOCK = 512;

    private final int[] queue;

    /** The end of the queue; null if no other thread appends. */
    private final AtomicInteger tail;

    /** The block, or the queue itself. */
    private final int[] items;

    private int size;

    /** Appends from {@code end} on, as the only thread. */
    public QueueAppender(int[] queue, int end) {
        this.queue = queue;
        tail = null;
        items = queue;
        size = end;
    }

    /** Appends beside other threads; {@link #flush} is to be called at the end. */
    public QueueAppender(int[] queue, AtomicInteger tail) {
        this.queue = queue;
        this.tail = tail;
        items = new int[BLOCK];
    }

    /** Whether other threads append to the queue. */
    public boolean isShared() {
        return tail != null;
    }

    /** Appends a vertex. */
    public void add(int vertex) {
        if (size == items.length) {
            flush();
        }
        items[size++] = vertex;
    }

    /** Appends what is left of a block to the queue that other threads append to. */
    public void flush() {
        System.arraycopy(items, 0, queue, tail.getAndAdd(size), size);
        size = 0;
    }

    /** The end of the queue of the only thread. */
    public int end() {
        return size;
    }
}
