/** Hop distances from several nodes. */
package io.proxima.plugin.algorithm.distances;
