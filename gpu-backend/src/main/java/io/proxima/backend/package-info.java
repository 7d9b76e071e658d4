/** Traversal over {@link io.proxima.projection.csc.Csc}: one interface, several backends with equal results. */
package io.proxima.backend;
