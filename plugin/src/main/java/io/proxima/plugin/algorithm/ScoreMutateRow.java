// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm;

import static io.proxima.plugin.call.ColumnTexts.COMPUTE_MILLIS;
import static io.proxima.plugin.call.ColumnTexts.CONFIGURATION_COLUMN;
import static io.proxima.plugin.call.ColumnTexts.MUTATE_MILLIS;
import static io.proxima.plugin.call.ColumnTexts.NODE_PROPERTIES_MUTATED;
import static io.proxima.plugin.call.ColumnTexts.POST_PROCESSING_MILLIS;
import static io.proxima.plugin.call.ColumnTexts.PRE_PROCESSING_MILLIS;
import static io.proxima.plugin.call.ColumnTexts.SCORE_DISTRIBUTION;

import java.util.Map;
import org.neo4j.procedure.Description;

/** Statistics of scores, and the property added to the graph. */
public record ScoreMutateRow(
        @Description(NODE_PROPERTIES_MUTATED) long nodePropertiesWritten,
        @Description(MUTATE_MILLIS) long mutateMillis,
        @Description(SCORE_DISTRIBUTION) Map<String, Object> centralityDistribution,
        @Description(POST_PROCESSING_MILLIS) long postProcessingMillis,
        @Description(PRE_PROCESSING_MILLIS) long preProcessingMillis,
        @Description(COMPUTE_MILLIS) long computeMillis,
        @Description(CONFIGURATION_COLUMN) Map<String, Object> configuration) {}
