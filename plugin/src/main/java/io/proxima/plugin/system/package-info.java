/** Procedures and functions about the server, and utilities. */
package io.proxima.plugin.system;
