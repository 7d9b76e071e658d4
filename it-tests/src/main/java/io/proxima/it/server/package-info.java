/** A real Neo4j server with the packed plugin in its plugins folder, as a process of its own, and ways to fill it. */
package io.proxima.it.server;
