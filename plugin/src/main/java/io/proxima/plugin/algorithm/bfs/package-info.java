/** Breadth-first search from one node. */
package io.proxima.plugin.algorithm.bfs;
