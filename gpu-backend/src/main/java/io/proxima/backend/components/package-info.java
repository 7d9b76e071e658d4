/** Weakly connected components on the CPU. */
package io.proxima.backend.components;
