/** How work is stopped, watched and spread over threads; used by every module. */
package io.proxima.concurrent;
