/** Exact, harmonic and sampled closeness. */
package io.proxima.plugin.algorithm.closeness;
