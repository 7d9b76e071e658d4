// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device;

import io.proxima.backend.LoadedGraph;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.projection.csc.DoublePages;
import io.proxima.projection.csc.IntPages;
import java.nio.ByteBuffer;
import java.util.function.DoubleToIntFunction;
import java.util.function.IntUnaryOperator;
import java.util.function.LongConsumer;

/**
 * Copies between the heap and a device, chunk by chunk through two page-locked buffers: one is filled or read by the
 * host while the other one is copied. Between chunks, the run may yield to others and can be stopped.
 */
abstract class DeviceCopies {

    /** Levels that fit a signed byte, with that of the unreached, which is the first. */
    public static final int LEVELS_OF_A_BYTE = Byte.MAX_VALUE + 2;

    /** Bytes that one thread copies between the heap and a page-locked buffer at a time. */
    private static final int COPY_GRAIN = 1 << 20;

    private static final String COUNT_LEVELS = "permute_levels_count_thread";

    final Device device;
    final DeviceDriver driver;
    final Stop stop;

    DeviceCopies(Device device, DeviceDriver driver, Stop stop) {
        this.device = device;
        this.driver = driver;
        this.stop = stop;
    }

    /**
     * Makes one call of the driver that submits work. A call that reports an error has submitted nothing, so it may be
     * repeated; two calls would be repeated together.
     */
    abstract void submit(Runnable call);

    /** Waits until the device has reached a mark. */
    abstract void await(DeviceDriver.Mark mark);

    /** Waits for all submitted work. */
    abstract void finish();

    /** All submitted work is known to have ended. */
    abstract void nothingIsPending();

    /** Ends the lease, all of whose work is done. */
    abstract void endLease();

    /** Yields to waiting runs, which use the buffers, if this run has used up its time; returns whether it yielded. */
    abstract boolean giveWayIfDue();

    abstract void launchThreads(long elements, KernelArguments arguments);

    /** Loads the code of a kernel. */
    abstract void load(String kernel);

    /** Reads or fills the page-locked buffers of a copy, chunk by chunk. */
    @FunctionalInterface
    public interface Chunk {
        /**
         * Reads or fills {@code bytes} bytes, at the start of the buffer.
         *
         * @param buffer native byte order; valid during the call only
         * @param offset of the chunk's first byte within the copy
         * @param bytes a multiple of 8 except at the end
         */
        void accept(ByteBuffer buffer, long offset, int bytes);
    }

    /** Copies {@code count} entries of an array, from index {@code first} on. */
    public void upload(long to, int[] from, int first, int count) {
        uploadChunks(to, (long) count * Integer.BYTES, (buffer, offset, bytes) -> buffer.asIntBuffer()
                .put(0, from, first + (int) (offset / Integer.BYTES), bytes / Integer.BYTES));
    }

    /** Copies a whole array. */
    public void upload(long to, long[] from, int concurrency) {
        uploadChunks(
                to,
                (long) from.length * Long.BYTES,
                (buffer, offset, bytes) -> inGrains(concurrency, bytes, (at, length) -> buffer.asLongBuffer()
                        .put(at / Long.BYTES, from, (int) ((offset + at) / Long.BYTES), length / Long.BYTES)));
    }

    /** Copies {@code count} values, which are computed during the copy. */
    public void upload(long to, int count, IntUnaryOperator valueAt, int concurrency) {
        uploadChunks(
                to,
                (long) count * Integer.BYTES,
                (buffer, offset, bytes) -> inGrains(concurrency, bytes, (at, length) -> {
                    for (int i = at; i < at + length; i += Integer.BYTES) {
                        buffer.putInt(i, valueAt.applyAsInt((int) ((offset + i) / Integer.BYTES)));
                    }
                }));
    }

    /** Copies all pages. */
    public void upload(long to, IntPages from, int concurrency) {
        upload(to, from, concurrency, entries -> {});
    }

    /**
     * Copies all pages.
     *
     * @param begun receives, after each chunk, the number of entries that a kernel launched now would find; the next
     *     chunk is filled while that kernel runs
     */
    public void upload(long to, IntPages from, int concurrency, LongConsumer begun) {
        uploadChunks(
                to,
                from.bytes(),
                (buffer, offset, bytes) -> inGrains(
                        concurrency,
                        bytes,
                        (at, length) -> copy(from, (offset + at) / Integer.BYTES, buffer, at, length)),
                bytes -> begun.accept(bytes / Integer.BYTES));
    }

    private static void copy(IntPages from, long first, ByteBuffer to, int at, int bytes) {
        from.forParts(first, first + bytes / Integer.BYTES, Stop.NEVER, (page, within, index, length) -> {
            int place = at / Integer.BYTES + (int) (index - first);
            to.asIntBuffer().put(place, page, within, length);
        });
    }

