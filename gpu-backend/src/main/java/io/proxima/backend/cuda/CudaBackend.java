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
package io.proxima.backend.cuda;

import io.proxima.backend.BackendInfo;
import io.proxima.backend.BackendUnavailableException;
import io.proxima.backend.Calibration;
import io.proxima.backend.Calibration.TunedNumber;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunControl;
import io.proxima.backend.TraversalBackend;
import io.proxima.backend.saved.SavedGraphs;
import io.proxima.projection.Csc;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** Traversal on one NVIDIA GPU. Graphs are moved there at their first run, see {@link ResidentGraph}. */
public final class CudaBackend implements TraversalBackend {

    private final CudaDevice device;

    // guarded by this
    private final IdentityHashMap<Csc, ResidentGraph> graphs = new IdentityHashMap<>();

    private final OrderImprover improver;
    private final AtomicBoolean calibrating = new AtomicBoolean();

    /** A backend; {@code savedGraphs} gives the folder of saved graphs of now, null if there is none. */
    CudaBackend(CudaDevice device, Supplier<SavedGraphs> savedGraphs) {
        this.device = device;
        this.improver = new OrderImprover(this::sweep, savedGraphs);
    }

    @Override
    public BackendInfo info() {
        String lost = device.lost();
        return new BackendInfo(
                device.name(),
                lost.isEmpty(),
                lost,
                device.facts().name(),
                device.facts().computeCapability(),
                device.facts().totalBytes(),
                lost.isEmpty() ? device.memory().availableBytes() : 0,
                device.driverVersion());
    }

    /** {@inheritDoc} The device's part is exact to the byte but for what only the run shows; see {@link DeviceEstimate}. */
    @Override
    public MemoryEstimate estimate(GraphShape graph, Workload work, int concurrency) {
        return new DeviceEstimate(
                        device, graph, ResidentGraph.Lying.nowhere(graph.symmetric(), false), work, concurrency)
                .estimate();
    }

    @Override
    public MemoryEstimate estimate(Csc graph, boolean searched, Workload work, int concurrency) {
        ResidentGraph resident;
        synchronized (this) {
            resident = graphs.get(graph);
        }
        if (resident == null) {
            // of no holder, so it is not kept
            resident = new ResidentGraph(graph, device, improver);
        }
        ResidentGraph.Lying lying = resident.lying(device.policy().order(work.options()));
        return new DeviceEstimate(device, GraphShape.of(graph, searched), lying, work, concurrency).estimate();
    }

    @Override
    public LoadedGraph load(Csc graph) {
        ResidentGraph resident;
        synchronized (this) {
            resident = graphs.computeIfAbsent(graph, csc -> new ResidentGraph(csc, device, improver));
            resident.hold();
        }
        return new CudaGraph(this, device, resident);
    }

    /** Lets one handle of a graph go. */
    synchronized void letGo(ResidentGraph resident) {
        if (resident.letGo()) {
            graphs.remove(resident.graph());
            sweep();
        }
    }

    /** Leaves the device empty if nobody holds a graph any more. */
    synchronized void sweep() {
        if (graphs.isEmpty()) {
            device.workspace().close();
        }
    }

    /**
     * Finds the numbers of kernels that suit this device by measuring, and takes them. Runs go on meanwhile, between the
     * measurements.
     *
     * @param graphs to measure on
     * @param folder where the numbers are kept; null for nowhere
     * @throws BackendUnavailableException if another call does it now
     * @throws io.proxima.backend.DeviceMemoryException if the graphs do not fit
     * @throws io.proxima.concurrent.StoppedException if the stop was requested; the numbers are what they were then
     * @throws io.proxima.backend.DeviceFailureException if a kernel gave a wrong result; so here
     */
    Calibration calibrate(CalibrationGraphs graphs, SavedGraphs folder, RunControl control) {
        if (!calibrating.compareAndSet(false, true)) {
            throw new BackendUnavailableException(
                    "Device " + device.name() + " is being calibrated by another call. Wait"
                            + " until that has ended: an administrator sees it in proxima.listProgress().");
        }
        try {
            Tuning before = device.tuning();
            Tuning after = new Calibrator(device, graphs, control).run(before);
            device.retune(after);
            boolean kept = folder != null && new TuningFile(folder, device.facts()).save(after);
            return new Calibration(device.name(), numbers(before, after), kept);
        } finally {
            calibrating.set(false);
            sweep();
        }
    }

    private static List<TunedNumber> numbers(Tuning before, Tuning after) {
        return Arrays.stream(TuningParameter.values())
                .map(parameter -> new TunedNumber(
                        parameter.key(),
                        parameter.unit(),
                        before.get(parameter),
                        after.get(parameter),
                        parameter.description()))
                .toList();
    }

    /** What improves orders here. */
    OrderImprover improver() {
        return improver;
    }

    CudaDevice device() {
        return device;
    }

    /** Gives the device back; the caller sees to it that nothing runs. */
    @Override
    public void close() {
        improver.close();
        device.close();
    }
}
