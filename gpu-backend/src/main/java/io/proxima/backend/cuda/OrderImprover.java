/*
 * Copyright 2026 The Proxima authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.proxima.backend.cuda;

import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import java.util.ArrayDeque;

/** Improves the orders of graphs on a device in the background, one at a time, each once. Nobody waits for it. */
final class OrderImprover implements AutoCloseable {

    private final Runnable afterEach;

    // guarded by this
    private final ArrayDeque<ResidentGraph> waiting = new ArrayDeque<>();
    private Workers.Background worker;
    private boolean closed;

    /** Improves; {@code afterEach} is run after each graph. */
    OrderImprover(Runnable afterEach) {
        this.afterEach = afterEach;
    }

    /** Takes a graph in; returns at once. */
    synchronized void offer(ResidentGraph graph) {
        if (closed) {
            return;
        }
        waiting.add(graph);
        if (worker == null) {
            worker = Workers.inBackground(this::work);
        }
    }

    private void work(Stop stop) {
        ResidentGraph graph = next();
        while (graph != null) {
            try {
                graph.improve(stop);
            } finally {
                afterEach.run();
            }
            graph = next();
        }
    }

    private synchronized ResidentGraph next() {
        ResidentGraph graph = closed ? null : waiting.poll();
        if (graph == null) {
            worker = null;
        }
        return graph;
    }

    /** Waits until nothing is left to improve. */
    void awaitIdle() {
        Workers.Background running;
        while ((running = running()) != null) {
            running.await();
        }
    }

    private synchronized Workers.Background running() {
        return worker;
    }

    /** Ends the work; when this returns, none of it goes on. */
    @Override
    public void close() {
        Workers.Background running;
        synchronized (this) {
            closed = true;
            waiting.clear();
            running = worker;
        }
        if (running != null) {
            running.cancel();
            running.await();
        }
    }
}
