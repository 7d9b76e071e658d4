// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection;

import java.util.ArrayList;
import java.util.List;

/** A growing list of longs that is read chunk by chunk. Not thread-safe. */
final class LongChunks {

    /** Longs of a chunk; the last may have fewer. */
    static final int CHUNK_LENGTH = 1 << 13;

    /** Heap of a chunk. */
    static final int CHUNK_BYTES = CHUNK_LENGTH * Long.BYTES;

    private final List<long[]> chunks = new ArrayList<>();

    /** The last chunk, until it is released. */
    private long[] last;

    private int lastLength = CHUNK_LENGTH;

    void add(long[] values, int count) {
        int done = 0;
        while (done < count) {
            if (lastLength == CHUNK_LENGTH) {
                beginChunk();
            }
            int copied = Math.min(count - done, CHUNK_LENGTH - lastLength);
            System.arraycopy(values, done, last, lastLength, copied);
            lastLength += copied;
            done += copied;
        }
    }

    void add(long value) {
        if (lastLength == CHUNK_LENGTH) {
            beginChunk();
        }
        last[lastLength++] = value;
    }

    private void beginChunk() {
        last = new long[CHUNK_LENGTH];
        chunks.add(last);
        lastLength = 0;
    }

    /** Frees a chunk that is not read again. */
    void release(int chunk) {
        if (chunks.set(chunk, null) == last) {
            last = null;
        }
    }

    long length() {
        return (long) chunks.size() * CHUNK_LENGTH - (CHUNK_LENGTH - lastLength);
    }

    int chunkCount() {
        return chunks.size();
    }

    long[] chunk(int chunk) {
        return chunks.get(chunk);
    }

    int chunkLength(int chunk) {
        return chunk == chunks.size() - 1 ? lastLength : CHUNK_LENGTH;
    }
}
