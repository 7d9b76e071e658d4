/** What runs and what it holds, in figures for those who watch the server: MXBeans under {@code io.proxima}. */
package io.proxima.plugin.metrics;
