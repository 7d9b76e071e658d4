// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

import io.proxima.backend.LoadedGraph.Residence;
import java.util.stream.Collectors;

/** The memory and the order of a graph on all its devices. */
public final class Residences {

    private Residences() {}

    public static long bytes(LoadedGraph graph) {
        return graph.residences().stream().mapToLong(Residence::bytes).sum();
    }

    public static long mappedBytes(LoadedGraph graph) {
        return graph.residences().stream().mapToLong(Residence::mappedBytes).sum();
    }

    public static String order(LoadedGraph graph) {
        return graph.residences().stream().map(Residence::order).findFirst().orElse("");
    }

    /** The devices, with commas between them; "cpu" if there are none. */
    public static String residentOn(LoadedGraph graph) {
        String devices = graph.residences().stream().map(Residence::device).collect(Collectors.joining(", "));
        return devices.isEmpty() ? "cpu" : devices;
    }
}
