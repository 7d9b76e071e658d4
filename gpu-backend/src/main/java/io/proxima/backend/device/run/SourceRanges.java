// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.run;

import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The sources of a run, which devices take in ranges, the lowest first. A range that a device has not finished is taken
 * again, and so are those whose results are lost with a device. Thread-safe.
 */
final class SourceRanges {

    /** A range is this share of what is left for each device, so that devices of any speed end together. */
    private static final int SHARE = 2;

    private static final long STOP_POLL_MILLIS = 20;

    private final int devices;
    private final Progress progress;

    // by the first source of a class
    private final TreeMap<Integer, Integer> weights = new TreeMap<>();

    // guarded by this: the number of sources of each open range by its first, and the ranges that were taken
    private final TreeMap<Integer, Integer> open = new TreeMap<>();
    private int openSources;
    private int inWork;
    private int done;
    private int reported;

    /**
     * Consecutive sources.
     *
     * @param weight the number of vertices that each of them counts for
     */
    record Range(int first, int count, int weight) {}

    /**
     * Sources from 0 on. A range is always of one class.
     *
     * @param devices the number of devices that take them
     * @param progress advances with sources that are done for the first time
     */
    SourceRanges(List<SumSources.OfWeight> classes, int devices, Progress progress) {
        this.devices = devices;
        this.progress = progress;
        int first = 0;
        for (SumSources.OfWeight same : classes) {
            weights.put(first, same.weight());
            reopen(first, same.count());
            first += same.count();
        }
    }

    /**
     * Takes the next range, to be ended or {@link #repeat repeated}. Does not wait.
     *
     * @param most maximum number of sources
     * @param least number of sources below which a range is not worth a launch
     * @param multiple the range ends at a multiple of this number of sources or at the end of an open range
     * @return null if no range is open
     */
    synchronized Range take(int most, int least, int multiple) {
        Map.Entry<Integer, Integer> next = open.pollFirstEntry();
        if (next == null) {
            return null;
        }
        int first = next.getKey();
        int count = next.getValue();
        long share = devices == 1 ? most : Math.max(least, openSources / (SHARE * devices));
        long rounded = Math.min(most, (share + multiple - 1) / multiple * multiple);
        int taken = (int) Math.min(count, rounded);
        openSources -= count;
        if (taken < count) {
            reopen(first + taken, count - taken);
        }
        inWork++;
        return new Range(first, taken, weights.floorEntry(first).getValue());
    }

    /** Ends a range of which the first {@code sources} are done; the others are open again. */
    synchronized void end(Range range, int sources) {
        inWork--;
        done += sources;
        if (sources < range.count()) {
            reopen(range.first() + sources, range.count() - sources);
        }
        if (done > reported) {
            progress.advance(done - reported);
            reported = done;
        }
        notifyAll();
    }

    /**
     * Opens ranges again, because the device that had them has failed.
     *
     * @param ended ranges that were done
     * @param taken ranges that were taken and not ended
     */
    synchronized void repeat(Collection<Range> ended, Collection<Range> taken) {
        for (Range range : ended) {
            done -= range.count();
            reopen(range.first(), range.count());
        }
        for (Range range : taken) {
            inWork--;
            reopen(range.first(), range.count());
        }
        notifyAll();
    }

    private void reopen(int first, int count) {
        open.put(first, count);
        openSources += count;
    }

    /** Whether all sources are done. */
    synchronized boolean areDone() {
        return openSources == 0 && inWork == 0;
    }

    /**
     * Waits while other devices work on the last ranges, which they may leave unfinished.
     *
     * @return whether a range is open; false if all sources are done
     * @throws StoppedException if the stop was requested or the thread interrupted
     */
    synchronized boolean await(Stop stop) {
        while (openSources == 0 && inWork > 0) {
            stop.check();
            try {
                wait(STOP_POLL_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new StoppedException();
            }
        }
        return openSources > 0;
    }
}
