/** Betweenness, exact or from a sample of sources. */
package io.proxima.plugin.algorithm.betweenness;
