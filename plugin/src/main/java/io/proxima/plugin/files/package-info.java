/** The files that calls leave on the server. */
package io.proxima.plugin.files;
