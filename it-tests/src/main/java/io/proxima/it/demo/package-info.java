/** Proxima's main job on a real graph, from an empty folder to ranked airports. */
package io.proxima.it.demo;
