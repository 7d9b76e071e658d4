/** Reordered graphs and finished sums on disk, to be used again after a restart. */
package io.proxima.backend.saved;
