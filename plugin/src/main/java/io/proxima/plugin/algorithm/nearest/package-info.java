/** The nearest of several sources. */
package io.proxima.plugin.algorithm.nearest;
