// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.kernel;

import io.proxima.backend.Kernel;
import io.proxima.backend.KernelLimitException;
import io.proxima.backend.TraversalBackend.Operation;
import io.proxima.backend.device.Device;
import io.proxima.backend.device.graph.GraphSizes;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;

/** The registry of kernel families. Immutable. */
public final class KernelFamilies {

    private final List<KernelFamily> all;
    private final KernelTable table;

    /**
     * A registry.
     *
     * @param all the families, in the order in which users see their kernels
     * @param table chooses among them
     */
    public KernelFamilies(List<KernelFamily> all, KernelTable table) {
        this.all = List.copyOf(all);
        this.table = table;
    }

    /** A copy with one more family. */
    KernelFamilies with(KernelFamily further) {
        return new KernelFamilies(
                Stream.concat(all.stream(), Stream.of(further)).toList(), table);
    }

    /** The kernels of 'auto'. */
    public KernelTable table() {
        return table;
    }

    private List<Kernel> kernels() {
        return all.stream().flatMap(family -> family.kernels().stream()).toList();
    }

    /** Whether the requested kernels of one search can search such a graph. */
    public boolean canSearch(Kernel asked, GraphSizes graph) {
        return of(asked).canSearch(graph);
    }

    /**
     * The requested kernels of one search.
     *
     * @throws IllegalArgumentException if the requested family has no such kernels
     */
    public BfsKernel levels(Device device, Kernel asked) {
        return known(of(asked).levels(device, asked), asked, "one search");
    }

    /**
     * The requested kernels of distances.
     *
     * @throws IllegalArgumentException if the requested family has no such kernels
     */
    public BatchKernels distances(Device device, Kernel asked) {
        return known(of(asked).distances(device, asked), asked, "distances");
    }

    /**
     * The requested kernels of sums.
     *
     * @throws IllegalArgumentException if the requested family has no such kernels
     */
    public SumKernels sums(Device device, Kernel asked) {
        return known(of(asked).sums(device, asked), asked, "sums");
    }

    /**
     * The requested kernels of components; under 'auto' those of the first family that has any.
     *
     * @throws IllegalArgumentException if the requested family has no such kernels
     */
    public ComponentKernels components(Device device, Kernel asked) {
        Kernel kernel = firstIfOpen(asked, Operation.COMPONENTS);
        return known(of(kernel).components(device, kernel), kernel, "components");
    }

    /** The requested kernels of weighted shortest paths, as {@link #components}. */
    public PathKernels paths(Device device, Kernel asked) {
        Kernel kernel = firstIfOpen(asked, Operation.SHORTEST_PATHS);
        return known(of(kernel).paths(device, kernel), kernel, "shortest paths");
    }

    /** The requested kernels of betweenness, as {@link #components}. */
    public BetweennessKernels betweenness(Device device, Kernel asked) {
        Kernel kernel = firstIfOpen(asked, Operation.BETWEENNESS);
        return known(of(kernel).betweenness(device, kernel), kernel, "betweenness");
    }

    private Kernel firstIfOpen(Kernel asked, Operation operation) {
        return asked.equals(Kernel.AUTO)
                ? kernels().stream()
                        .filter(kernel -> kernel.suits(operation))
                        .findFirst()
                        .orElseThrow(() -> new KernelLimitException(
                                "The device has no kernels for "
                                        + operation.name().toLowerCase(Locale.ROOT).replace('_', ' ') + ". Use backend: 'auto' or 'cpu'."))
                : asked;
    }

    /**
     * The requested kernels of sums by source.
     *
     * @throws IllegalArgumentException if the requested family has no such kernels
     */
    public SumKernels sumsBySource(Device device, Kernel asked) {
        return known(of(asked).sumsBySource(device, asked), asked, "sums by source");
    }

    private KernelFamily of(Kernel asked) {
        return all.stream()
                .filter(family -> family.kernels().contains(asked))
                .findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException("kernel must be one of " + kernels() + ": kernel=" + asked));
    }

    private static <T> T known(T kernels, Kernel asked, String what) {
        return Objects.requireNonNullElseGet(kernels, () -> {
            throw new IllegalArgumentException("kernel must be one of those of " + what + ": kernel=" + asked);
        });
    }
}
