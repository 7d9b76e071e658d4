// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

import io.proxima.memory.HeapBudget;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * How a program, or one of several servers of a process, uses the backends of its host. Immutable, and given once.
 *
 * @param devices the driver's numbers of the NVIDIA devices that may be used, the preferred first; empty for all
 * @param vulkan whether Vulkan devices may be used
 * @param deviceShare share of each device's memory that may be allocated, above 0 and at most 1
 * @param recordsShare share of the free device memory that the ball records of one graph may take, from 0 (none) to 1.
 *     Ball records make searches of deep graphs faster
 * @param mappedShare share of the host's free memory that lists of neighbours may take, page-locked, if they do not fit
 *     a device, from 0 (none) to 1
 * @param hostMemoryToCome supplies the bytes outside of the heap that the server will take and has not taken yet, which
 *     do not count as free
 * @param heap the budget from which background work on the orders of graphs reserves heap; work whose reservation is
 *     refused is dropped
 * @param log receives a sentence about each failure of background work, which has no caller to report to
 */
public record BackendSettings(
        List<Integer> devices,
        boolean vulkan,
        double deviceShare,
        double recordsShare,
        double mappedShare,
        LongSupplier hostMemoryToCome,
        HeapBudget heap,
        Consumer<String> log) {

    /** The system property of {@link #deviceShare}. */
    public static final String DEVICE_SHARE = "proxima.device.memory-share";

    /** The system property of {@link #recordsShare}. */
    public static final String RECORDS_SHARE = "proxima.device.records-share";

    /** The system property of {@link #mappedShare}. */
    public static final String MAPPED_SHARE = "proxima.device.mapped-share";

    /** All NVIDIA devices, the default shares, and nothing reserved or logged. */
    public static final BackendSettings DEFAULTS =
            new BackendSettings(List.of(), false, 0.8, 0.25, 0.5, () -> 0, HeapBudget.UNLIMITED, sentence -> {});

    /**
     * Checks the shares.
     *
     * @throws IllegalArgumentException if a share is out of range; the message names its system property
     */
    public BackendSettings {
        devices = List.copyOf(devices);
        require(DEVICE_SHARE, deviceShare, deviceShare > 0, "above 0 and at most 1");
        require(RECORDS_SHARE, recordsShare, recordsShare >= 0, "from 0 to 1");
        require(MAPPED_SHARE, mappedShare, mappedShare >= 0, "from 0 to 1");
    }

    private static void require(String property, double share, boolean largeEnough, String range) {
        if (!largeEnough || share > 1) {
            throw new IllegalArgumentException(property + " must be " + range + ": " + share);
        }
    }

    /**
     * The defaults with the shares that system properties set, for programs other than Neo4j.
     *
     * @throws IllegalArgumentException if a property is not a number in its range
     */
    public static BackendSettings ofSystemProperties() {
        return DEFAULTS.withShares(
                share(DEVICE_SHARE, DEFAULTS.deviceShare),
                share(RECORDS_SHARE, DEFAULTS.recordsShare),
                share(MAPPED_SHARE, DEFAULTS.mappedShare));
    }

    private static double share(String property, double absent) {
        String value = System.getProperty(property);
        try {
            return value == null ? absent : Double.parseDouble(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(property + " must be a number: " + value, e);
        }
    }

    /** A copy with other NVIDIA devices. */
    public BackendSettings withDevices(List<Integer> ordinals) {
        return new BackendSettings(
                ordinals, vulkan, deviceShare, recordsShare, mappedShare, hostMemoryToCome, heap, log);
    }

    /** A copy that may use Vulkan devices or not. */
    public BackendSettings withVulkan(boolean allowed) {
        return new BackendSettings(
                devices, allowed, deviceShare, recordsShare, mappedShare, hostMemoryToCome, heap, log);
    }

    /** A copy of a server that will take so many bytes more, see {@link #hostMemoryToCome}. */
    public BackendSettings withHostMemoryToCome(LongSupplier bytes) {
        return new BackendSettings(devices, vulkan, deviceShare, recordsShare, mappedShare, bytes, heap, log);
    }

    /** A copy with the budget and the log of background work. */
    public BackendSettings withBackground(HeapBudget budget, Consumer<String> lines) {
        return new BackendSettings(
                devices, vulkan, deviceShare, recordsShare, mappedShare, hostMemoryToCome, budget, lines);
    }

    /** A copy with other shares of memory. */
    public BackendSettings withShares(double ofDevice, double ofRecords, double ofMapped) {
        return new BackendSettings(devices, vulkan, ofDevice, ofRecords, ofMapped, hostMemoryToCome, heap, log);
    }
}
