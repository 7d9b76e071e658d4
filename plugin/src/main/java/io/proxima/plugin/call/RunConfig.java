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
import io.proxima.projection.ProjectionSpec;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** The common keys of all runs on a graph. */
public final class RunConfig {

    /** A name of a device, as in {@code proxima.backend.list}. */
    private static final Pattern DEVICE = Pattern.compile("cuda:\\d{1,4}", Pattern.CASE_INSENSITIVE);

    /** The names of kernels in release 0.2 by their present names. */
    private static final Map<String, Pattern> RENAMED_KERNELS = Map.of(
            "tile-bfs", Pattern.compile("tile", Pattern.CASE_INSENSITIVE),
            "neighbour-tiles", Pattern.compile("tiles", Pattern.CASE_INSENSITIVE),
            "bit-parallel", Pattern.compile("words", Pattern.CASE_INSENSITIVE));

    private final int threads;
    private final List<String> nodeLabels;
    private final List<String> relationshipTypes;
    private final Wanted backend;
    private final List<String> devices;
    private final RunOptions options;
    private final String jobId;
    private final boolean logProgress;
    private final boolean sudo;
    private final String username;

    private RunConfig(Caller caller, ConfigReader config, Operation operation) {
        threads = Concurrency.read(config);
        nodeLabels = config.readStrings("nodeLabels", List.of(ProjectionSpec.ALL));
        relationshipTypes = config.readStrings("relationshipTypes", List.of(ProjectionSpec.ALL));
        if (config.isList("backend") || config.matches("backend", DEVICE)) {
            backend = Wanted.CUDA;
            devices = readDevices(config);
        } else {
            backend = config.readEnum("backend", caller.defaultBackend(), ", or a device such as 'cuda:0'");
            devices = List.of();
        }
        options = new RunOptions(
                config.readEnum("order", VertexOrder.AUTO),
                config.readOneOf(
                        "kernel", Kernel.AUTO, Kernel.of(operation), Kernel::keyword, renamed(config, operation)));
        jobId = config.readJobId("jobId");
        logProgress = config.readBoolean("logProgress", true);
        sudo = config.readBoolean("sudo", false);
        username = config.readOptionalString("username", ColumnTexts.CALLER);
    }

    /** Ends the message about a former name of a kernel. */
    private static String renamed(ConfigReader config, Operation operation) {
        return Kernel.of(operation).stream()
                .map(Kernel::keyword)
                .filter(now -> RENAMED_KERNELS.containsKey(now) && config.matches("kernel", RENAMED_KERNELS.get(now)))
                .map(now -> ". The kernel is now called '" + now + "'")
                .findFirst()
                .orElse("");
    }

    private static List<String> readDevices(ConfigReader config) {
        if (!config.isList("backend")) {
            return List.of(config.readString("backend", "").toLowerCase(Locale.ROOT));
        }
        List<String> names = config.readStrings("backend", List.of()).stream()
                .map(name -> name.toLowerCase(Locale.ROOT))
                .distinct()
                .toList();
        if (names.isEmpty()
                || !names.stream().allMatch(name -> DEVICE.matcher(name).matches())) {
            config.fault("A list in `backend` must contain devices only, such as ['cuda:0', 'cuda:1'].");
        }
        return names;
    }

    /** Reads the common keys of a run; the procedure reads its own keys before and calls finish afterwards. */
    public static RunConfig read(Caller caller, ConfigReader config, Operation operation) {
        return new RunConfig(caller, config, operation);
    }

    /** The number of threads. */
    public int threads() {
        return threads;
    }

    List<String> nodeLabels() {
        return nodeLabels;
    }

    List<String> relationshipTypes() {
        return relationshipTypes;
    }

    Wanted backend() {
        return backend;
    }

    /** The backend that runs, or that chooses for each run. */
    Selection selectBackend() {
        return devices.isEmpty() ? TraversalBackends.select(backend) : TraversalBackends.selectDevices(devices);
    }

    RunOptions options() {
        return options;
    }

    public String jobId() {
        return jobId;
    }

    boolean logProgress() {
        return logProgress;
    }

    boolean sudo() {
        return sudo;
    }

    String username() {
        return username;
    }

    /** Starts reading a run on an existing graph: the name is checked before the configuration. */
    public static ConfigReader reader(Caller caller, String graphName, Map<String, Object> configuration) {
        GraphName.ofExisting(graphName);
        return caller.read("configuration", configuration);
    }
}
