// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

import java.util.Arrays;

/**
 * A multi-source BFS that can move from one loaded graph to another: each continues with the sources whose distances
 * the sink has not received. Exceptions of the sink, of any type, are distinguished from those of a graph.
 */
final class ResumableDistances {

    private final int[] sources;
    private final int maxDepth;
    private final DistanceSink sink;
    private int done;

    /** A run whose sink has received nothing. Parameters as of {@link LoadedGraph#multiSourceBfs}. */
    ResumableDistances(int[] sources, int maxDepth, DistanceSink sink) {
        this.sources = sources;
        this.maxDepth = maxDepth;
        this.sink = sink;
    }

    /** The sources whose distances the sink has not received. */
    private int[] left() {
        return done == 0 ? sources : Arrays.copyOfRange(sources, done, sources.length);
    }

    /**
     * Runs, with the sources that are left.
     *
     * @throws SinkFailure if the sink fails
     */
    void continueOn(LoadedGraph graph, RunContext control) {
        int begin = done;
        DistanceSink rest = batch -> {
            try {
                sink.accept(begin == 0 ? batch : new LaterBatch(batch, begin));
            } catch (RuntimeException e) {
                throw new SinkFailure(e);
            }
            done = begin + batch.firstSource() + batch.sourceCount();
        };
        graph.multiSourceBfs(left(), maxDepth, rest, control);
    }

    /** An exception of the sink. */
    static final class SinkFailure extends RuntimeException {
        private static final long serialVersionUID = 1L;

        SinkFailure(RuntimeException cause) {
            super(cause.getMessage(), cause, false, false);
        }

        /** What the sink has thrown. */
        RuntimeException failure() {
            return (RuntimeException) getCause();
        }
    }

    /** A batch of a run over a suffix of the sources. */
    private record LaterBatch(DistanceBatch batch, int begin) implements DistanceBatch {
        @Override
        public int firstSource() {
            return begin + batch.firstSource();
        }

        @Override
        public int sourceCount() {
            return batch.sourceCount();
        }

        @Override
        public int depth() {
            return batch.depth();
        }

        @Override
        public int distance(int source, int vertex) {
            return batch.distance(source, vertex);
        }
    }
}
