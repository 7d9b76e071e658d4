// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.select;

import io.proxima.backend.BackendInfo;
import io.proxima.backend.BackendUnavailableException;
import io.proxima.backend.DeviceFailureException;
import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.DeviceUse;
import io.proxima.backend.RunControl;
import io.proxima.backend.TraversalBackend;
import io.proxima.backend.TraversalBackend.GraphShape;
import io.proxima.backend.TraversalBackend.Operation;
import io.proxima.backend.cpu.CpuBackend;
import io.proxima.backend.cuda.CudaBackends;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.memory.HeapBudget;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Selects the backend. The only class that refers to concrete backends. */
public final class TraversalBackends {

    private static final TraversalBackend CPU = new CpuBackend();
    private static final CudaBackends CUDA = CudaBackends.ofThisHost();

    private TraversalBackends() {}

    /** All backends of this build. Those that cannot run here have a reason. */
    public static List<BackendInfo> list() {
        List<BackendInfo> rows = new ArrayList<>();
        rows.add(CPU.info());
        rows.addAll(CUDA.list());
        return List.copyOf(rows);
    }

    /**
     * Selects a backend.
     *
     * @param wanted the requested backend
     * @return the backend, owned by this class and not to be closed by the caller. Under 'auto' with a device, it
     *     chooses for each run and reports the choice to {@link RunControl#observer}
     * @throws BackendUnavailableException if the requested backend cannot run; the message says why and what to do
     */
    public static Selection select(Wanted wanted) {
        return select(wanted, CUDA, CPU);
    }

    static Selection select(Wanted wanted, CudaBackends cuda, TraversalBackend cpu) {
        if (wanted == Wanted.CPU) {
            return new Selection(cpu, "The configuration selects the CPU backend.");
        }
        CudaBackends.Choice choice = cuda.chooseAll();
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

    /**
     * Selects devices by name.
     *
     * @param names the names of the devices, as in {@link #list}; at least one
     * @return the backend of the devices, owned by this class and not to be closed by the caller
     * @throws BackendUnavailableException if there is no device of one of the names, or it cannot run; the message says
     *     why and what to do
     */
    public static Selection selectDevices(List<String> names) {
        return selectDevices(names, CUDA);
    }

    static Selection selectDevices(List<String> names, CudaBackends cuda) {
        CudaBackends.Choice choice = cuda.choose(names);
        String name = String.join(", ", names);
        if (choice.backend() == null) {
            throw new BackendUnavailableException("The backend " + name + " cannot run. " + choice.reason());
        }
        return new Selection(choice.backend(), "The configuration selects " + name + ".");
    }

    /** The names of the backends that 'auto' currently prefers, as in {@link #list}: all usable devices, or the CPU. */
    public static List<String> preferred() {
        List<TraversalBackend> devices = CUDA.openAll();
        return (devices.isEmpty() ? List.of(CPU) : devices)
                .stream().map(backend -> backend.info().name()).toList();
    }

    /**
     * Sets the share of each device's memory that Proxima may allocate, in place of the system property
     * proxima.device.memory-share. Applies to devices that are opened from now on.
     *
     * @param share of the device's memory, above 0 and at most 1
     */
    public static void limitDeviceMemory(double share) {
        CUDA.limitMemory(share);
    }

    /**
     * Sets the share of the free device memory that the ball records of one graph may take, in place of the system
     * property proxima.device.records-share. Ball records make searches of deep graphs faster. Applies to devices that
     * are opened from now on.
     *
     * @param share from 0, for none, to 1
     */
    public static void limitDeviceRecords(double share) {
        CUDA.limitRecords(share);
    }

    /**
     * Sets the share of the host's free memory that lists of neighbours may take, page-locked, if they do not fit a
     * device, in place of the system property proxima.device.mapped-share.
     *
     * @param share from 0, for none, to 1
     */
    public static void limitMappedMemory(double share) {
        CUDA.limitMapped(share);
    }

    /**
     * Leaves free memory of the host to others in this process.
     *
     * @param bytes supplies the bytes outside of the heap that they will take and have not taken yet
     */
    public static void leaveHostMemory(LongSupplier bytes) {
        CUDA.leaveHostMemory(bytes);
    }

    /**
     * Sets which NVIDIA devices may be used from now on.
     *
     * @param ordinals the driver's numbers of the devices, the preferred first; empty for all
     */
    public static void allowDevices(List<Integer> ordinals) {
        CUDA.allowDevices(ordinals);
    }

    /**
     * Sets the budget from which background work on the orders of graphs reserves heap. By default it reserves none.
     * Work whose reservation is refused is dropped.
     */
    public static void reserveBackgroundFrom(HeapBudget budget) {
        CUDA.reserveFrom(budget);
    }

    /**
     * Sets the receiver of a sentence about each failure of background work, which has no caller to report to. There is none
     * by default.
     */
    public static void logBackgroundTo(Consumer<String> log) {
        CUDA.logTo(log);
    }

    /**
     * Opens the devices that 'auto' prefers, and does every kind of run on generated graphs, so that the first calls after it are
     * nearly as fast as later ones. Takes about a second for each device. Only the memory of open devices stays allocated.
     *
     * <p>The warm-up leaves a device as soon as the run of a caller waits for it. Runs load what is missing then.
     *
     * @param wanted the backend that calls will request; with {@code CPU} no device is opened
     * @param heap grants the memory of the generated graphs
     * @param concurrency number of threads, at least 1
     * @return the names of the backends that are warm, as in {@link #list}
     * @throws io.proxima.memory.HeapShortageException if there is not enough heap
     * @throws DeviceFailureException if the device fails; the CPU backend is warm by then
     * @throws DeviceMemoryException if the device has too little memory; the CPU backend is warm by then
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
        List<TraversalBackend> devices = wanted == Wanted.CPU ? List.of() : cuda.openAll();
        new WarmUp(sizes, heap, concurrency, stop).onCpu(cpu);
        List<String> warm = new ArrayList<>(List.of(cpu.info().name()));
        for (TraversalBackend device : devices) {
            Stop ends = () -> stop.requested() || CudaBackends.isWanted(device);
            try {
                new WarmUp(sizes, heap, concurrency, ends).onDevice(device);
            } catch (StoppedException e) {
                stop.check();
            }
            warm.add(device.info().name());
        }
        return List.copyOf(warm);
    }

    /** The current use of the open devices. Does not detect devices. */
    public static List<DeviceUse> deviceUse() {
        return CUDA.use();
    }

    /**
     * Releases all devices at the stop of the database server. They are opened again when needed. The caller ensures
     * that nothing runs and that loaded graphs are closed.
     */
    public static void releaseDevices() {
        CUDA.close();
    }

    /** The values of the configuration key {@code backend}. */
    public enum Wanted {
        /** The fastest backend that can run. */
        AUTO,
        /** An NVIDIA GPU or an error. */
        CUDA,
        /** The CPU. */
        CPU
    }

    /**
     * A backend and the reason for it.
     *
     * @param backend the backend, ready to load graphs
     * @param reason one sentence for the log
     */
    public record Selection(TraversalBackend backend, String reason) {}

    /** Whether a run should use the device, given whether the graph is resident there. */
    @FunctionalInterface
    interface RunChoice {
        boolean pays(GraphShape graph, Operation operation, boolean resident);
    }
}
