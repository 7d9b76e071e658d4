/** Vertex orders: permutations between the vertex and the slot id space. */
package io.proxima.backend.order;
