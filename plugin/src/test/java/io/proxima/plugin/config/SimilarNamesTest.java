// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is proposed for a name that is not known. */
class SimilarNamesTest {

    @ParameterizedTest
    @CsvSource({
        // slips of the keyboard, other endings, and other ways to join words
        "maxDeph, maxDepth maxCost, maxDepth",
        "max_depth, maxDepth maxCost, maxDepth",
        "wieght, weight cost, weight",
        "nmae, name age, name",
        "roda, roads people, roads",
        "aggregate, aggregation orientation, aggregation",
        "FLY_TO, FLIES_TO KNOWS, FLIES_TO",
        // a part of the name
        "log, logProgress jobId, logProgress",
        "unreached, includeUnreached nodeLabels, includeUnreached",
        "progress, logProgress jobId, logProgress",
        "readConcurrency, concurrency backend, concurrency",
        "ROAD, HAS_ROAD KNOWS, HAS_ROAD",
        // which is longer in lower case
        "İİİİİtopK, topK jobId, topK",
        // not a word of it
        "name, username,",
        "ROAD, BROADWAY,",
        // much less similar than another
        "relationshipType, relationshipTypes relationshipWeightProperty, relationshipTypes",
        "samplingSiz, samplingSize samplingSeed, samplingSize",
        "user, username useWassermanFaust, username",
        // only the beginning is the same
        "useWassermannFaust, username,",
        "threads, threshold,",
        "nodeFilter, nodeProperties,",
        "cost, consecutiveIds,",
    })
    void shouldProposeOnlyWhatACallerMayHaveMeant(String name, String known, String proposed) {
        assertThat(SimilarNames.of(name, List.of(known.split(" "))))
                .containsExactly(proposed == null ? new String[0] : proposed.split(" "));
    }
}
