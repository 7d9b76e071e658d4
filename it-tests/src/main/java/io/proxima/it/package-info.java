/** Proxima in real Neo4j: the packed plugin in a server process, for the demo, the tests and the benchmarks. */
package io.proxima.it;
