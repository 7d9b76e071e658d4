/** What a caller asks for: configuration maps, projections and node arguments, checked at the door. */
package io.proxima.plugin.config;
