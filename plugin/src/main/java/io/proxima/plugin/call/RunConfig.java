// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.call;

import io.proxima.backend.Kernel;
import io.proxima.backend.RunOptions;
import io.proxima.backend.TraversalBackend.Operation;
import io.proxima.backend.VertexOrder;
import io.proxima.backend.select.TraversalBackends;
import io.proxima.backend.select.TraversalBackends.Selection;
import io.proxima.backend.select.TraversalBackends.Wanted;
import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.config.GraphName;
import io.proxima.plugin.config.Key;
import io.proxima.projection.ProjectionSpec;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The common keys of all runs on a graph.
 *
 * @param threads the number of threads
 * @param nodeLabels projected labels, or {@code *}
 * @param relationshipTypes projected types, or {@code *}
 * @param backend the wanted backend
 * @param devices the names of the wanted devices; empty for any
 * @param options order and kernel
 * @param job the keys of the job
 */
public record RunConfig(
        int threads,
        List<String> nodeLabels,
        List<String> relationshipTypes,
        Wanted backend,
        List<String> devices,
        RunOptions options,
        JobKeys job) {

    private static final Key<List<String>> NODE_LABELS = Key.of(
            "nodeLabels",
            List.of(ProjectionSpec.ALL),
            "Projected labels. Only nodes with at least one of them are included.");
    private static final Key<List<String>> RELATIONSHIP_TYPES = Key.of(
            "relationshipTypes",
            List.of(ProjectionSpec.ALL),
            "Projected types. Only relationships of these types are followed.");
    private static final Key<Wanted> BACKEND = Key.of(
            "backend", "'auto', 'cpu', 'cuda', 'vulkan', a device by name, such as 'cuda:0', or a list of devices.");
    private static final Key<String> DEVICE = Key.of(BACKEND.name(), "", BACKEND.meaning());
    private static final Key<List<String>> DEVICES = Key.of(BACKEND.name(), List.of(), BACKEND.meaning());
    private static final Key<VertexOrder> ORDER =
            Key.of("order", VertexOrder.AUTO, "The order of the vertices on a GPU.");
    private static final Key<Kernel> KERNEL = Key.of("kernel", Kernel.AUTO, "The kernels that a GPU uses.");

    /** A name of a device, as in {@code proxima.backend.list}. */
    private static final Pattern DEVICE_NAME = Pattern.compile("(cuda|vulkan):\\d{1,4}", Pattern.CASE_INSENSITIVE);

    /** The names of kernels in release 0.2 by their present names. */
    private static final Map<String, Pattern> RENAMED_KERNELS = Map.of(
            "tile-bfs", Pattern.compile("tile", Pattern.CASE_INSENSITIVE),
            "neighbour-tiles", Pattern.compile("tiles", Pattern.CASE_INSENSITIVE),
            "bit-parallel", Pattern.compile("words", Pattern.CASE_INSENSITIVE));

    /** Reads the common keys of a run; the procedure reads its own keys before and calls finish afterwards. */
    public static RunConfig read(Caller caller, ConfigReader config, Operation operation) {
        int threads = Concurrency.read(config);
        List<String> nodeLabels = config.readStrings(NODE_LABELS);
        List<String> relationshipTypes = config.readStrings(RELATIONSHIP_TYPES);
        boolean named = config.isList(BACKEND) || config.matches(BACKEND, DEVICE_NAME);
        List<String> devices = named ? readDevices(config) : List.of();
        return new RunConfig(
                threads,
                nodeLabels,
                relationshipTypes,
                named
                        ? gpus(devices)
                        : config.readEnum(BACKEND, caller.defaultBackend(), ", or a device such as 'cuda:0'"),
                devices,
                new RunOptions(
                        config.readEnum(ORDER),
                        config.readOneOf(KERNEL, Kernel.of(operation), Kernel::keyword, renamed(config, operation))),
                JobKeys.read(config));
    }

    /** Ends the message about a former name of a kernel. */
    private static String renamed(ConfigReader config, Operation operation) {
        return Kernel.of(operation).stream()
                .map(Kernel::keyword)
                .filter(now -> RENAMED_KERNELS.containsKey(now) && config.matches(KERNEL, RENAMED_KERNELS.get(now)))
                .map(now -> ". The kernel is now called '" + now + "'")
                .findFirst()
                .orElse("");
    }

    private static Wanted gpus(List<String> devices) {
        return devices.stream().anyMatch(name -> name.startsWith("vulkan")) ? Wanted.VULKAN : Wanted.CUDA;
    }

    private static List<String> readDevices(ConfigReader config) {
        if (!config.isList(BACKEND)) {
            return List.of(config.readString(DEVICE).toLowerCase(Locale.ROOT));
        }
        List<String> names = config.readStrings(DEVICES).stream()
                .map(name -> name.toLowerCase(Locale.ROOT))
                .distinct()
                .toList();
        if (names.isEmpty()
                || !names.stream().allMatch(name -> DEVICE_NAME.matcher(name).matches())) {
            config.fault("A list in `backend` must contain devices only, such as ['cuda:0', 'cuda:1'].");
        }
        return names;
    }

    /** The backend that runs, or that chooses for each run. */
    Selection selectBackend() {
        return devices.isEmpty() ? TraversalBackends.select(backend) : TraversalBackends.selectDevices(devices);
    }

    /** Starts reading a run on an existing graph: the name is checked before the configuration. */
    public static ConfigReader reader(Caller caller, String graphName, Map<String, Object> configuration) {
        GraphName.ofExisting(graphName);
        return caller.read("configuration", configuration);
    }
}
