/** The call of a procedure: the caller, the configuration, and the run on a graph. Every procedure is built on it. */
package io.proxima.plugin.call;
