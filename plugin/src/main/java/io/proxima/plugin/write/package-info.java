/** Write-back of results to the store as node properties. */
package io.proxima.plugin.write;
