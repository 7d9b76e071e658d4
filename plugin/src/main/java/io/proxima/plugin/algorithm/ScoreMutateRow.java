// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm;

import io.proxima.plugin.call.Words;
import java.util.Map;
import org.neo4j.procedure.Description;

/** Statistics of scores, and the property added to the graph. */
public record ScoreMutateRow(
        @Description(Words.NODE_PROPERTIES_MUTATED) long nodePropertiesWritten,
        @Description(Words.MUTATE_MILLIS) long mutateMillis,
        @Description(Words.SCORE_DISTRIBUTION) Map<String, Object> centralityDistribution,
        @Description(Words.POST_PROCESSING_MILLIS) long postProcessingMillis,
        @Description(Words.PRE_PROCESSING_MILLIS) long preProcessingMillis,
        @Description(Words.COMPUTE_MILLIS) long computeMillis,
        @Description(Words.CONFIGURATION_COLUMN) Map<String, Object> configuration) {}
