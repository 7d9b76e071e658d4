/** CPU backend: direction-optimizing BFS and bit-parallel multi-source BFS over CSC. */
package io.proxima.backend.cpu;
