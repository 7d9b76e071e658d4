// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.bvss;

import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.projection.Csc;
import io.proxima.projection.OnDemand;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * The BVSS of a graph that is built once for several devices, which would otherwise have a copy each on the heap. It lives
 * as long as somebody holds it.
 */
public final class SharedBvss {

    // guarded by itself
    private static final Map<Csc, WeakReference<SharedBvss>> HELD = new WeakHashMap<>();

    private final Csc graph;
    private final OnDemand<Bvss> built = new OnDemand<>();

    private SharedBvss(Csc graph) {
        this.graph = graph;
    }

    /**
     * The BVSS of a graph, shared by all that hold it at the same time.
     *
     * @param graph slot id space
     */
    public static SharedBvss of(Csc graph) {
        synchronized (HELD) {
            WeakReference<SharedBvss> known = HELD.get(graph);
            SharedBvss shared = known == null ? null : known.get();
            if (shared == null) {
                shared = new SharedBvss(graph);
                HELD.put(graph, new WeakReference<>(shared));
            }
            return shared;
        }
    }

    /**
     * The BVSS, built on this thread if it does not exist.
     *
     * @param concurrency threads that build it, at least 1
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    public Bvss bvss(int concurrency, Stop stop, Progress progress) {
        return built.get(stop, () -> BvssBuilder.build(graph, concurrency, stop, progress));
    }
}
