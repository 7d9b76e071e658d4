// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.run;

import io.proxima.backend.Workload;
import io.proxima.backend.device.LaunchPolicy;
import io.proxima.backend.device.graph.DeviceStructure;
import io.proxima.backend.device.graph.GraphSizes;
import io.proxima.backend.device.graph.Way;
import io.proxima.backend.device.kernel.DeviceKernels;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The kernels of the runs that a call makes on a graph. The structures of all of them stay resident together.
 *
 * @param runs of one workload, {@link Workload#runs}
 * @param kernels those of each run
 */
record RunKernels(List<Workload> runs, List<DeviceKernels> kernels, LaunchPolicy policy) {

    /** The kernels of the first run. */
    DeviceKernels first() {
        return kernels.get(0);
    }

    /** Their names, one after another. */
    String names() {
        return kernels.stream().map(DeviceKernels::name).collect(Collectors.joining(", "));
    }

    /** Whether these are the same kernels. */
    boolean isSameAs(RunKernels others) {
        return names().equals(others.names());
    }

    /** The structures that the runs read. */
    Set<DeviceStructure<?>> structures() {
        Set<DeviceStructure<?>> structures = new LinkedHashSet<>();
        kernels.forEach(each -> structures.addAll(each.structures()));
        return structures;
    }

    /**
     * The ways of the first run, the preferred first, each with room for the preferred ways of the others; and the last
     * of all, with room for the ways of the others that take least.
     */
    List<Way> ways(GraphSizes sizes) {
        List<Way> first = waysOf(0, sizes);
        if (kernels.size() == 1) {
            return first;
        }
        List<Way> ways = new ArrayList<>();
        first.forEach(way -> ways.add(withRoomForOthers(way, sizes, each -> each.get(0))));
        ways.add(least(Way.least(first).get(0), sizes));
        return ways;
    }

    /** A way of the first run, with room for the ways of the others that take least. */
    Way least(Way way, GraphSizes sizes) {
        return withRoomForOthers(way, sizes, each -> Way.least(each).get(0));
    }

    private Way withRoomForOthers(Way way, GraphSizes sizes, Function<List<Way>, Way> chosen) {
        Way all = way;
        for (int run = 1; run < kernels.size(); run++) {
            all = all.withRoomFor(chosen.apply(waysOf(run, sizes)));
        }
        return all;
    }

    private List<Way> waysOf(int run, GraphSizes sizes) {
        Workload work = runs.get(run);
        return work.isNothing(sizes.vertexCount())
                ? List.of(Way.NOTHING)
                : kernels.get(run).ways(sizes, work, policy);
    }
}
