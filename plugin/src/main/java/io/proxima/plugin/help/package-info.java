/** proxima.help: keys, examples and pages of all procedures. */
package io.proxima.plugin.help;
