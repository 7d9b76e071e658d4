// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.driver;

import io.proxima.backend.device.DeviceFacts;
import io.proxima.backend.device.run.DeviceProbe;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Supplier;

/** Finds the CUDA driver and devices of this host. JCuda is linked only if the driver's library is installed. */
public final class CudaProbe {

    /** CUDA 12.0: JCuda calls nothing newer. */
    static final int OLDEST_DRIVER = 12_000;

    /** Compute capability 8.0: the committed PTX is for compute_80. */
    static final int OLDEST_MAJOR = 8;

    private CudaProbe() {}

    /**
     * Probes the driver of the host, or a driver that another jar provides as a service, by which tests inject
     * failures. Such a jar lies in the plugins folder; anyone who can write there can run any code in the server
     * anyway.
     */
    public static DeviceProbe ofThisHost() {
        try {
            Optional<Driver> offered = ServiceLoader.load(Driver.class, CudaProbe.class.getClassLoader())
                    .findFirst();
            return offered.isPresent() ? probe(offered.get()) : probe(DriverLibrary.ofThisHost(), JcudaDriver::new);
        } catch (ServiceConfigurationError e) {
            return without(
                    "",
                    "A jar in the plugins folder provides a CUDA driver that failed to start: " + rootMessage(e)
                            + ". Remove the jar and restart the server, or use backend: 'cpu'.");
        }
    }

    static DeviceProbe probe(DriverLibrary library, Supplier<Driver> linking) {
        String missing = library.missing();
        if (!missing.isEmpty()) {
            return without("", missing);
        }
        try {
            return probe(linking.get());
        } catch (LinkageError e) {
            return without(
                    "",
                    "The NVIDIA driver's library cannot be loaded: " + rootMessage(e)
                            + ". Check the driver's installation with nvidia-smi and restart the server, or use"
                            + " backend: 'cpu'.");
        } catch (CudaException e) {
            return without("", notStarted(e));
        }
    }

    private static DeviceProbe probe(Driver driver) {
        int version = driver.version();
        if (version < OLDEST_DRIVER) {
            return without(
                    versionName(version),
                    "The NVIDIA driver is too old: it supports CUDA " + versionName(version) + ", but "
                            + versionName(OLDEST_DRIVER) + " is required. Install driver version 525 or newer, or use"
                            + " backend: 'cpu'.");
        }
        return withDevices(driver, versionName(version));
    }

    private static DeviceProbe withDevices(Driver driver, String version) {
        List<DeviceProbe.Found> found = new ArrayList<>();
        try {
            int count = driver.deviceCount();
            for (int i = 0; i < count; i++) {
                int ordinal = i;
                DeviceFacts facts = driver.facts(ordinal);
                found.add(new DeviceProbe.Found(ordinal, facts, version, unusable(facts), () -> driver.open(ordinal)));
            }
        } catch (CudaException e) {
            return without(version, notStarted(e));
        }
        return found.isEmpty()
                ? without(version, noDevice("The driver reports no device"))
                : new DeviceProbe(version, "", List.copyOf(found), JcudaDriver.REMEDIES);
    }

    private static String unusable(DeviceFacts facts) {
        if (facts.major() < OLDEST_MAJOR) {
            return "The device's compute capability is " + facts.version() + ", but " + OLDEST_MAJOR
                    + ".0 (Ampere) or newer is required. Use another device or backend: 'cpu'.";
        }
        if (!facts.cooperativeLaunch()) {
            return "The device does not support cooperative launches: some virtual GPU profiles and MPS settings disable"
                    + " them. Use a whole device or backend: 'cpu'.";
        }
        return "";
    }

    private static String notStarted(CudaException e) {
        return e.code() == CudaException.NO_DEVICE
                ? noDevice("The driver reports " + e.codeName())
                : "The NVIDIA driver failed to start: " + e.getMessage()
                        + " Check it with nvidia-smi and restart the server, or use backend: 'cpu'.";
    }

    private static String noDevice(String what) {
        return what + ": no NVIDIA GPU is visible to this process. Check nvidia-smi,"
                + " CUDA_VISIBLE_DEVICES and the container's GPU access, or use backend: 'cpu'.";
    }

    private static DeviceProbe without(String version, String reason) {
        return new DeviceProbe(version, reason, List.of(), JcudaDriver.REMEDIES);
    }

    private static String versionName(int version) {
        return version / 1000 + "." + version % 1000 / 10;
    }

    private static String rootMessage(Throwable thrown) {
        Throwable root = thrown;
        while (root.getCause() != null && root.getCause() != root) {
            root = root.getCause();
        }
        return String.valueOf(root.getMessage()).strip();
    }
}
