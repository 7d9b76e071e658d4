/*
 * Copyright 2026 The Proxima authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.proxima.backend.cuda.device;

/**
 * Rows on a device with one entry for each slot, to be copied to the host with one entry for each vertex.
 *
 * @param address device address of the first row
 * @param entryBytes 1, 2, 4 or 8
 * @param vertexCount entries of a row
 * @param slotOfVertex device address of the slot of each vertex; 0 for the identity
 */
public record VertexOrderedArray(long address, int entryBytes, int vertexCount, long slotOfVertex) {}
