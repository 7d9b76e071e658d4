/** Shortest paths by weight from one node. */
package io.proxima.plugin.algorithm.paths;
