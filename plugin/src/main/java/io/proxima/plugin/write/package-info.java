/** Results into the store, as properties of nodes. */
package io.proxima.plugin.write;
