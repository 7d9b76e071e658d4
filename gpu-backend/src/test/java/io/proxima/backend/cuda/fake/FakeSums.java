// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.fake;

import static io.proxima.backend.cuda.driver.KernelConstants.CONTROL_LEVEL_OFFSET;
import static io.proxima.backend.cuda.driver.KernelConstants.CONTROL_OVERFLOW_OFFSET;
import static io.proxima.backend.cuda.driver.KernelConstants.COUNTS_TOO_SHALLOW;
import static io.proxima.backend.cuda.driver.KernelConstants.KAPPA;
import static io.proxima.backend.cuda.driver.KernelConstants.LEVELS_TOO_NARROW;

import io.proxima.backend.Farness;
import io.proxima.backend.TextbookBfs;
import io.proxima.projection.csc.Csc;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.util.stream.IntStream;

/** Searches from many sources, one after the other, and where their results go; null for what is not wanted. */
final class FakeSums {

    /** Batches of a group after which the time of a launch is over. */
    private static final int BATCHES_OF_A_GROUP = 2;

    private final FakeArguments arguments;
    private final Csc out;
    private final int n;
    private final int stride;
    // where the sums of slots lie
    private int[] places;
    private ByteBuffer levels;
    private int levelBytes;
    private final boolean bySource;
    private final ByteBuffer far;
    private final ByteBuffer reach;
    private final ByteBuffer counts;
    private final ByteBuffer depths;
    private final ByteBuffer pairs;
    private final ByteBuffer harmonic;
    private final int levelCapacity;
    private final int firstLevel;
    private final int weight;
    private int level;
    private int overflow;

    FakeSums(FakeArguments arguments, Csc out, boolean bySource) {
        this.arguments = arguments;
        this.out = out;
        this.bySource = bySource;
        this.n = arguments.int32("n");
        this.stride = arguments.has("stride") ? (int) arguments.int64("stride") : n;
        this.places = IntStream.range(0, n).toArray();
        this.levelCapacity = arguments.int32("levelCapacity");
        this.firstLevel = arguments.int32("firstLevel");
        this.weight = arguments.int32("weight");
        int sums = bySource ? arguments.int32("sourceCount") : n;
        this.far = memory("far", sums, Long.BYTES);
        this.reach = memory("reach", sums, Long.BYTES);
        this.harmonic = memory("harmonic", sums, Double.BYTES);
        this.counts = memory("levelCounts", levelCapacity * stride, Integer.BYTES);
        this.depths = memory("depths", sums, Integer.BYTES);
        this.pairs = memory("pairs", n, Long.BYTES);
    }

    private ByteBuffer memory(String name, int count, int bytes) {
        long at = arguments.pointer(name);
        return at == 0 ? null : arguments.device.memory(at, (long) count * bytes);
    }

    /** From the sources that the arguments list. */
    void search() {
        int[] sources = arguments.array("sources", arguments.int32("sourceCount"));
        levelBytes = arguments.int32("levelBytes");
        levels = memory("levels", sources.length * stride, levelBytes);
        for (int i = 0; i < sources.length; i++) {
            search(i, sources[i], arguments.int32("maxDepth"));
        }
        tell();
    }

    /** From the positions of batches, of which a launch does not finish all. */
    void searchBatches() {
        int[] slotAt = arguments.array("slotAt", n);
        places = arguments.array("positionOf", n);
        int groups = arguments.int32("groups");
        int lastBatch = arguments.int32("lastBatch");
        IntBuffer nextBatch = arguments.ints(arguments.pointer("nextBatch"), 1);
        int batch = nextBatch.get(0);
        int end = Math.min(lastBatch, batch + groups * BATCHES_OF_A_GROUP);
        for (int position = batch * KAPPA; position < Math.min(n, end * KAPPA); position++) {
            search(0, slotAt[position], -1);
        }
        // a group that finds the last batch taken has raised it all the same
        nextBatch.put(0, end == lastBatch ? end + groups : end);
        tell();
    }

    private void search(int index, int source, int maxDepth) {
        for (int slot = 0; levels != null && slot < stride; slot++) {
            store(index, slot, -1);
        }
        store(index, source, 0);
        if (source >= n) {
            return;
        }
        int[] found = TextbookBfs.levels(out, maxDepth, source);
        long[] byLevel = new long[n + 1];
        for (int slot = 0; slot < n; slot++) {
            if (found[slot] > 0) {
                byLevel[found[slot]]++;
                reached(index, slot, found[slot]);
            }
        }
        if (bySource) {
            addToSource(index, byLevel);
        }
    }

    private void reached(int index, int slot, int at) {
        if (levels != null && levelBytes < Integer.BYTES && at > (1 << (Byte.SIZE * levelBytes)) - 2) {
            overflow |= LEVELS_TOO_NARROW;
            return;
        }
        level = Math.max(level, at);
        store(index, slot, at);
        add(pairs, at, 1);
        if (bySource) {
            return;
        }
        add(far, places[slot], (long) at * weight);
        add(reach, places[slot], weight);
        if (depths != null) {
            depths.putInt(slot * Integer.BYTES, Math.max(depths.getInt(slot * Integer.BYTES), at));
        }
        if (counts != null && at >= firstLevel) {
            if (at - firstLevel < levelCapacity) {
                int entry = ((at - firstLevel) * stride + slot) * Integer.BYTES;
                counts.putInt(entry, counts.getInt(entry) + 1);
            } else {
                overflow |= COUNTS_TOO_SHALLOW;
            }
        }
    }

    private void addToSource(int source, long[] byLevel) {
        for (int at = 1; at < byLevel.length && byLevel[at] > 0; at++) {
            add(far, source, at * byLevel[at]);
            add(reach, source, byLevel[at]);
            if (harmonic != null) {
                int place = source * Double.BYTES;
                harmonic.putDouble(place, Farness.addHarmonic(harmonic.getDouble(place), byLevel[at], at));
            }
            if (depths != null) {
                depths.putInt(source * Integer.BYTES, at);
            }
        }
    }

    private static void add(ByteBuffer sums, int index, long more) {
        if (sums != null) {
            sums.putLong(index * Long.BYTES, sums.getLong(index * Long.BYTES) + more);
        }
    }

    private void store(int index, int slot, int at) {
        int entry = (index * stride + slot) * levelBytes;
        if (levels == null) {
            return;
        }
        switch (levelBytes) {
            case Byte.BYTES -> levels.put(entry, (byte) at);
            case Short.BYTES -> levels.putShort(entry, (short) at);
            default -> levels.putInt(entry, at);
        }
    }

    private void tell() {
        ByteBuffer control = arguments.zeroedControl(arguments.pointer("control"));
        control.putInt(CONTROL_LEVEL_OFFSET, level);
        control.putInt(CONTROL_OVERFLOW_OFFSET, overflow);
    }
}
