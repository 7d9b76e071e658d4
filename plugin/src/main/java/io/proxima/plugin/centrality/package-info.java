/** From the integers that a backend sums to the numbers that a user reads. */
package io.proxima.plugin.centrality;
