// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.call;

import io.proxima.backend.RunObserver;
import io.proxima.backend.VertexOrder;
import io.proxima.backend.select.TraversalBackends.Wanted;
import io.proxima.plugin.config.ConfigReader;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The backend of a call. A selected backend is the one that runs, except for 'auto', which chooses for each run and
 * reports its choice. Used by the calling thread only.
 */
final class BackendInUse implements RunObserver {

    /** Name of the backend that chooses for each run. */
    private static final String CHOOSES = ConfigReader.written(Wanted.AUTO);

    // order and kernel of a run, if no device reports them
    private static final String UNORDERED = ConfigReader.written(VertexOrder.NATURAL);
    private static final String NO_KERNELS = "cpu";

    private final String reason;
    private final Consumer<String> log;
    private final Consumer<String> whenRun;
    private final Set<String> logged = new HashSet<>();
    private String name;
    private String order = UNORDERED;
    private String kernel = NO_KERNELS;

    /**
     * Starts with the selected backend.
     *
     * @param name the name of that backend
     * @param reason why it was selected
     * @param log receives one line for each backend of the call, with the reason
     * @param whenRun receives the name of the backend of each run
     */
    BackendInUse(String name, String reason, Consumer<String> log, Consumer<String> whenRun) {
        this.name = name;
        this.reason = reason;
        this.log = log;
        this.whenRun = whenRun;
    }

    /**
     * Backend, order and kernel of the last run, by the names of their keys; the backend 'auto' if nothing has run yet.
     */
    Map<String, Object> shown() {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("backend", name);
        shown.put("order", order);
        shown.put("kernel", kernel);
        return shown;
    }

    /** Begins the runs of the call. */
    void begin() {
        if (!name.equals(CHOOSES)) {
            runsOn(name, reason);
        }
    }

    @Override
    public void runsOn(String backend, String why) {
        name = backend;
        order = UNORDERED;
        kernel = NO_KERNELS;
        whenRun.accept(backend);
        if (logged.add(backend)) {
            log.accept("Backend " + backend + ": " + why);
        }
    }

    @Override
    public void runsWith(String newOrder, String newKernel, String why) {
        order = newOrder;
        kernel = newKernel;
        if (logged.add(newOrder + " " + newKernel)) {
            log.accept("Order " + newOrder + ", kernel " + newKernel + ": " + why);
        }
    }
}
