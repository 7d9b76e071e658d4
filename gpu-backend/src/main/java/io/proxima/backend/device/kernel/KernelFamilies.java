// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.kernel;

import io.proxima.backend.Kernel;
import io.proxima.backend.KernelLimitException;
import io.proxima.backend.Operation;
import io.proxima.backend.device.Device;
import io.proxima.backend.device.graph.GraphSizes;
import java.util.List;
import java.util.Locale;

/**
 * The registry of kernel families. Immutable.
 *
 * @param all the families, in the order in which users see their kernels
 * @param table the kernels of 'auto'
 */
public record KernelFamilies(List<KernelFamily> all, KernelTable table) {

    /** Copies the list. */
    public KernelFamilies {
        all = List.copyOf(all);
    }

    /** The families of all providers of this jar, with a table of their kernels. */
    public static KernelFamilies ofThisJar(KernelTable table) {
        return new KernelFamilies(
                Kernel.providers()
                        .filter(KernelFamily.Provider.class::isInstance)
                        .flatMap(provider -> ((KernelFamily.Provider) provider).families().stream())
                        .toList(),
                table);
    }

    private List<Kernel> kernels() {
        return all.stream().flatMap(family -> family.kernels().stream()).toList();
    }

    /** Whether the requested kernels of one search can search such a graph. */
    public boolean canSearch(Kernel asked, GraphSizes graph) {
        return of(asked).canSearch().test(graph);
    }

    /**
     * The kernels of an operation: the requested ones, under 'auto' the first that suit the operation.
     *
     * @param type of the kernels of this operation
     * @throws IllegalArgumentException if the requested kernels do not suit the operation
     */
    public <K extends DeviceKernels> K kernels(Class<K> type, Device device, Kernel asked, Operation operation) {
        Kernel kernel = asked.equals(Kernel.AUTO)
                ? kernels().stream()
                        .filter(one -> one.suits(operation))
                        .findFirst()
                        .orElseThrow(() -> new KernelLimitException("The device has no kernels for "
                                + operation.name().toLowerCase(Locale.ROOT).replace('_', ' ')
                                + ". Use backend: 'auto' or 'cpu'."))
                : asked;
        if (!kernel.suits(operation)) {
            throw new IllegalArgumentException("kernel must be one of those of " + operation + ": kernel=" + kernel);
        }
        return type.cast(of(kernel).factory().kernels(device, kernel, operation));
    }

    private KernelFamily of(Kernel asked) {
        return all.stream()
                .filter(family -> family.kernels().contains(asked))
                .findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException("kernel must be one of " + kernels() + ": kernel=" + asked));
    }
}
