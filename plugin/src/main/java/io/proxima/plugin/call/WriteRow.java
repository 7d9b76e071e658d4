// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.call;

import java.util.Map;
import org.neo4j.procedure.Description;

/** The result of writing distances. */
public record WriteRow(
        @Description(Words.NODE_PROPERTIES_WRITTEN) long nodePropertiesWritten,
        @Description(Words.WRITE_MILLIS) long writeMillis,
        @Description(Words.POST_PROCESSING_MILLIS) long postProcessingMillis,
        @Description(Words.PRE_PROCESSING_MILLIS) long preProcessingMillis,
        @Description(Words.COMPUTE_MILLIS) long computeMillis,
        @Description(Words.CONFIGURATION_COLUMN) Map<String, Object> configuration,
        @Description(Words.NODES_SKIPPED) long nodesSkipped,
        @Description(Words.BATCHES) long batches,
        @Description(Words.RETRIES) long retries,
        @Description(Words.ERROR_MESSAGES) Map<String, Object> errorMessages) {}
