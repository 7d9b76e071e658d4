// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.run;

import io.proxima.backend.BackendInfo;
import io.proxima.backend.DeviceFailureException;
import io.proxima.backend.DeviceUse;
import io.proxima.backend.GraphShape;
import io.proxima.backend.Operation;
import io.proxima.backend.TraversalBackend;
import io.proxima.backend.device.Device;
import io.proxima.backend.device.DeviceDriver;
import io.proxima.backend.device.DriverException;
import io.proxima.backend.device.LaunchPolicy;
import io.proxima.backend.device.MappedBudget;
import io.proxima.backend.device.kernel.KernelFamilies;
import io.proxima.concurrent.Closing;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The devices of one driver of this host. They are detected at the first call and opened when first used. Thread-safe.
 */
public class DeviceBackends implements AutoCloseable {

    private final String name;
    private final Supplier<DeviceProbe> probing;

    private final KernelFamilies families;
    private final LaunchPolicy policy;
    private final MappedBudget mapped;
    // the driver's numbers in the order of preference; empty for all devices in the driver's order
    private final List<Integer> allowed;

    // guarded by this
    private DeviceProbe probe;
    private final Map<Integer, DeviceBackend> open = new HashMap<>();

    private final DeviceGroup group;

    /**
     * The devices of a driver, not detected yet.
     *
     * @param name the name of the row of a host without devices, and the first part of the names of its devices
     * @param ordinals the driver's numbers of the devices that may be used, the preferred first; empty for all
     * @param mapped the budget of mapped memory, which the devices of other drivers use too
     */
    protected DeviceBackends(
            String name,
            List<Integer> ordinals,
            KernelFamilies families,
            Supplier<DeviceProbe> probing,
            LaunchPolicy policy,
            MappedBudget mapped) {
        this.name = name;
        this.group = new DeviceGroup(name, this::usable, policy.leastShared());
        this.probing = probing;
        this.families = families;
        this.policy = policy;
        this.mapped = mapped;
        this.allowed = ordinals;
    }

    /**
     * A device, or the reason why there is none.
     *
     * @param backend null if no device can be used
     * @param reason why no device can be used and what to do about it; empty if one can
     */
    public record Choice(TraversalBackend backend, String reason) {}

    /** Whether the settings leave these devices out. */
    public boolean isLeftOut() {
        return false;
    }

    /**
     * Whether a run on a graph should use a device rather than the CPU.
     *
     * @param resident whether the graph is on the device already
     */
    public boolean pays(GraphShape graph, Operation operation, boolean resident) {
        return operation.pays(graph, resident);
    }

    /** Whether the devices have been detected. */
    public synchronized boolean isDetected() {
        return probe != null;
    }

    /** One row per device, or one row with the reason why there is none. */
    public List<BackendInfo> list() {
        // a device may take its time to answer, and others choose a device meanwhile
        return rows().stream().map(Supplier::get).toList();
    }

    private synchronized List<Supplier<BackendInfo>> rows() {
        DeviceProbe found = probe();
        if (found.devices().isEmpty()) {
            BackendInfo none = BackendInfo.unavailable(name, found.reason(), found.driverVersion());
            return List.of(() -> none);
        }
        List<Supplier<BackendInfo>> rows = new ArrayList<>();
        for (DeviceProbe.Found device : found.devices()) {
            Choice choice = open(device);
            BackendInfo unavailable = new BackendInfo(
                    name(device),
                    false,
                    choice.reason,
                    device.facts().name(),
                    device.facts().version(),
                    device.facts().totalBytes(),
                    0,
                    device.driverVersion());
            rows.add(choice.backend == null ? () -> unavailable : choice.backend::info);
        }
        for (int ordinal : absent(found)) {
            BackendInfo row = BackendInfo.unavailable(name(ordinal), notThere(ordinal, found), found.driverVersion());
            rows.add(() -> row);
        }
        return rows;
    }

    /** Chooses the first usable device, in the order of the allowed devices. */
    public Choice choose() {
        return choose(1);
    }

