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
package io.proxima.backend;

import io.proxima.backend.TraversalBackend.Run;
import io.proxima.backend.order.VertexOrder;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/**
 * What a caller may choose of how a run is done. No choice changes a result. A backend without the thing chosen runs as it
 * does anyway.
 *
 * @param order how the graph lies while it is traversed
 * @param kernel which kernels traverse it
 */
public record RunOptions(VertexOrder order, Kernel kernel) {

    /** Everything is left to the backend. */
    public static final RunOptions AUTO = new RunOptions(VertexOrder.AUTO, Kernel.AUTO);

    /** The values of the configuration key {@code kernel}, each with the runs that it can do. */
    public enum Kernel {
        /** What suits the graph. */
        AUTO(Run.values()),
        /** BVSS with the layout of BerryBees: variant A of arXiv:2606.05081, section 7.1. */
        BLEST_A(Run.values()),
        /** BVSS with the paper's layout on tensor cores: variant AB. */
        BLEST_AB(Run.values()),
        /** And with lazy updates: variant ABCD; many searches at once take {@link #BLEST_FULL}. */
        BLEST_ABCD(Run.values()),
        /** And with switching: variant Full. */
        BLEST_FULL(Run.values()),
        /** AB with a plain AND in place of tensor cores. */
        BLEST_AB_AND(Run.values()),
        /** ABCD with a plain AND. */
        BLEST_ABCD_AND(Run.values()),
        /** Full with a plain AND. */
        BLEST_FULL_AND(Run.values()),
        /** Lists top-down and bottom-up by forecast costs: bfs_directional.cu; for graphs of low diameter. */
        DIRECTIONAL(Run.BFS, Run.NEAREST_SOURCE),
        /** Rows of neighbours, for graphs of high diameter: several levels between two synchronisations. */
        BALLS(Run.BFS, Run.NEAREST_SOURCE),
        /** And records of balls, where there is memory for them. */
        BALL_RECORDS(Run.BFS, Run.NEAREST_SOURCE),
        /** Word-parallel searches over adjacency lists. */
        WORDS(Run.MULTI_SOURCE_BFS, Run.FARNESS),
        /** Searches of a thread block each. */
        BLOCKS(Run.MULTI_SOURCE_BFS),
        /** Searches of neighbouring sources over tiles of neighbours, for graphs of high diameter. */
        TILES(Run.FARNESS);

        @SuppressWarnings("ImmutableEnumChecker") // Set.of makes immutable sets
        private final Set<Run> runs;

        Kernel(Run... runs) {
            this.runs = Set.of(runs);
        }

        /** Whether a run can be done so. */
        public boolean suits(Run run) {
            return runs.contains(run);
        }

        /** What a run can be done with. */
        public static Set<Kernel> of(Run run) {
            EnumSet<Kernel> kernels = EnumSet.allOf(Kernel.class);
            kernels.removeIf(kernel -> !kernel.suits(run));
            return kernels;
        }

        /** Whether it is one of the paper's, over binarized virtual slice sets. */
        public boolean isOverSliceSets() {
            return compareTo(BLEST_A) >= 0 && compareTo(BLEST_FULL_AND) <= 0;
        }

        /** In words of the configuration key. */
        public String keyword() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }
}
