/** Graphs as plain lists of edges: read from files or made by seeded generators. */
package io.proxima.it.graphs;
