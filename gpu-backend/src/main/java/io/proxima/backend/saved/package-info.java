/** Ordered graphs on disk: made once, found again after a restart. */
package io.proxima.backend.saved;
