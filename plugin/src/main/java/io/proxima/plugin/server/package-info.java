/** The plugin as a part of the server: its settings, and the devices that it gives back. */
package io.proxima.plugin.server;
