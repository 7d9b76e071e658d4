// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.memory;

import io.proxima.memory.HeapBudget;
import io.proxima.memory.HeapPart;
import io.proxima.memory.HeapShortageException;
import io.proxima.memory.MemoryTree;
import java.lang.ref.PhantomReference;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * A ledger of the heap with promises and holdings. A promise is the peak memory that a call has reserved. A holding is
 * the memory of an existing graph or result. A promise is checked and entered in one atomic step, so calls that fit
 * only one after the other never run together. Thread-safe.
 *
 * <p>The free heap is the total minus promises, holdings and the rest of the server. The rest of the server is measured
 * at garbage collections, see {@link OtherHeap}; garbage does not count.
 */
public final class HeapLedger {

    private static final HeapLedger OF_THIS_JVM =
            new HeapLedger(Runtime.getRuntime().maxMemory(), JvmHeap::used, System::nanoTime);

    /** A collection is reported some time after its end; younger objects may not have existed at its end. */
    private static final long REPORT_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Smaller amounts of garbage are not tracked. */
    private static final long LEAST_GARBAGE = 1 << 20;

    private final long max;
    private final LongSupplier used;
    private final LongSupplier nanos;

    // all guarded by this
    private final OtherHeap others = new OtherHeap();
    private final IdentityHashMap<Object, Held> held = new IdentityHashMap<>();
    private final List<Garbage> garbage = new ArrayList<>();
    private long heldBytes;
    private long promisedBytes;

    static {
        JvmHeap.onCollection(OF_THIS_JVM::collected);
    }

    /**
     * Creates a ledger.
     *
     * @param max the maximum size of the heap, in bytes
     * @param used the heap in use, including garbage, in bytes
     * @param nanos the clock
     */
    HeapLedger(long max, LongSupplier used, LongSupplier nanos) {
        this.max = max;
        this.used = used;
        this.nanos = nanos;
    }

    /** The ledger of this JVM, shared by all its servers. */
    public static HeapLedger ofThisJvm() {
        return OF_THIS_JVM;
    }

    /**
     * Opens an empty promise.
     *
     * @param share of the heap that all promises and holdings may take together if this promise grows, at most 1
     */
    public Promise open(double share) {
        return new Promise(share);
    }

    /**
     * Promises heap to work outside of calls; see {@link HeapBudget#reserve}.
     *
     * @param share as of {@link #open}
     */
    public Promise reserve(double share, long bytes) {
        Promise promise = open(share);
        promise.require(bytes);
        return promise;
    }

    /** Opens an empty holding. */
    public Holding hold() {
        return new Holding();
    }

    /** Bytes of the whole heap. */
    public long max() {
        return max;
    }

    private synchronized long free(double share) {
        long own = promisedBytes + heldBytes;
        long free = max - own - others.bytes(used.getAsLong(), heldBytes);
        return share == 1 ? free : Math.min(free, (long) (share * max) - own);
    }

    private static String freeName(double share) {
        return share == 1
                ? "free memory"
                : String.format(Locale.ROOT, "free memory within server.proxima.heap_share=%s", share);
    }

    /** Bytes currently promised. */
    public synchronized long promised() {
        return promisedBytes;
    }

    /** Bytes currently held; shared parts count once. */
    public synchronized long held() {
        return heldBytes;
    }

    private HeapShortageException shortage(double share, long needed, long free) {
        return new HeapShortageException("Procedure was blocked since maximum estimated memory ("
                + MemoryTree.humanReadable(needed) + ") exceeds current " + freeName(share) + " ("
                + MemoryTree.humanReadable(Math.max(0, free)) + "). Of the heap of "
                + MemoryTree.humanReadable(max) + " graphs hold " + MemoryTree.humanReadable(heldBytes)
                + ", running calls have reserved " + MemoryTree.humanReadable(promisedBytes)
                + ", and the rest of the server held "
                + MemoryTree.humanReadable(others.bytes(used.getAsLong(), heldBytes))
                + " after the last garbage collection. Drop graphs that are not needed, wait for running calls to end,"
                + " give the server more memory, or use 'sudo: true' to override the check.");
    }

    /** Records the heap in use after a garbage collection. */
    synchronized void collected(long left) {
        long now = nanos.getAsLong();
        long young = held.values().stream()
                .filter(part -> now - part.since < REPORT_NANOS)
                .mapToLong(part -> part.bytes)
                .sum();
        long justEnded = garbage(let -> now - let.since < REPORT_NANOS);
        garbage.removeIf(let -> now - let.since >= REPORT_NANOS && let.referent.refersTo(null));
        long dropped = garbage(let -> now - let.since >= REPORT_NANOS && !let.ofCall);
        long ended = garbage(let -> now - let.since >= REPORT_NANOS && let.ofCall);
        others.collected(left, heldBytes - young, promisedBytes + young + justEnded, dropped, ended);
    }

    private long garbage(Predicate<Garbage> wanted) {
        return garbage.stream().filter(wanted).mapToLong(Garbage::bytes).sum();
    }

