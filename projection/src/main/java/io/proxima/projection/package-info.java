/**
 * Projections of a property graph to an id map and CSC. The entry point is {@link io.proxima.projection.Projector}. Only
 * the package {@code store} depends on Neo4j.
 */
package io.proxima.projection;
