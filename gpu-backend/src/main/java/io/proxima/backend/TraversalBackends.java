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
package io.proxima.backend;

import io.proxima.backend.TraversalBackend.GraphShape;
import io.proxima.backend.TraversalBackend.Run;
import io.proxima.backend.cpu.CpuBackend;
import io.proxima.backend.cuda.CudaBackends;
import io.proxima.backend.saved.SavedGraphs;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.memory.HeapBudget;
import io.proxima.memory.MemoryTree;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Chooses the backend; the only place that names concrete ones. */
public final class TraversalBackends {

    private static final TraversalBackend CPU = new CpuBackend();
    private static final CudaBackends CUDA = CudaBackends.ofThisHost();

    private TraversalBackends() {}

    /** Every backend this build knows, those that cannot run here included, with the reason. */
    public static List<BackendInfo> list() {
        List<BackendInfo> rows = new ArrayList<>();
        rows.add(CPU.info());
        rows.addAll(CUDA.list());
        return List.copyOf(rows);
    }

    /**
     * Chooses a backend.
     *
     * @param wanted what the caller asked for
     * @return the backend, owned by this class: not to be closed by the caller. Under 'auto' with a device it is one that
     *     chooses for each run and tells {@link RunControl#observer} which it took
     * @throws BackendUnavailableException if a certain backend was wanted and cannot run; says why and what to do
     */
    public static Selection select(Wanted wanted) {
        return select(wanted, CUDA, CPU);
    }

    static Selection select(Wanted wanted, CudaBackends cuda, TraversalBackend cpu) {
        if (wanted == Wanted.CPU) {
            return new Selection(cpu, "The configuration selects the CPU backend.");
        }
        CudaBackends.Choice choice = cuda.choose();
        if (choice.backend() != null) {
            String name = choice.backend().info().name();
            return wanted == Wanted.CUDA
                    ? new Selection(choice.backend(), "The configuration selects the CUDA backend: " + name + ".")
                    : new Selection(
                            new AutoBackend(choice.backend(), cpu, CudaBackends::pays),
                            name + " is available; small graphs run on the CPU.");
        }
        if (wanted == Wanted.CUDA) {
            throw new BackendUnavailableException("The CUDA backend cannot run. " + choice.reason());
        }
        return new Selection(cpu, choice.reason());
    }

    /** The name of the backend that 'auto' prefers now, as in {@link #list}. */
    public static String preferred() {
        TraversalBackend device = CUDA.choose().backend();
        return (device == null ? CPU : device).info().name();
    }

    /**
     * Sets how much of each device's memory Proxima may hold, in place of what the system property
     * proxima.cuda.memory-share says. Counts for devices that are opened from now on.
     *
     * @param share of the device's memory, above 0 and at most 1
     */
    public static void limitDeviceMemory(double share) {
        CUDA.limitMemory(share);
    }

    /**
     * Sets how much of the device memory that is free for Proxima the records of balls of one graph may take, in place of
     * what the system property proxima.cuda.records-share says. They make searches of graphs of high diameter faster. Counts
     * for devices that are opened from now on.
     *
     * @param share from 0, for none, to 1
     */
    public static void limitDeviceRecords(double share) {
        CUDA.limitRecords(share);
    }

    /**
     * Sets which NVIDIA devices may be used from now on.
     *
     * @param ordinals the driver's numbers of them, the preferred first; empty for all
     */
    public static void allowDevices(List<Integer> ordinals) {
        CUDA.allowDevices(ordinals);
    }

    /**
     * Sets where graphs are kept in the orders that were made for them, so that they need not be made again after a restart.
     * Counts from the next run on.
     *
     * @param folder made if it is not there; null for none
     * @param log takes one sentence for each file that cannot be used or written
     * @throws IOException if nothing can be written there; no folder is used then
     */
    public static void keepGraphsIn(Path folder, Consumer<String> log) throws IOException {
        CUDA.keepGraphsIn(null);
        if (folder != null) {
            CUDA.keepGraphsIn(SavedGraphs.in(folder, log));
        }
    }

    /**
     * Sets what work in the background, on the orders of graphs on a device, reserves its heap from. By default it reserves
     * none. Work that is refused is left out.
     */
    public static void reserveBackgroundFrom(HeapBudget budget) {
        CUDA.reserveFrom(budget);
    }

