// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.call;

import io.proxima.backend.Kernel;
import io.proxima.backend.Operation;
import io.proxima.backend.RunOptions;
import io.proxima.backend.VertexOrder;
import io.proxima.backend.select.TraversalBackends;
import io.proxima.backend.select.TraversalBackends.Selection;
import io.proxima.backend.select.TraversalBackends.Wanted;
import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.config.GraphName;
import io.proxima.plugin.config.Key;
import io.proxima.plugin.server.ProximaSettings;
import io.proxima.projection.ProjectionSpec;
import java.util.Collection;
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

    /** The projected labels whose nodes a call includes. */
    public static final Key<List<String>> NODE_LABELS = Key.of(
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

    /** The present names of kernels by those in release 0.2. */
    private static final Map<String, String> RENAMED_KERNELS =
            Map.of("tile", "tile-bfs", "tiles", "neighbour-tiles", "words", "bit-parallel");

    /** Reads the common keys of a run; the procedure reads its own keys before and calls finish afterwards. */
    public static RunConfig read(Caller caller, ConfigReader config, Operation operation) {
        int threads = Concurrency.read(caller, config);
        List<String> nodeLabels = config.readStrings(NODE_LABELS);
        List<String> relationshipTypes = config.readStrings(RELATIONSHIP_TYPES);
        boolean named = config.given(BACKEND) instanceof Collection || isDevice(config.given(BACKEND));
        List<String> devices = named ? readDevices(config) : List.of();
        Wanted backend = named
                ? gpus(devices)
                : readBackend(config, ProximaSettings.of(caller.config(), ProximaSettings.BACKEND));
        VertexOrder order = config.readEnum(ORDER);
        Kernel kernel = config.readOneOf(
                KERNEL, "STRING", Kernel.AUTO, Kernel.of(operation), Kernel::keyword, renamed(config, operation));
        RunOptions options = new RunOptions(order, kernel);
        return new RunConfig(threads, nodeLabels, relationshipTypes, backend, devices, options, JobKeys.read(config));
    }

    /** Ends the message about a former name of a kernel. */
    private static String renamed(ConfigReader config, Operation operation) {
        String now = config.given(KERNEL) instanceof String former
                ? RENAMED_KERNELS.get(former.toLowerCase(Locale.ROOT))
                : null;
        boolean allowed = now != null
                && Kernel.of(operation).stream()
                        .anyMatch(kernel -> kernel.keyword().equals(now));
        return allowed ? ". The kernel is now called '" + now + "'" : "";
    }

    /** The same run on the CPU; adds a fault if the call asks for another backend. */
    RunConfig onCpu(ConfigReader config) {
        if (config.given(BACKEND) != null && backend.isGpu()) {
            config.fault("With these keys the call runs on the CPU only, because no GPU has kernels for it. Leave out"
                    + " `backend`.");
        }
        return new RunConfig(threads, nodeLabels, relationshipTypes, Wanted.CPU, List.of(), options, job);
    }

    private static boolean isDevice(Object name) {
        return name instanceof String text && DEVICE_NAME.matcher(text).matches();
    }

    private static Wanted readBackend(ConfigReader config, Wanted absent) {
        List<Wanted> all = List.of(Wanted.values());
        return config.readOneOf(
                BACKEND,
                "STRING or LIST<STRING>",
                absent,
                all,
                ConfigReader::written,
                ", or a device such as 'cuda:0'");
    }

    private static Wanted gpus(List<String> devices) {
        return devices.stream().anyMatch(name -> name.startsWith("vulkan")) ? Wanted.VULKAN : Wanted.CUDA;
    }

    private static List<String> readDevices(ConfigReader config) {
        List<String> given = config.given(BACKEND) instanceof String
                ? List.of(config.readString(DEVICE))
                : config.readStrings(DEVICES);
        List<String> names = given.stream()
                .map(name -> name.toLowerCase(Locale.ROOT))
                .distinct()
                .toList();
        if (names.isEmpty() || !names.stream().allMatch(RunConfig::isDevice)) {
            config.fault("A list in `backend` must contain devices only, such as ['cuda:0', 'cuda:1'].");
        }
        return names;
    }

    /** The backend that runs, or that chooses for each run. */
    Selection selectBackend(TraversalBackends backends) {
        return devices.isEmpty() ? backends.select(backend) : backends.selectDevices(devices);
    }

    /** Starts reading a run on an existing graph: the name is checked before the configuration. */
    public static ConfigReader reader(Caller caller, String graphName, Map<String, Object> configuration) {
        GraphName.ofExisting(graphName);
        return caller.read("configuration", configuration);
    }
}
