/** Scores and statistics for users, computed from the integer sums of a backend. */
package io.proxima.plugin.centrality;
