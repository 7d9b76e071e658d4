/** What several algorithms share: their sources, and the rows of scores. Each algorithm is a package below this one. */
package io.proxima.plugin.algorithm;
