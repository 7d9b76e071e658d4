/** Pictures for the report of the demo and for the manual. */
package io.proxima.it.svg;
