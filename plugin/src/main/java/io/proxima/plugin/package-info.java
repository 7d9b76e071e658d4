/** The Cypher interface: procedures, the graph catalog, and write-back of results. */
package io.proxima.plugin;
