/**
 * Traversal over {@link io.proxima.projection.Csc}: one interface, several backends with equal results.
 * {@link io.proxima.backend.TraversalBackends} chooses; nobody else names a concrete backend.
 */
package io.proxima.backend;
