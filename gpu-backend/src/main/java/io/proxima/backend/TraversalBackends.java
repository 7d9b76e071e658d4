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

import io.proxima.backend.cpu.CpuBackend;
import java.util.List;

/** Chooses the backend; the only place that names concrete ones. */
public final class TraversalBackends {

    private static final TraversalBackend CPU = new CpuBackend();

    private static final String NO_CUDA = "This build of Proxima has no CUDA backend."
            + " Use backend: 'cpu' or 'auto', or install a build with the CUDA backend.";

    private TraversalBackends() {}

    /** Every backend this build knows, those that cannot run here included, with the reason. */
    public static List<BackendInfo> list() {
        return List.of(CPU.info(), new BackendInfo("cuda", false, NO_CUDA, "", "", 0, 0, ""));
    }

    /**
     * Chooses a backend.
     *
     * @param wanted what the caller asked for
     * @return the backend, owned by this class: not to be closed by the caller
     * @throws BackendUnavailableException if a certain backend was wanted and cannot run; says why and what to do
     */
    public static Selection select(Wanted wanted) {
        return switch (wanted) {
            case CPU -> new Selection(CPU, "The CPU backend was asked for.");
            case AUTO -> new Selection(CPU, NO_CUDA);
            case CUDA -> throw new BackendUnavailableException("The CUDA backend cannot run. " + NO_CUDA);
        };
    }

    /** The values of the configuration key {@code backend}. */
    public enum Wanted {
        /** The fastest that can run. */
        AUTO,
        /** An NVIDIA GPU or an error. */
        CUDA,
        /** The CPU. */
        CPU
    }

    /**
     * A backend and why it was taken.
     *
     * @param backend ready to load graphs
     * @param reason one sentence for the log
     */
    public record Selection(TraversalBackend backend, String reason) {}
}
