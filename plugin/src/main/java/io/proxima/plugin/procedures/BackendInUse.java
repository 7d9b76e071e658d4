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
package io.proxima.plugin.procedures;

import io.proxima.backend.RunObserver;
import io.proxima.backend.TraversalBackends.Selection;
import io.proxima.backend.TraversalBackends.Wanted;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Which backend a call runs on. A backend that was selected is the one that runs, but for the one that chooses for each
 * run: that one tells. Used by the calling thread only.
 */
final class BackendInUse implements RunObserver {

    /** Name of the backend that chooses. */
    private static final String CHOOSES = Wanted.AUTO.name().toLowerCase(Locale.ROOT);

    private final Selection selection;
    private final Consumer<String> log;
    private final Consumer<String> whenRun;
    private final Set<String> told = new HashSet<>();
    private String name;

    /**
     * Begins with the selected backend.
     *
     * @param log takes one line for each backend that the call runs on, with the reason
     * @param whenRun is told the name of the backend that a run goes to
     */
    BackendInUse(Selection selection, Consumer<String> log, Consumer<String> whenRun) {
        this.selection = selection;
        this.log = log;
        this.whenRun = whenRun;
        this.name = selection.backend().info().name();
    }

    /** The backend of the last run; 'auto' if it was left to choose and nothing has run. */
    String name() {
        return name;
    }

    /** Tells that the runs of the call begin. */
    void begin() {
        if (!name.equals(CHOOSES)) {
            runsOn(name, selection.reason());
        }
    }

    @Override
    public void runsOn(String backend, String reason) {
        name = backend;
        whenRun.accept(backend);
        if (told.add(backend)) {
            log.accept("Backend " + backend + ": " + reason);
        }
    }
}