    private void letGo(Object referent, long bytes, boolean ofCall) {
        if (bytes < LEAST_GARBAGE) {
            return;
        }
        try {
            garbage.add(new Garbage(new PhantomReference<>(referent, null), bytes, ofCall, nanos.getAsLong()));
        } catch (OutOfMemoryError e) {
            // a full heap must not stop a release; until the next collection the garbage counts as the server's
        }
    }

    /**
     * Heap reserved for a call. It is promised for one step of the call after another. If a step has built something
     * that is kept, its memory is handed over to a holding.
     */
    public final class Promise implements HeapBudget.Reservation {

        // older than anything that the call allocates, so the collector cannot find it earlier
        private Object token = new Object();
        private long bytes;
        private long kept;
        private boolean overriding;
        private final double share;

        private Promise(double share) {
            this.share = share;
        }

        /** Bytes that can be promised now beside this promise; negative if overriding promises exceed the heap. */
        public long free() {
            return HeapLedger.this.free(share);
        }

        /** Ignores shortage from now on; the promise still counts for other calls. */
        public void override() {
            synchronized (HeapLedger.this) {
                overriding = true;
            }
        }

        /**
         * Promises heap for the next step of the call; replaces the promise for the previous step.
         *
         * @param step peak of the step in bytes, in addition to the memory held and kept
         * @throws HeapShortageException if not enough heap is free; the promise does not change
         */
        public void require(long step) {
            synchronized (HeapLedger.this) {
                promise(Math.addExact(kept, step));
            }
        }

        private void promise(long wanted) {
            requireOpen();
            long free = HeapLedger.this.free(share) + bytes;
            if (wanted > bytes && wanted > free && !overriding) {
                throw shortage(share, wanted, free);
            }
            promisedBytes += wanted - bytes;
            bytes = wanted;
        }

        /** {@inheritDoc} The call keeps it until its end, beside every step. */
        @Override
        public void grow(long more) {
            synchronized (HeapLedger.this) {
                promise(Math.addExact(bytes, more));
                kept += more;
            }
        }

        /**
         * Sets the parts of a holding, and deducts the additional heap from the promise.
         *
         * @param parts all parts of the holding from now on
         */
        public void handOver(Holding holding, Collection<HeapPart> parts) {
            synchronized (HeapLedger.this) {
                requireOpen();
                long before = heldBytes;
                holding.set(parts);
                long moved = Math.max(0, Math.min(bytes - kept, heldBytes - before));
                promisedBytes -= moved;
                bytes -= moved;
            }
        }

        /** Bytes currently promised. */
        public long bytes() {
            synchronized (HeapLedger.this) {
                return bytes;
            }
        }

        @Override
        public void close() {
            synchronized (HeapLedger.this) {
                if (token != null) {
                    letGo(token, bytes, true);
                    token = null;
                    promisedBytes -= bytes;
                    bytes = 0;
                }
            }
        }

        private void requireOpen() {
            if (token == null) {
                throw new IllegalStateException("the promise is closed");
            }
        }
    }

    /** Existing parts of the heap: of a graph or of a result. */
    public final class Holding implements AutoCloseable {

        // an array, because no iterator can be made on a full heap; a part may be in it twice
        private HeapPart[] parts = {};
        private boolean closed;

        private Holding() {}

        /** Replaces the parts, all or none. Has no effect once closed. */
        public void set(Collection<HeapPart> now) {
            synchronized (HeapLedger.this) {
                if (closed) {
                    return;
                }
                HeapPart[] next = now.toArray(HeapPart[]::new);
                int added = 0;
                try {
                    for (; added < next.length; added++) {
                        add(next[added]);
                    }
                } catch (RuntimeException | Error e) {
                    remove(next, added);
                    throw e;
                }
                remove(parts, parts.length);
                parts = next;
            }
        }

        @Override
        public void close() {
            synchronized (HeapLedger.this) {
                if (!closed) {
                    closed = true;
                    remove(parts, parts.length);
                    parts = null;
                }
            }
        }
    }

    private void remove(HeapPart[] parts, int count) {
        for (int i = 0; i < count; i++) {
            remove(parts[i]);
        }
    }

    private void add(HeapPart part) {
        Held known = held.computeIfAbsent(part.object(), unused -> new Held(nanos.getAsLong()));
        known.holders++;
        heldBytes += part.bytes() - known.bytes;
        known.bytes = part.bytes();
    }

    private void remove(HeapPart part) {
        Held known = held.get(part.object());
        if (--known.holders == 0) {
            held.remove(part.object());
            heldBytes -= known.bytes;
            letGo(part.object(), known.bytes, false);
        }
    }

    /** A part that is held. Mutable, because a full heap must not stop a release. */
    private static final class Held {
        private final long since;
        private long bytes;
        private int holders;

        Held(long since) {
            this.since = since;
        }
    }

    /** Dropped memory that the collector has not found yet; the reference is in no queue, but polled. */
    private record Garbage(PhantomReference<Object> referent, long bytes, boolean ofCall, long since) {}
}
