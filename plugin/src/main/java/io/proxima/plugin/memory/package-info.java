/** Who may take how much of the heap. */
package io.proxima.plugin.memory;