    /** Chooses all usable devices together, or the only one that is allowed. */
    public synchronized Choice chooseAll() {
        Choice choice = choose(Integer.MAX_VALUE);
        return choice.backend != null && inOrderOfPreference(probe()).size() > 1 ? new Choice(group, "") : choice;
    }

    /** Opens so many devices, and chooses the first that can be used. */
    private synchronized Choice choose(int most) {
        DeviceProbe found = probe();
        if (found.devices().isEmpty()) {
            return new Choice(null, found.reason());
        }
        List<String> reasons = new ArrayList<>();
        absent(found).forEach(ordinal -> reasons.add(name(ordinal) + ": " + notThere(ordinal, found)));
        TraversalBackend first = null;
        int opened = 0;
        for (DeviceProbe.Found device : inOrderOfPreference(found)) {
            Choice choice = reopen(device);
            if (choice.backend != null) {
                first = first == null ? choice.backend : first;
                opened++;
            } else {
                reasons.add(name(device) + ": " + choice.reason);
            }
            if (opened == most) {
                break;
            }
        }
        return first == null ? new Choice(null, String.join(" ", reasons)) : new Choice(first, "");
    }

    /** The allowed devices that are open and have not failed, in the order of preference. */
    private synchronized List<DeviceBackend> usable() {
        return inOrderOfPreference(probe()).stream()
                .map(device -> open.get(device.ordinal()))
                .filter(backend -> backend != null && backend.lost().isEmpty())
                .toList();
    }

    /** Opens all allowed devices, and returns those that can be used, the preferred first. */
    public synchronized List<TraversalBackend> openAll() {
        choose(Integer.MAX_VALUE);
        return List.copyOf(usable());
    }

    /** Chooses the device of that name, as in {@link #list}. */
    public synchronized Choice choose(String name) {
        DeviceProbe found = probe();
        if (found.devices().isEmpty()) {
            return new Choice(null, found.reason());
        }
        for (DeviceProbe.Found device : found.devices()) {
            if (name(device).equals(name)) {
                return reopen(device);
            }
        }
        List<String> devices = found.devices().stream().map(this::name).toList();
        return new Choice(null, "There is no device '" + name + "'. The devices are " + devices + ".");
    }

    /** Chooses the devices of these names together, as in {@link #list}; all of them must be usable. */
    public synchronized Choice choose(List<String> names) {
        if (names.size() == 1) {
            return choose(names.get(0));
        }
        for (String name : names) {
            Choice choice = choose(name);
            if (choice.backend == null) {
                return new Choice(null, name + ": " + choice.reason);
            }
        }
        return new Choice(
                new DeviceGroup(
                        String.join(", ", names),
                        () -> usable().stream()
                                .filter(backend ->
                                        names.contains(backend.device().name()))
                                .toList(),
                        policy.leastShared()),
                "");
    }

    /** Whether a run waits for a device that {@link #choose} has returned. */
    public static boolean isWanted(TraversalBackend device) {
        return ((DeviceBackend) device).device().leases().isWanted();
    }

    /** Whether a graph is loaded on a device. */
    public synchronized boolean isInUse() {
        return !open.values().stream().allMatch(DeviceBackend::isWithoutGraphs);
    }

    /** The current use of the open devices. */
    public List<DeviceUse> use() {
        return openDevices().stream()
                .map(device -> device.memory().use(device.facts().totalBytes()))
                .sorted(Comparator.comparing(DeviceUse::name))
                .toList();
    }

    private synchronized List<Device> openDevices() {
        return open.values().stream().map(DeviceBackend::device).toList();
    }

    /** Releases all devices; they are opened again when needed. The caller ensures that nothing runs. */
    @Override
    public synchronized void close() {
        try {
            Closing.all(open.values().iterator(), DeviceBackend::close);
        } finally {
            open.clear();
        }
    }

    private boolean allowed(DeviceProbe.Found device) {
        return allowed.isEmpty() || allowed.contains(device.ordinal());
    }

