// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm;

import io.proxima.plugin.call.ColumnTexts;
import java.util.Map;
import org.neo4j.procedure.Description;

/** Statistics of scores. */
public record ScoreStatsRow(
        @Description(ColumnTexts.SCORE_DISTRIBUTION) Map<String, Object> centralityDistribution,
        @Description(ColumnTexts.POST_PROCESSING_MILLIS) long postProcessingMillis,
        @Description(ColumnTexts.PRE_PROCESSING_MILLIS) long preProcessingMillis,
        @Description(ColumnTexts.COMPUTE_MILLIS) long computeMillis,
        @Description(ColumnTexts.CONFIGURATION_COLUMN) Map<String, Object> configuration) {}
