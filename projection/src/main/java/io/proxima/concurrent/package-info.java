/** Stop requests, progress and worker threads; used by every module. */
package io.proxima.concurrent;
