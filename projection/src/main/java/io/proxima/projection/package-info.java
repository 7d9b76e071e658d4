/**
 * From a property graph to an id map and CSC: the one door is {@link io.proxima.projection.Projector}. Nothing here knows
 * Neo4j except the package {@code store}.
 */
package io.proxima.projection;
