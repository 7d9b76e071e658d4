/** The catalog of projected graphs. */
package io.proxima.plugin.catalog;