    /**
     * Copies all pages as words of 4 bytes.
     *
     * @param word converts a value
     */
    public void upload(long to, DoublePages from, DoubleToIntFunction word, int concurrency) {
        uploadChunks(
                to,
                from.length() * Integer.BYTES,
                (buffer, offset, bytes) -> inGrains(concurrency, bytes, (at, length) -> {
                    long first = (offset + at) / Integer.BYTES;
                    for (int i = 0; i < length / Integer.BYTES; i++) {
                        buffer.putInt(at + i * Integer.BYTES, word.applyAsInt(from.get(first + i)));
                    }
                }));
    }

    /** Copies all pages. */
    public void upload(long to, DoublePages from, int concurrency) {
        uploadChunks(
                to,
                from.bytes(),
                (buffer, offset, bytes) -> inGrains(concurrency, bytes, (at, length) -> {
                    long first = (offset + at) / Double.BYTES;
                    for (int i = 0; i < length / Double.BYTES; i++) {
                        buffer.putDouble(at + i * Double.BYTES, from.get(first + i));
                    }
                }));
    }

    private void uploadChunks(long to, long bytes, Chunk filler) {
        uploadChunks(to, bytes, filler, begun -> {});
    }

    private void uploadChunks(long to, long bytes, Chunk filler, LongConsumer begun) {
        device.memory().countUpload(bytes);
        int size = device.policy().stagingBytes();
        boolean[] used = new boolean[2];
        int which = 0;
        for (long offset = 0; offset < bytes; offset += size) {
            stop.check();
            giveWayIfDue();
            int length = (int) Math.min(size, bytes - offset);
            if (used[which]) {
                await(device.link().staging(which).mark());
            }
            HostLink.Staging staging = device.link().staging(which);
            filler.accept(staging.buffer(), offset, length);
            long at = to + offset;
            submit(() -> driver.copyToDevice(at, staging.buffer(), length));
            submit(staging.mark()::put);
            used[which] = true;
            which ^= 1;
            begun.accept(offset + length);
        }
        // the buffers can be reused only after the copies
        finish();
    }

    /**
     * Copies rows to the host in vertex order, chunk by chunk; a chunk is copied while the previous one is processed.
     * If the graph is resident in another order, a kernel gathers the rows directly into page-locked memory.
     */
    public void download(VertexOrderedArray from, int rows, Chunk chunk) {
        String gather = from.slotOfVertex() == 0 ? "" : "permute_rows_gather" + 8 * from.entryBytes() + "_thread";
        download(from, (long) rows * from.vertexCount() * from.entryBytes(), from.entryBytes(), gather, chunk);
    }

    /**
     * Loads the code for {@link #beginLevels}. To be called before the search, because a driver that loads code waits
     * for running kernels, and meanwhile nobody can stop them.
     */
    public void loadLevels(int entryBytes) {
        load(COUNT_LEVELS);
        load(gatherLevels(entryBytes));
    }

    /**
     * Begins to copy levels as signed numbers of fewer bytes, {@link LoadedGraph#UNREACHED} included. May be called
     * behind a search that runs; must be repeated if that was paused.
     *
     * @param from a row of ints
     * @param entryBytes 1, 2 or 4
     * @param counts device address of {@link #LEVELS_OF_A_BYTE} ints
     */
    public void beginLevels(VertexOrderedArray from, int entryBytes, long counts) {
        if (entryBytes == Byte.BYTES) {
            ByteBuffer counted = device.link().staging(0).levelCounts();
            submit(() -> driver.fill(counts, (byte) 0, counted.capacity()));
            launchThreads(
                    from.vertexCount(),
                    device.arguments(COUNT_LEVELS)
                            .set("levels", from.address())
                            .set("counts", counts)
                            .set("n", from.vertexCount()));
            submit(() -> driver.copyToHost(counted, counts, counted.capacity()));
        }
        beginDownload(from, 0, from.vertexCount() * (long) entryBytes, entryBytes, gatherLevels(entryBytes), 0);
    }

    /**
     * Copies levels chunk by chunk, after {@link #beginLevels} with the same width and the end of all launches. May end
     * the lease before the last chunk is processed, so that the next run need not wait for that. The caller can only
     * close the lease afterwards.
     *
     * @return at i, the vertices of level i - 1, if levels have one byte; the first are the unreached
     */
    public int[] endLevels(VertexOrderedArray from, int entryBytes, Chunk chunk) {
        int[] counts = new int[LEVELS_OF_A_BYTE];
        ByteBuffer counted = device.link().staging(0).levelCounts();
        long bytes = from.vertexCount() * (long) entryBytes;
        long begun = Math.min(device.policy().stagingBytes(), bytes);
        Chunk counting = (buffer, offset, length) -> {
            if (offset == 0) {
                counted.asIntBuffer().get(0, counts);
            }
            chunk.accept(buffer, offset, length);
        };
        endDownload(from, bytes, entryBytes, gatherLevels(entryBytes), begun, counting, true);
        return counts;
    }

