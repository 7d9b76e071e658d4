/** How much memory work takes, as figures and as text for people; used by every module. */
package io.proxima.memory;
