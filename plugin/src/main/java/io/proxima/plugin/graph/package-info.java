/** Procedures on projected graphs: project, filter, describe, list, drop, export, import, and their node properties. */
package io.proxima.plugin.graph;
