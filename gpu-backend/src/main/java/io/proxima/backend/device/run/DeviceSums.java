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
import io.proxima.projection.csc.Csc;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The sums of exact closeness on one device, over the ranges of sources that the device takes: by vertex (equation 7 of
 * BLEST), or by source for chosen vertices. See {@link FarnessSums}. It pins the graph on the device until it is
 * closed. For one thread at a time.
 */
final class DeviceSums implements AutoCloseable {

    private static final long IDENTITY = 0;

    private final SumKernels kernels;
    private final GraphView graph;
    private final RunContext control;
    private final Runnable afterwards;
    private final RangeSearches searches;

    private SumSources from;
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
    DeviceSums(SumKernels kernels, GraphView graph, RunContext control, Runnable afterwards) {
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

    /**
     * The sources of the sums of all vertices.
     *
     * @param vertices vertex id space
     * @param mayCutTrees whether they may be the vertices outside of hanging trees
     */
    SumSources allSources(Csc vertices, boolean mayCutTrees, RunContext run) {
        return kernels.listsSources()
                ? SumSources.listed(vertices, order(), mayCutTrees, kernels.mostSources(), run)
                : SumSources.numbered(vertices);
    }

    /**
     * Allocates the sums.
     *
     * @throws io.proxima.backend.DeviceMemoryException if they do not fit
     */
    void begin(SumSources sources, Set<DistanceMeasure> measures) {
        from = sources;
        boolean bySource = from.isChosen();
        int[] slots = from.slots();
        count = bySource ? from.places().length : graph.vertexCount();
        layout = Sums.layout(count, kernels.listsSources(), graph.vertexCount(), measures, bySource);
        try (DeviceLease lease = lease()) {
            array = zeros(lease, graph.placed(), "the sums of closeness", layout.bytes());
            sums = Sums.at(layout, array.address()).over(from.searched());
            lease.upload(sums.sources(), slots, 0, slots.length);
            if (bySource) {
                lease.upload(layout.addressOf("places", array.address()), from.places(), 0, count);
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
        if (!from.isChosen() && sums.harmonic() != 0) {
            new HarmonicWindows(graph, searches).accumulate(from, sources, sums, stop);
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
                VertexOrderedArray pairsAt = new VertexOrderedArray(sums.pairs(), Long.BYTES, levels, IDENTITY);
                lease.download(pairsAt, pairs, control.concurrency());
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
        long at = layout.addressOf(name, array.address());
        return from.isChosen()
                ? new VertexOrderedArray(at, entryBytes, count, layout.addressOf("places", array.address()))
                : graph.inVertexOrder(at, entryBytes);
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
    static void report(RunObserver observer, List<DeviceSums> parts, String reason) {
        DeviceSums first = parts.get(0);
        observer.runsOn(parts.stream().map(DeviceSums::deviceName).collect(Collectors.joining(", ")), reason);
        observer.runsWith(first.order().name(), first.kernel(), first.order().reason());
    }
}