    /**
     * Sets what takes a sentence about each failure of work in the background, which no caller is told of. By default nobody
     * does.
     */
    public static void logBackgroundTo(Consumer<String> log) {
        CUDA.logTo(log);
    }

    /**
     * Finds the numbers on which the speed of kernels depends for a device, by measuring on it, and takes them for all runs
     * from then on. They are kept where graphs are.
     *
     * @param device its name, as in {@link #list}; empty for the one that 'auto' prefers
     * @param control of the run, which takes seconds; its options do not count
     * @throws BackendUnavailableException if the device cannot be used, or another call does it now; says what to do
     * @throws DeviceMemoryException if the graphs to measure on do not fit the device
     * @throws DeviceFailureException if a kernel gave a wrong result; the numbers are what they were then
     * @throws io.proxima.concurrent.StoppedException if the stop was requested; so here
     */
    public static Calibration calibrate(String device, RunControl control) {
        return CUDA.calibrate(device, control);
    }

    /**
     * What {@link #calibrate} takes on the heap at its peak.
     *
     * @param concurrency threads
     * @throws BackendUnavailableException if the device cannot be used; says what to do
     */
    public static MemoryTree calibrationHeap(String device, int concurrency) {
        return CUDA.calibrationHeap(device, concurrency);
    }

    /**
     * Opens the device that 'auto' prefers, and does every kind of run on generated graphs, so that the first calls after it are
     * nearly as fast as later ones. Takes about a second. Nothing stays allocated but what an open device takes.
     *
     * <p>The device is left to others as soon as one of their runs waits for it; what is not loaded by then, runs load.
     *
     * @param wanted what calls will ask for; with {@code CPU} no device is opened
     * @param heap grants the memory of the generated graphs
     * @param concurrency number of threads, at least 1
     * @return the names of the backends that are warm, as in {@link #list}
     * @throws io.proxima.memory.HeapShortageException if there is not enough heap
     * @throws DeviceFailureException if the device fails; the CPU backend is warm then. So with the next
     * @throws DeviceMemoryException if the device has too little memory
     * @throws StoppedException if the stop was requested
     */
    public static List<String> warmUp(Wanted wanted, HeapBudget heap, int concurrency, Stop stop) {
        return warmUp(wanted, WarmUp.Sizes.SHIPPED, heap, concurrency, stop, CUDA, CPU);
    }

    static List<String> warmUp(
            Wanted wanted,
            WarmUp.Sizes sizes,
            HeapBudget heap,
            int concurrency,
            Stop stop,
            CudaBackends cuda,
            TraversalBackend cpu) {
        stop.check();
        // first, because calls that come meanwhile wait for it
        TraversalBackend device = wanted == Wanted.CPU ? null : cuda.choose().backend();
        new WarmUp(sizes, heap, concurrency, stop).onCpu(cpu);
        if (device == null) {
            return List.of(cpu.info().name());
        }
        Stop ends = () -> stop.requested() || CudaBackends.isWanted(device);
        try {
            new WarmUp(sizes, heap, concurrency, ends).onDevice(device);
        } catch (StoppedException e) {
            stop.check();
        }
        return List.of(cpu.info().name(), device.info().name());
    }

    /** How the devices that are in use are used; does not look for devices. */
    public static List<DeviceUse> deviceUse() {
        return CUDA.use();
    }

    /**
     * Gives all devices back, for the end of the database server. They are opened again if someone asks. The caller sees
     * to it that nothing runs and that loaded graphs are closed.
     */
    public static void releaseDevices() {
        CUDA.close();
    }

    /** The values of the configuration key {@code backend}. */
    public enum Wanted {
        /** The fastest that can run. */
        AUTO,
        /** An NVIDIA GPU or an error. */
        CUDA,
        /** The CPU. */
        CPU
    }

    /**
     * A backend and why it was taken.
     *
     * @param backend ready to load graphs
     * @param reason one sentence for the log
     */
    public record Selection(TraversalBackend backend, String reason) {}

    /** Whether a device pays for a run. */
    @FunctionalInterface
    interface RunChoice {
        boolean pays(GraphShape graph, Run run);
    }
}
