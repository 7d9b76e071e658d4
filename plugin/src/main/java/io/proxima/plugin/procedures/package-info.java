/** The procedures and functions, and their rows: thin classes over a run on a graph. */
package io.proxima.plugin.procedures;
