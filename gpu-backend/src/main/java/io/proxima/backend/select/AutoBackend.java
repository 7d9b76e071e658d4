// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.select;

import io.proxima.backend.BackendInfo;
import io.proxima.backend.GraphShape;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.MemoryEstimate;
import io.proxima.backend.Operation;
import io.proxima.backend.TraversalBackend;
import io.proxima.backend.Workload;
import io.proxima.backend.select.TraversalBackends.RunChoice;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.csc.Csc;
import java.util.function.BiFunction;

/**
 * The backend of {@code backend: 'auto'} if a device is available. It runs large graphs on the device and small ones on
 * the CPU, and falls back to the CPU if the device cannot finish a run. It reports the choice to the run's observer.
 */
record AutoBackend(TraversalBackend device, TraversalBackend cpu, RunChoice choice) implements TraversalBackend {

    static final String NAME = "auto";

    /** The device's info, under the name of this backend. */
    @Override
    public BackendInfo info() {
        BackendInfo info = device.info();
        return new BackendInfo(
                NAME,
                true,
                "",
                info.device(),
                info.computeCapability(),
                info.totalBytes(),
                info.freeBytes(),
                info.driverVersion());
    }

    /**
     * The estimates of both backends, because a run may fall back to the CPU. A run that uses the device only if the
     * graph is resident has the estimate of the CPU, because it needs no more heap on the device.
     */
    @Override
    public MemoryEstimate estimate(GraphShape graph, Workload work, int concurrency) {
        return either(graph, work, (backend, runs) -> backend.estimate(graph, runs, concurrency));
    }

    @Override
    public MemoryEstimate estimate(Csc graph, boolean searched, Workload work, int concurrency) {
        return either(
                GraphShape.of(graph, searched),
                work,
                (backend, runs) -> backend.estimate(graph, searched, runs, concurrency));
    }

    private MemoryEstimate either(
            GraphShape graph, Workload work, BiFunction<TraversalBackend, Workload, MemoryEstimate> estimate) {
        MemoryEstimate onCpu = estimate.apply(cpu, work);
        if (!choice.pays(graph, work.operation(), false)) {
            return onCpu;
        }
        MemoryEstimate onDevice =
                estimate.apply(device, work.besideOnly(run -> choice.pays(graph, run.operation(), false)));
        return onDevice.withHeap(MemoryTree.either(
                "run",
                onCpu.heap().named("if it runs on the CPU"),
                onDevice.heap().named("if it runs on " + device.info().name())));
    }

    @Override
    public String runsOn(GraphShape graph, Operation operation) {
        return (choice.pays(graph, operation, false) ? device : cpu).info().name();
    }

    @Override
    public LoadedGraph load(Csc graph) {
        return new AutoGraph(device.info().name(), device.load(graph), cpu.load(graph), GraphShape.of(graph), choice);
    }

    @Override
    public void close() {
        // the selector owns both backends
    }
}
