/** Estimates of memory and reservations of heap; used by every module. */
package io.proxima.memory;
