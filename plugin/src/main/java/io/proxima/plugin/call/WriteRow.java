// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.call;

import static io.proxima.plugin.call.ColumnTexts.BATCHES;
import static io.proxima.plugin.call.ColumnTexts.COMPUTE_MILLIS;
import static io.proxima.plugin.call.ColumnTexts.CONFIGURATION_COLUMN;
import static io.proxima.plugin.call.ColumnTexts.ERROR_MESSAGES;
import static io.proxima.plugin.call.ColumnTexts.NODES_SKIPPED;
import static io.proxima.plugin.call.ColumnTexts.NODE_PROPERTIES_WRITTEN;
import static io.proxima.plugin.call.ColumnTexts.POST_PROCESSING_MILLIS;
import static io.proxima.plugin.call.ColumnTexts.PRE_PROCESSING_MILLIS;
import static io.proxima.plugin.call.ColumnTexts.RETRIES;
import static io.proxima.plugin.call.ColumnTexts.WRITE_MILLIS;

import java.util.Map;
import org.neo4j.procedure.Description;

/** The result of a write mode without statistics. */
public record WriteRow(
        @Description(NODE_PROPERTIES_WRITTEN) long nodePropertiesWritten,
        @Description(WRITE_MILLIS) long writeMillis,
        @Description(POST_PROCESSING_MILLIS) long postProcessingMillis,
        @Description(PRE_PROCESSING_MILLIS) long preProcessingMillis,
        @Description(COMPUTE_MILLIS) long computeMillis,
        @Description(CONFIGURATION_COLUMN) Map<String, Object> configuration,
        @Description(NODES_SKIPPED) long nodesSkipped,
        @Description(BATCHES) long batches,
        @Description(RETRIES) long retries,
        @Description(ERROR_MESSAGES) Map<String, Object> errorMessages) {}
