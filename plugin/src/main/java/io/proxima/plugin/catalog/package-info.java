/** The projected graphs that live between calls. */
package io.proxima.plugin.catalog;
