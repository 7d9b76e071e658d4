// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.call;

import io.proxima.backend.RunOptions;
import io.proxima.backend.TraversalBackend;
import io.proxima.backend.TraversalBackend.GraphShape;
import io.proxima.backend.TraversalBackend.MemoryEstimate;
import io.proxima.backend.TraversalBackend.Workload;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.csc.Csc;
import java.util.function.BinaryOperator;
import java.util.function.Supplier;

/**
 * The runs of a call on a graph. Their memory is what an estimate shows and what a call reserves.
 *
 * @param work each run, and what the call keeps
 * @param searches number of sources of the call, together or one after another
 * @param passes the graphs that are searched
 */
public record CallPlan(Workload work, int searches, Passes passes) {

    /** The graphs that a call searches. */
    public enum Passes {
        /** The graph. */
        ALONG,
        /** The graph with every relationship reversed. */
        REVERSED,
        /** Both, one after the other. */
        BOTH
    }

    /** Searches along the relationships. */
    public CallPlan(Workload work, int searches) {
        this(work, searches, Passes.ALONG);
    }

    /** This plan with the caller's choices. */
    CallPlan with(RunOptions options) {
        return new CallPlan(work.with(options), searches, passes);
    }

    /** The memory on an existing graph. */
    MemoryEstimate memory(TraversalBackend backend, Csc graph, boolean searched, int threads) {
        return memory(backend, GraphShape.of(graph), threads, () -> backend.estimate(graph, searched, work, threads));
    }

    /** The memory on a graph of this shape. */
    MemoryEstimate memory(TraversalBackend backend, GraphShape shape, int threads) {
        return memory(backend, shape, threads, () -> backend.estimate(shape, work, threads));
    }

    private MemoryEstimate memory(
            TraversalBackend backend, GraphShape shape, int threads, Supplier<MemoryEstimate> along) {
        if (passes == Passes.ALONG || shape.symmetric()) {
            return along.get();
        }
        GraphShape reversed = new GraphShape(shape.vertexCount(), shape.entryCount(), false, true, false);
        MemoryEstimate run = backend.estimate(reversed, work, threads);
        MemoryEstimate ofReversed = run.withHeap(shape.afterTransposing(run.heap(), threads));
        return passes == Passes.REVERSED
                ? ofReversed
                : combined(along.get(), ofReversed, (one, other) -> MemoryTree.oneByOne("both directions", other, one));
    }

    /** The memory of two runs on one device. */
    static MemoryEstimate combined(MemoryEstimate one, MemoryEstimate other, BinaryOperator<MemoryTree> operator) {
        return new MemoryEstimate(
                operator.apply(one.heap(), other.heap()),
                operator.apply(one.device(), other.device()),
                one.availableDeviceBytes(),
                operator.apply(one.mapped(), other.mapped()),
                one.availableMappedBytes());
    }
}
