/** Running calls: how they are stopped and how far they have come. */
package io.proxima.plugin.job;
