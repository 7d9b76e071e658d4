/** Parsing and validation of arguments: configuration maps, projections and nodes. */
package io.proxima.plugin.config;
