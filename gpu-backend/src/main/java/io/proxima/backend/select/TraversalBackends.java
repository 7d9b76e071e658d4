// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.select;

import io.proxima.backend.BackendInfo;
import io.proxima.backend.BackendSettings;
import io.proxima.backend.BackendUnavailableException;
import io.proxima.backend.DeviceFailureException;
import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.DeviceUse;
import io.proxima.backend.GraphShape;
import io.proxima.backend.Operation;
import io.proxima.backend.RunContext;
import io.proxima.backend.TraversalBackend;
import io.proxima.backend.cpu.CpuBackend;
import io.proxima.backend.cuda.CudaBackends;
import io.proxima.backend.device.MappedBudget;
import io.proxima.backend.device.run.DeviceBackends;
import io.proxima.backend.vulkan.VulkanBackends;
import io.proxima.concurrent.Closing;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.memory.HeapBudget;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The backends of a program, or of one of several servers of a process. Selects one for a run. The only class that
 * refers to concrete backends. Thread-safe.
 */
public final class TraversalBackends implements AutoCloseable {

    /** NVIDIA's Vulkan driver has crashed processes at their end, so it is left alone where CUDA does its work. */
    private static final BackendInfo VULKAN_NOT_LOADED = BackendInfo.unavailable(
            "vulkan",
            "Vulkan is not loaded while a CUDA device can be used. Call an algorithm with backend: 'vulkan' to load it.",
            "");

    private final TraversalBackend cpu;
    // in the order in which 'auto' tries them
    private final Map<Wanted, DeviceBackends> gpus;

    TraversalBackends(Map<Wanted, DeviceBackends> gpus, TraversalBackend cpu) {
        this.gpus = gpus;
        this.cpu = cpu;
    }

    /** The backends of this host. Devices are detected and opened when first used. */
    public static TraversalBackends ofThisHost(BackendSettings settings) {
        MappedBudget mapped = MappedBudget.ofThisHost(settings);
        Map<Wanted, DeviceBackends> gpus = new LinkedHashMap<>();
        gpus.put(Wanted.CUDA, CudaBackends.ofThisHost(settings, mapped));
        gpus.put(Wanted.VULKAN, VulkanBackends.ofThisHost(settings, mapped));
        return new TraversalBackends(gpus, new CpuBackend());
    }

    /**
     * All backends of this build. Those that cannot run here have a reason. While CUDA has a device, Vulkan is not
     * loaded for the list.
     */
    public List<BackendInfo> list() {
        List<BackendInfo> rows = new ArrayList<>(gpus.get(Wanted.CUDA).list());
        boolean isCudaUsable = rows.stream().anyMatch(BackendInfo::available);
        DeviceBackends vulkan = gpus.get(Wanted.VULKAN);
        boolean isLeftAlone = isCudaUsable && !vulkan.isDetected() && !vulkan.isLeftOut();
        rows.addAll(isLeftAlone ? List.of(VULKAN_NOT_LOADED) : vulkan.list());
        rows.add(0, cpu.info());
        return List.copyOf(rows);
    }

    /**
     * Selects a backend.
     *
     * @param wanted the requested backend
     * @return the backend, owned by this class and not to be closed by the caller. Under 'auto' with a device, it
     *     chooses for each run and reports the choice to {@link RunContext#observer}
     * @throws BackendUnavailableException if the requested backend cannot run; the message says why and what to do
     */
    public Selection select(Wanted wanted) {
        if (wanted == Wanted.CPU) {
            return new Selection(cpu, "The configuration selects the CPU backend.");
        }
        List<String> reasons = new ArrayList<>();
        for (Map.Entry<Wanted, DeviceBackends> of : gpus.entrySet()) {
            if (wanted == Wanted.AUTO ? of.getValue().isLeftOut() : wanted != of.getKey()) {
                continue;
            }
            DeviceBackends.Choice choice = of.getValue().chooseAll();
            if (choice.backend() != null) {
                String name = choice.backend().info().name();
                return wanted == Wanted.AUTO
                        ? new Selection(
                                new AutoBackend(choice.backend(), cpu, of.getValue()::pays),
                                name + " is available; small graphs run on the CPU.")
                        : new Selection(
                                choice.backend(),
                                "The configuration selects the " + wanted.label + " backend: " + name + ".");
            }
            reasons.add(choice.reason());
        }
        String reason = String.join(" ", reasons);
        if (wanted != Wanted.AUTO) {
            throw new BackendUnavailableException("The " + wanted.label + " backend cannot run. " + reason);
        }
        return new Selection(cpu, "No GPU can be used; proxima.backend.list has the reason.", reason);
    }

