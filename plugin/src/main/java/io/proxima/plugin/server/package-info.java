/** Integration into the server: settings, metrics and the release of devices. */
package io.proxima.plugin.server;
