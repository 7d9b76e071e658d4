/** Eccentricity, and the diameter and radius of a graph. */
package io.proxima.plugin.algorithm.eccentricity;
