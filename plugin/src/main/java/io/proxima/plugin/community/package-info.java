/** Communities of nodes: the results of algorithms as ids and sizes. */
package io.proxima.plugin.community;
