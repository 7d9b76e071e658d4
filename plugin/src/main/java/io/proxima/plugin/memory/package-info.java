/** Admission of calls by the heap that they reserve. */
package io.proxima.plugin.memory;