    /**
     * Selects devices by name.
     *
     * @param names the names of the devices, as in {@link #list}; at least one
     * @return the backend of the devices, owned by this class and not to be closed by the caller
     * @throws BackendUnavailableException if there is no device of one of the names, or it cannot run; the message says
     *     why and what to do
     */
    public Selection selectDevices(List<String> names) {
        boolean ofVulkan = names.get(0).startsWith(Wanted.VULKAN.name().toLowerCase(Locale.ROOT));
        DeviceBackends.Choice choice =
                gpus.get(ofVulkan ? Wanted.VULKAN : Wanted.CUDA).choose(names);
        String name = String.join(", ", names);
        if (choice.backend() == null) {
            throw new BackendUnavailableException("The backend " + name + " cannot run. " + choice.reason());
        }
        return new Selection(choice.backend(), "The configuration selects " + name + ".");
    }

    /** The names of the backends that 'auto' currently prefers, as in {@link #list}: all usable devices, or the CPU. */
    public List<String> preferred() {
        List<TraversalBackend> devices = openAll(Wanted.AUTO);
        return (devices.isEmpty() ? List.of(cpu) : devices)
                .stream().map(backend -> backend.info().name()).toList();
    }

    /** Opens the devices of the first driver that has any, among those that are wanted. */
    private List<TraversalBackend> openAll(Wanted wanted) {
        return gpus.entrySet().stream()
                .filter(of -> wanted == Wanted.AUTO || wanted == of.getKey())
                .map(of -> of.getValue().openAll())
                .filter(devices -> !devices.isEmpty())
                .findFirst()
                .orElse(List.of());
    }

    /**
     * Opens the devices that 'auto' prefers, and does every kind of run on generated graphs, so that the first calls
     * after it are nearly as fast as later ones. Takes about a second for each device. Only the memory of open devices
     * stays allocated.
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
    public List<String> warmUp(Wanted wanted, HeapBudget heap, int concurrency, Stop stop) {
        return warmUp(wanted, WarmUp.Sizes.SHIPPED, heap, concurrency, stop);
    }

    List<String> warmUp(Wanted wanted, WarmUp.Sizes sizes, HeapBudget heap, int concurrency, Stop stop) {
        stop.check();
        // first, because calls that come meanwhile wait for it
        List<TraversalBackend> devices = openAll(wanted);
        new WarmUp(sizes, heap, concurrency, stop).onCpu(cpu);
        List<String> warm = new ArrayList<>(List.of(cpu.info().name()));
        for (TraversalBackend device : devices) {
            Stop ends = () -> stop.requested() || DeviceBackends.isWanted(device);
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
    public List<DeviceUse> deviceUse() {
        return gpus.values().stream().flatMap(devices -> devices.use().stream()).toList();
    }

    /** Whether a graph is loaded on a device, as it is during each run there. */
    public boolean isInUse() {
        return gpus.values().stream().anyMatch(DeviceBackends::isInUse);
    }

    /**
     * Releases all devices. They are opened again when needed. The caller ensures that nothing runs and that loaded
     * graphs are closed.
     */
    @Override
    public void close() {
        Closing.all(gpus.values().iterator(), DeviceBackends::close);
    }

    /** The values of the configuration key {@code backend}. */
    public enum Wanted {
        /** The fastest backend that can run. */
        AUTO("auto"),
        /** An NVIDIA GPU or an error. */
        CUDA("CUDA"),
        /** A GPU with a Vulkan driver or an error. */
        VULKAN("Vulkan"),
        /** The CPU. */
        CPU("CPU");

        private final String label;

        Wanted(String label) {
            this.label = label;
        }

        /** Whether the run must use a GPU. */
        public boolean isGpu() {
            return this == CUDA || this == VULKAN;
        }
    }

    /**
     * A backend and the reason for it.
     *
     * @param backend the backend, ready to load graphs
     * @param reason one sentence for the log of each run
     * @param remedy why no GPU can be used under 'auto' and what to do about it, for one line of the server's log;
     *     empty if one can
     */
    public record Selection(TraversalBackend backend, String reason, String remedy) {
        Selection(TraversalBackend backend, String reason) {
            this(backend, reason, "");
        }
    }

    /** Whether a run should use the device, given whether the graph is resident there. */
    @FunctionalInterface
    interface RunChoice {
        boolean pays(GraphShape graph, Operation operation, boolean resident);
    }
}
