/** Weakly connected components. */
package io.proxima.plugin.algorithm.components;
