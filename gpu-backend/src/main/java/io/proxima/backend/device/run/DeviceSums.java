// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.run;

import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.Farness;
import io.proxima.backend.RunContext;
import io.proxima.backend.RunObserver;
import io.proxima.backend.device.ArrayLayout;
import io.proxima.backend.device.DeviceArray;
import io.proxima.backend.device.DeviceLease;
import io.proxima.backend.device.SlotOrder;
import io.proxima.backend.device.VertexOrderedArray;
import io.proxima.backend.device.graph.GraphView;
import io.proxima.backend.device.graph.Placed;
import io.proxima.backend.device.kernel.SumKernels;
import io.proxima.backend.device.kernel.Sums;
import io.proxima.concurrent.Stop;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The sums of exact closeness on one device, over the ranges of sources that the device takes: by vertex (equation 7 of
 * BLEST), or by source for chosen vertices. See {@link FarnessSums}. It pins the graph on the device until it is
 * closed. For one thread at a time.
 */
public final class DeviceSums implements AutoCloseable {

    private static final long IDENTITY = 0;

    private final SumKernels kernels;
    private final GraphView graph;
    private final RunContext control;
    private final Runnable afterwards;
    private final RangeSearches searches;

    private ChosenSources chosen;
    // the vertices whose sums are wanted
    private int count;
    private ArrayLayout layout;
    private DeviceArray array;
    private Sums sums;

    /**
     * Sums over no sources.
     *
     * @param graph has the structures of the kernels
     * @param afterwards runs when this is closed
     */
    public DeviceSums(SumKernels kernels, GraphView graph, RunContext control, Runnable afterwards) {
        this.kernels = kernels;
        this.graph = graph;
        this.control = control;
        this.afterwards = afterwards;
        this.searches = new RangeSearches(kernels, graph);
    }

    String deviceName() {
        return graph.device().name();
    }

    /** The order of the graph on the device. */
    SlotOrder order() {
        return graph.order();
    }

    /** The name of the kernels. */
    String kernel() {
        return kernels.name();
    }

    int vertexCount() {
        return graph.vertexCount();
    }

    /** The number of sources of sums by vertex. */
    int sourceCount() {
        return kernels.sourceCount(graph);
    }

    /**
     * Allocates the sums.
     *
     * @param sources the vertices of sums by source; null for sums by vertex
     * @throws io.proxima.backend.DeviceMemoryException if they do not fit
     */
    void begin(ChosenSources sources, Set<DistanceMeasure> measures) {
        chosen = sources;
        count = chosen == null ? graph.vertexCount() : chosen.count();
        layout = Sums.layout(count, graph.vertexCount(), measures, chosen != null);
        try (DeviceLease lease = lease()) {
            array = zeros(lease, graph.placed(), "the sums of closeness", layout.bytes());
            sums = Sums.at(layout, array.address());
            if (chosen != null) {
                lease.upload(sums.sources(), chosen.slots(), 0, chosen.slots().length);
                lease.upload(layout.addressOf("places", array.address()), chosen.places(), 0, count);
            }
        }
    }

    /** An array of zeros. */
    static DeviceArray zeros(DeviceLease lease, Placed placed, String what, long bytes) {
        DeviceArray array = placed.allocate(lease, what, bytes);
        try {
            lease.fill(array.address(), 0, bytes);
            return array;
        } catch (RuntimeException | Error e) {
            array.close();
            throw e;
        }
    }

    /** Searches from ranges of sources until all sources are done, here or on other devices. */
    void accumulate(SourceRanges sources, Stop stop) {
        if (chosen == null && sums.harmonic() != 0) {
            new HarmonicWindows(kernels, graph, searches).accumulate(sources, sums, stop);
        } else {
            searches.run(sources, count, sums, stop);
        }
    }

    /** Leaves all ranges to other devices, after a failure of this one. */
    void repeatElsewhere(SourceRanges sources) {
        searches.repeatElsewhere(sources);
    }

    /** The deepest level. */
    int deepest() {
        return searches.deepest();
    }

    /**
     * Copies the sums to the heap, in the order of the result. No pairs have distance 0.
     *
     * @param levels the levels whose pairs are wanted
     */
    Farness farness(int levels) {
        try (DeviceLease lease = lease()) {
            long[] farness = longs(lease, "farness");
            long[] reach = longs(lease, "reach");
            double[] harmonic = sums.harmonic() == 0 ? null : new double[count];
            if (harmonic != null) {
                lease.download(inOrder("harmonic", Double.BYTES), harmonic, control.concurrency());
            }
            int[] depths = sums.depths() == 0 ? null : new int[count];
            if (depths != null) {
                lease.download(inOrder("depths", Integer.BYTES), depths, control.concurrency());
            }
            long[] pairs = sums.pairs() == 0 ? null : new long[levels];
            if (pairs != null) {
                VertexOrderedArray from = new VertexOrderedArray(sums.pairs(), Long.BYTES, levels, IDENTITY);
                lease.download(from, pairs, control.concurrency());
            }
            return new Farness(farness, reach, harmonic, depths, pairs);
        }
    }

    private long[] longs(DeviceLease lease, String name) {
        long[] found = new long[count];
        lease.download(inOrder(name, Long.BYTES), found, control.concurrency());
        return found;
    }

    private VertexOrderedArray inOrder(String name, int entryBytes) {
        long from = layout.addressOf(name, array.address());
        return chosen == null
                ? graph.inVertexOrder(from, entryBytes)
                : new VertexOrderedArray(from, entryBytes, count, layout.addressOf("places", array.address()));
    }

    private DeviceLease lease() {
        return graph.device().lease(control.stop());
    }

    @Override
    public void close() {
        if (array != null) {
            array.close();
            array = null;
        }
        afterwards.run();
    }

    /** Reports the devices of a run. */
    static void tell(RunObserver observer, List<DeviceSums> parts, String reason) {
        DeviceSums first = parts.get(0);
        observer.runsOn(parts.stream().map(DeviceSums::deviceName).collect(Collectors.joining(", ")), reason);
        observer.runsWith(first.order().name(), first.kernel(), first.order().reason());
    }
}
