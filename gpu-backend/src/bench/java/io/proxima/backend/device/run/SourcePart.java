// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.run;

import io.proxima.backend.BackendTask;
import io.proxima.backend.Farness;
import io.proxima.backend.RunContext;
import io.proxima.backend.Workload;
import io.proxima.backend.device.run.SourceRanges.Range;
import io.proxima.concurrent.Closing;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Task;
import io.proxima.concurrent.Workers;
import io.proxima.projection.csc.Csc;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * A part of the sources of exact closeness: every {@code of}-th chunk of consecutive ones, so that all parts are alike.
 * The sums of all parts add up to those of all sources.
 *
 * @param number from 1 to {@code of}
 * @param of the number of parts
 */
public record SourcePart(int number, int of) {

    /** Sources of a chunk: a multiple of those of a launch, or so many that a launch lasts seconds. */
    private static final int MOST = 1 << 16;

    /** Chunks of a part at least, where a chunk is a multiple of {@link #LEAST}. */
    private static final int CHUNKS = 16;

    /** A multiple of the sources of a batch, at a multiple of which ranges of some kernels begin. */
    private static final int LEAST = 1 << 7;

    public SourcePart {
        if (number < 1 || number > of) {
            throw new IllegalArgumentException("a part is I/N with I from 1 to N: " + number + "/" + of);
        }
    }

    /** The part of a text such as "2/3". */
    public static SourcePart parse(String text) {
        String[] numbers = text.split("/", 2);
        return new SourcePart(Integer.parseInt(numbers[0]), Integer.parseInt(numbers[1]));
    }

    public boolean isWhole() {
        return of == 1;
    }

    /**
     * The number of sources of a chunk.
     *
     * @param count the number of all sources
     */
    public int chunk(int count) {
        return Math.max(LEAST, Math.min(MOST, count / (CHUNKS * of) / LEAST * LEAST));
    }

    /** Whether a chunk is in this part. */
    public boolean has(int chunk) {
        return chunk % of == number - 1;
    }

    /**
     * The sums of all vertices over the sources of this part, which all devices share as in {@link GroupGraph}.
     *
     * @param control its progress receives one task: the sources of this part
     */
    public Farness sums(List<DeviceBackend> devices, Csc csc, RunContext control) {
        Workload work = Workload.farness(Set.of());
        List<DeviceGraph> graphs = new ArrayList<>();
        DeviceSums[] all = new DeviceSums[devices.size()];
        try {
            devices.forEach(device -> graphs.add(DeviceGraph.replica(device, csc)));
            RunContext silent = RunContext.of(control.concurrency()).with(control.options());
            all[0] = graphs.get(0).sums(work, null, silent);
            Workers.run(all.length, control.stop(), (worker, stop) -> {
                if (worker > 0) {
                    all[worker] = graphs.get(worker).sums(work, all[0].order(), silent);
                }
            });
            DeviceSums.report(control.observer(), List.of(all), "");
            SumSources from = all[0].allSources(csc, false, control);
            SourceRanges sources = ranges(from, all.length, control.progress());
            Workers.run(all.length, control.stop(), (worker, stop) -> {
                all[worker].begin(from, Set.of());
                all[worker].accumulate(sources, stop);
            });
            Farness sums = all[0].farness(0);
            for (int other = 1; other < all.length; other++) {
                sums.addAll(all[other].farness(0), control.stop());
            }
            return sums;
        } finally {
            Closing.all(Arrays.stream(all).filter(Objects::nonNull).iterator(), DeviceSums::close);
            Closing.all(graphs.iterator(), DeviceGraph::close);
        }
    }

    private SourceRanges ranges(SumSources from, int devices, Progress progress) {
        Gate gate = new Gate(progress);
        SourceRanges ranges = new SourceRanges(from.classes(), devices, gate);
        int count = from.count();
        List<Range> own = new ArrayList<>();
        int chunk = chunk(count);
        int chunks = count / chunk + (count % chunk == 0 ? 0 : 1);
        long volume = 0;
        for (int i = 0; i < chunks; i++) {
            Range range = ranges.take(chunk, chunk, 1);
            if (has(i)) {
                own.add(range);
                volume += range.count();
            } else {
                ranges.end(range, range.count());
            }
        }
        own.forEach(range -> ranges.end(range, 0));
        progress.beginTask(BackendTask.FARNESS, volume);
        gate.open = true;
        return ranges;
    }

    /** Drops the progress of sources that are left out. */
    private static final class Gate implements Progress {
        private final Progress progress;
        private volatile boolean open;

        Gate(Progress progress) {
            this.progress = progress;
        }

        @Override
        public void beginTask(Task task, long volume) {
            progress.beginTask(task, volume);
        }

        @Override
        public void advance(long volume) {
            if (open) {
                progress.advance(volume);
            }
        }
    }
}
