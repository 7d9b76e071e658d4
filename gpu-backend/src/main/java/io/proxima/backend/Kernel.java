// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A value of the configuration key {@code kernel}.
 *
 * @param keyword the value of the key, which is unique
 * @param isOverSliceSets whether it runs over BVSS, for which other orders are best
 * @param runs the runs that it supports
 */
public record Kernel(String keyword, boolean isOverSliceSets, Set<Operation> runs) {

    /** The kernels that suit the graph. */
    public static final Kernel AUTO = new Kernel("auto", Operation.values());

    /** A provider of kernels, found by {@link ServiceLoader}. */
    public interface Provider {

        /** The kernels, in the order in which users see them. */
        List<Kernel> kernels();
    }

    /** The providers of this jar. */
    public static Stream<Provider> providers() {
        return ServiceLoader.load(Provider.class, Kernel.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::get);
    }

    /** A kernel that reads lists of neighbours. */
    public Kernel(String keyword, Operation... runs) {
        this(keyword, false, Set.of(runs));
    }

    /** A kernel of one search, from one or several sources. */
    public static Kernel ofOneSearch(String keyword) {
        return new Kernel(keyword, Operation.BFS, Operation.NEAREST_SOURCE);
    }

    /** The same kernel, if it runs over BVSS. */
    public Kernel overSliceSets() {
        return new Kernel(keyword, true, runs);
    }

    /** All kernels of this installation, {@link #AUTO} first. */
    public static List<Kernel> all() {
        return Known.ALL;
    }

    /**
     * The kernel with a keyword.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Kernel of(String keyword) {
        return all().stream()
                .filter(kernel -> kernel.keyword.equals(keyword))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("kernel must be one of " + all() + ": " + keyword));
    }

    /** The kernels that support a run. */
    public static List<Kernel> of(Operation operation) {
        return all().stream().filter(kernel -> kernel.suits(operation)).toList();
    }

    /** Whether it supports a run. */
    public boolean suits(Operation operation) {
        return runs.contains(operation);
    }

    @Override
    public String toString() {
        return keyword;
    }

    /** The kernels of all providers of this jar, looked up once. */
    private static final class Known {

        static final List<Kernel> ALL = find();

        private static List<Kernel> find() {
            return Stream.concat(Stream.of(AUTO), providers().flatMap(provider -> provider.kernels().stream()))
                    .toList();
        }
    }
}
