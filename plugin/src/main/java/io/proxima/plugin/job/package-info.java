/** Running calls as jobs, with their progress and their stop. */
package io.proxima.plugin.job;