    private static String gatherLevels(int entryBytes) {
        return entryBytes == Integer.BYTES
                ? "permute_rows_gather32_thread"
                : "permute_levels_gather" + 8 * entryBytes + "_thread";
    }

    /**
     * Copies rows to the host, chunk by chunk.
     *
     * @param gather the kernel of the module permute that gathers the rows; empty if they are copied unchanged
     */
    private void download(VertexOrderedArray from, long bytes, int entryBytes, String gather, Chunk chunk) {
        long begun = beginDownload(from, 0, bytes, entryBytes, gather, 0);
        endDownload(from, bytes, entryBytes, gather, begun, chunk, false);
    }

    /**
     * Copies the rest of the rows after the first {@link #beginDownload}.
     *
     * @param endsLease whether to end the lease before the last chunk is processed, if the next run has a buffer
     */
    private void endDownload(
            VertexOrderedArray from,
            long bytes,
            int entryBytes,
            String gather,
            long begunBytes,
            Chunk chunk,
            boolean endsLease) {
        int size = device.policy().stagingBytes();
        long begun = begunBytes;
        int which = 0;
        for (long offset = 0; offset < bytes; offset += size) {
            if (offset > 0 && giveWayIfDue()) {
                // other runs have used the buffers
                begun = offset + beginDownload(from, offset, bytes, entryBytes, gather, which);
            }
            begun += beginDownload(from, begun, bytes, entryBytes, gather, which ^ 1);
            await(device.link().staging(which).mark());
            stop.check();
            HostLink.Staging full = device.link().staging(which);
            boolean taken = endsLease && offset + size >= bytes && device.link().takeAway(which);
            try {
                if (taken) {
                    endLease();
                }
                chunk.accept(full.buffer(), offset, (int) Math.min(size, bytes - offset));
            } finally {
                if (taken) {
                    device.link().giveBack(full);
                    // the context of a lost device waits for that
                    device.reclaim();
                }
            }
            which ^= 1;
        }
        nothingIsPending();
    }

    private long beginDownload(
            VertexOrderedArray from, long offset, long bytes, int entryBytes, String gather, int which) {
        long length = Math.min(device.policy().stagingBytes(), bytes - offset);
        if (length > 0) {
            HostLink.Staging staging = device.link().staging(which);
            if (gather.isEmpty()) {
                submit(() -> driver.copyToHost(staging.buffer(), from.address() + offset, length));
            } else {
                long entries = length / entryBytes;
                launchThreads(
                        entries,
                        device.arguments(gather)
                                .set("in", from.address())
                                .set("slotOfVertex", from.slotOfVertex())
                                .set("out", staging.address())
                                .set("n", from.vertexCount())
                                .set("first", offset / entryBytes)
                                .set("count", entries));
            }
            submit(staging.mark()::put);
        }
        return length;
    }

    /** Copies {@code to.length} ints to the heap, in device order. */
    public void download(long from, int[] to, int concurrency) {
        download(new VertexOrderedArray(from, Integer.BYTES, to.length, 0), to, concurrency);
    }

    /** Copies {@code to.length} longs to the heap, in device order. */
    public void download(long from, long[] to) {
        download(new VertexOrderedArray(from, Long.BYTES, to.length, 0), to, 1);
    }

    /** The long at a device address. */
    public long readLong(long from) {
        long[] read = new long[1];
        download(from, read);
        return read[0];
    }

    /** Copies a row of ints to the heap. */
    public void download(VertexOrderedArray from, int[] to, int concurrency) {
        download(
                from,
                1,
                (buffer, offset, bytes) -> inGrains(concurrency, bytes, (at, length) -> buffer.asIntBuffer()
                        .get(at / Integer.BYTES, to, (int) ((offset + at) / Integer.BYTES), length / Integer.BYTES)));
    }

    /** Copies a row of doubles to the heap. */
    public void download(VertexOrderedArray from, double[] to, int concurrency) {
        download(
                from,
                1,
                (buffer, offset, bytes) -> inGrains(concurrency, bytes, (at, length) -> buffer.asDoubleBuffer()
                        .get(at / Double.BYTES, to, (int) ((offset + at) / Double.BYTES), length / Double.BYTES)));
    }

    /** Copies a row of longs to the heap. */
    public void download(VertexOrderedArray from, long[] to, int concurrency) {
        download(
                from,
                1,
                (buffer, offset, bytes) -> inGrains(concurrency, bytes, (at, length) -> buffer.asLongBuffer()
                        .get(at / Long.BYTES, to, (int) ((offset + at) / Long.BYTES), length / Long.BYTES)));
    }

    @FunctionalInterface
    private interface Grain {
        void copy(int at, int bytes);
    }

    private static void inGrains(int concurrency, int bytes, Grain grain) {
        Workers.forRanges(
                concurrency,
                bytes,
                COPY_GRAIN,
                Stop.NEVER,
                (worker, from, to) -> grain.copy((int) from, (int) (to - from)));
    }
}
