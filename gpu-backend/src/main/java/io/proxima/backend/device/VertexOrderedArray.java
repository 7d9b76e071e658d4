// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device;

/**
 * Rows on a device with one entry for each slot, to be copied to the host with one entry for each vertex.
 *
 * @param address device address of the first row
 * @param entryBytes 1, 2, 4 or 8
 * @param vertexCount entries of a row
 * @param slotOfVertex device address of the slot of each vertex; 0 for the identity
 */
public record VertexOrderedArray(long address, int entryBytes, int vertexCount, long slotOfVertex) {}
