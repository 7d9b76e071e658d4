// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.select;

import io.proxima.backend.BackendInfo;
import io.proxima.backend.BorrowedGraph;
import io.proxima.backend.DeviceFailureException;
import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.GraphShape;
import io.proxima.backend.KernelLimitException;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.Operation;
import io.proxima.backend.RoutedGraph;
import io.proxima.backend.RunContext;
import io.proxima.backend.Workload;
import io.proxima.backend.select.TraversalBackends.RunChoice;
import io.proxima.concurrent.Closing;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A graph loaded on a device and on the CPU; see {@link AutoBackend}. */
final class AutoGraph extends RoutedGraph {

    private final String deviceName;
    private final LoadedGraph device;
    private final LoadedGraph cpu;
    private final GraphShape shape;
    private final RunChoice choice;

    AutoGraph(String deviceName, LoadedGraph device, LoadedGraph cpu, GraphShape shape, RunChoice choice) {
        this.deviceName = deviceName;
        this.device = device;
        this.cpu = cpu;
        this.shape = shape;
        this.choice = choice;
    }

    @Override
    public int vertexCount() {
        return cpu.vertexCount();
    }

    /**
     * Reserves memory of the device if the runs will use it. A failure for one graph is reported, and the run tries
     * again; without room for several, their runs use the CPU.
     */
    @Override
    public List<LoadedGraph> reserveWith(List<LoadedGraph> others, Workload work, long searches, RunContext control) {
        if (!pays(work.operation())) {
            return super.reserveWith(others, work, searches, control);
        }
        List<AutoGraph> graphs = Stream.concat(Stream.of(this), others.stream().map(AutoGraph.class::cast))
                .toList();
        try {
            List<LoadedGraph> onDevice = device.reserveWith(
                    graphs.stream().skip(1).map(graph -> graph.device).toList(),
                    work.besideOnly(run -> pays(run.operation())),
                    searches,
                    control);
            return Closing.unlessOwned(onDevice, LoadedGraph::close, views -> IntStream.range(0, graphs.size())
                    .<LoadedGraph>mapToObj(at -> graphs.get(at).reserved(views.get(at)))
                    .toList());
        } catch (DeviceMemoryException | DeviceFailureException | KernelLimitException e) {
            if (others.isEmpty()) {
                control.observer().runsOn(BackendInfo.CPU, fallback(e));
                return super.reserveWith(others, work, searches, control);
            }
            return graphs.stream()
                    .<LoadedGraph>map(graph -> new OnCpu(graph.cpu, fallback(e)))
                    .toList();
        }
    }

    private AutoGraph reserved(LoadedGraph onDevice) {
        return new AutoGraph(deviceName, onDevice, new BorrowedGraph(cpu), shape, choice);
    }

    /** A graph whose runs use the CPU. */
    private static final class OnCpu extends BorrowedGraph {

        private final String reason;

        OnCpu(LoadedGraph cpu, String reason) {
            super(cpu);
            this.reason = reason;
        }

        @Override
        protected <T> T route(Operation operation, RunContext control, Function<LoadedGraph, T> run) {
            control.observer().runsOn(BackendInfo.CPU, reason);
            return super.route(operation, control, run);
        }
    }

    @Override
    public int multiSourceBatchSize() {
        return Math.max(device.multiSourceBatchSize(), cpu.multiSourceBatchSize());
    }

    @Override
    public List<Residence> residences() {
        return device.residences();
    }

    @Override
    public void close() {
        try {
            device.close();
        } finally {
            cpu.close();
        }
    }

    private boolean pays(Operation operation) {
        return choice.pays(shape, operation, !device.residences().isEmpty());
    }

    @Override
    protected <T> T route(Operation operation, RunContext control, Function<LoadedGraph, T> run) {
        if (!pays(operation)) {
            control.observer()
                    .runsOn(
                            BackendInfo.CPU,
                            "The run would not benefit from " + deviceName + ": " + shape.vertexCount() + " nodes, "
                                    + shape.entryCount() + " relationships.");
            return run.apply(cpu);
        }
        control.observer().runsOn(deviceName, "A device is available and the graph is large enough.");
        try {
            return run.apply(device);
        } catch (DeviceMemoryException | DeviceFailureException | KernelLimitException e) {
            control.observer().runsOn(BackendInfo.CPU, fallback(e));
        }
        return run.apply(cpu);
    }

    private static String fallback(RuntimeException failure) {
        return "The run falls back to the CPU: " + failure.getMessage();
    }
}
