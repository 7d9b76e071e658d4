/** Metrics for monitoring tools: MXBeans under {@code io.proxima}. */
package io.proxima.plugin.metrics;
