/** Traversal over {@link io.proxima.projection.Csc}: one interface, several backends with equal results. */
package io.proxima.backend;
