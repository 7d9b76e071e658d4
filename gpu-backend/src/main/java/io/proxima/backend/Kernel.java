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

import io.proxima.backend.TraversalBackend.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;

/**
 * A value of the configuration key {@code kernel}: how a run is done. Immutable; equal to another with the same keyword.
 */
public final class Kernel {

    /** What suits the graph. */
    public static final Kernel AUTO = new Kernel("auto", "The kernels that suit the graph.", Run.values());

    /** Something that has kernels of its own; found by {@link ServiceLoader}. */
    public interface Provider {

        /** Its kernels, in the order in which they are told to users. */
        List<Kernel> kernels();
    }

    private final String keyword;
    private final String description;
    private final boolean overSliceSets;
    private final Set<Run> runs;

    private Kernel(String keyword, String description, boolean overSliceSets, Set<Run> runs) {
        this.keyword = keyword;
        this.description = description;
        this.overSliceSets = overSliceSets;
        this.runs = runs;
    }

    /**
     * A kernel.
     *
     * @param keyword in words of the configuration key
     * @param description one sentence for users
     * @param runs that it can do
     */
    public Kernel(String keyword, String description, Run... runs) {
        this(keyword, description, false, Set.of(runs));
    }

    /** The same, over binarized virtual slice sets, which want an order of their own. */
    public Kernel overSliceSets() {
        return new Kernel(keyword, description, true, runs);
    }

    /** All kernels of this installation, {@link #AUTO} first. */
    public static List<Kernel> all() {
        return Known.ALL;
    }

    /**
     * The kernel of that keyword.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Kernel of(String keyword) {
        return all().stream()
                .filter(kernel -> kernel.keyword.equals(keyword))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("kernel must be one of " + all() + ": " + keyword));
    }

    /** What a run can be done with. */
    public static List<Kernel> of(Run run) {
        return all().stream().filter(kernel -> kernel.suits(run)).toList();
    }

    /** In words of the configuration key. */
    public String keyword() {
        return keyword;
    }

    /** What it is, one sentence. */
    public String description() {
        return description;
    }

    /** Whether a run can be done so. */
    public boolean suits(Run run) {
        return runs.contains(run);
    }

    /** Whether it is one of the paper's, over binarized virtual slice sets. */
    public boolean isOverSliceSets() {
        return overSliceSets;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Kernel kernel && kernel.keyword.equals(keyword);
    }

    @Override
    public int hashCode() {
        return keyword.hashCode();
    }

    @Override
    public String toString() {
        return keyword;
    }

    /** Those that the providers of this jar have; looked for once. */
    private static final class Known {

        static final List<Kernel> ALL = find();

        private static List<Kernel> find() {
            List<Kernel> kernels = new ArrayList<>(List.of(AUTO));
            ServiceLoader.load(Provider.class, Kernel.class.getClassLoader())
                    .forEach(provider -> kernels.addAll(provider.kernels()));
            return List.copyOf(kernels);
        }
    }
}