    private List<DeviceProbe.Found> inOrderOfPreference(DeviceProbe found) {
        return found.devices().stream()
                .filter(this::allowed)
                .sorted(Comparator.comparing(device -> allowed.indexOf(device.ordinal())))
                .toList();
    }

    private List<Integer> absent(DeviceProbe found) {
        return allowed.stream()
                .filter(ordinal -> found.devices().stream().noneMatch(device -> device.ordinal() == ordinal))
                .toList();
    }

    private static String notThere(int ordinal, DeviceProbe found) {
        return "The setting server.proxima.devices lists device " + ordinal + ", but the driver reports "
                + found.devices().size() + " devices, numbered from 0. Correct the setting and restart the server, or"
                + " check CUDA_VISIBLE_DEVICES and the container's GPU access.";
    }

    private DeviceProbe probe() {
        if (probe == null) {
            probe = probing.get();
        }
        return probe;
    }

    /** Only an open device is kept, because a device that is full now may have room at the next call. */
    private Choice open(DeviceProbe.Found found) {
        if (!allowed(found)) {
            return new Choice(
                    null,
                    "The setting server.proxima.devices excludes the device: it lists only " + allowed
                            + ". Add the device to the setting and restart the server.");
        }
        if (!found.reason().isEmpty()) {
            return new Choice(null, found.reason());
        }
        DeviceBackend known = open.get(found.ordinal());
        if (known != null) {
            return new Choice(known, "");
        }
        try {
            DeviceDriver.Remedies remedies = probe().remedies();
            DeviceBackend backend =
                    new DeviceBackend(families, () -> device(found, remedies), policy.settings(), System::nanoTime);
            open.put(found.ordinal(), backend);
            return new Choice(backend, "");
        } catch (DeviceFailureException e) {
            return new Choice(null, e.getMessage());
        }
    }

    /**
     * Opens a device.
     *
     * @throws DeviceFailureException if it cannot be used now; the message says why and what to do
     */
    private Device device(DeviceProbe.Found found, DeviceDriver.Remedies remedies) {
        Device device;
        try {
            DeviceDriver driver = found.opening().get();
            device = new Device(
                    name(found), found.facts(), found.driverVersion(), driver, policy, mapped, found.leases());
        } catch (DriverException e) {
            // a driver does not say which of the two is short
            String remedy = e.isOutOfMemory()
                    ? " The host has too little memory that can be page-locked, or the device is full. "
                            + remedies.findUsers() + ", or use backend: 'cpu'."
                    : " Use backend: 'cpu'.";
            throw new DeviceFailureException(e.getMessage() + remedy);
        }
        boolean usable = false;
        try {
            requireUsable(device, remedies);
            usable = true;
            return device;
        } finally {
            if (!usable) {
                device.close();
            }
        }
    }

    private static void requireUsable(Device device, DeviceDriver.Remedies remedies) {
        long free = device.memory().availableBytes();
        if (!device.lost().isEmpty()) {
            throw new DeviceFailureException(device.lost() + " Use backend: 'cpu'.");
        }
        if (free < Math.min(LaunchPolicy.LEAST_FREE_BYTES, device.memory().budget())) {
            throw new DeviceFailureException(String.format(
                    Locale.ROOT,
                    "The device is full: only %,d of %,d bytes are free. %s, or use backend: 'cpu'.",
                    free,
                    device.facts().totalBytes(),
                    remedies.findUsers()));
        }
    }

    /** As {@link #open}; a device that has failed is opened again. */
    private Choice reopen(DeviceProbe.Found found) {
        Choice opened = open(found);
        String reason = opened.backend == null
                ? opened.reason
                : open.get(found.ordinal()).reopen();
        return reason.isEmpty() ? opened : new Choice(null, reason);
    }

    private String name(DeviceProbe.Found found) {
        return name(found.ordinal());
    }

    private String name(int ordinal) {
        return name + ":" + ordinal;
    }
}
