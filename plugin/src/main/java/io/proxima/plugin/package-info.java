/** Cypher in, Cypher out: the procedures, what they keep between calls, and how results are written back. */
package io.proxima.plugin;
