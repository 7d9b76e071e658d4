/** What {@code SHOW PROCEDURES} shows: thin classes over a run on a graph, and their rows. */
package io.proxima.plugin.procedures;
