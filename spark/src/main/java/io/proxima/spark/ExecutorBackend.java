// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.spark;

import io.proxima.backend.BackendSettings;
import io.proxima.backend.BackendUnavailableException;
import io.proxima.backend.RunObserver;
import io.proxima.backend.TraversalBackend;
import io.proxima.backend.select.TraversalBackends;
import io.proxima.backend.select.TraversalBackends.Selection;
import io.proxima.backend.select.TraversalBackends.Wanted;
import io.proxima.spark.ProximaSparkException.Reason;
import java.util.List;
import java.util.Map;
import org.apache.spark.TaskContext;
import org.apache.spark.resource.ResourceInformation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The backend of this executor: the GPU that Spark gives its tasks, otherwise the CPU. */
final class ExecutorBackend {

    private static final Logger LOG = LoggerFactory.getLogger(ExecutorBackend.class);
    private static final String GPU = "gpu";
    private static final String DEVICE_ORDER = "CUDA_DEVICE_ORDER";

    private static final TraversalBackends WITHOUT_GPU = TraversalBackends.ofThisHost(BackendSettings.DEFAULTS);

    // of this executor; null until the first task with a GPU; guarded by the class
    private static Integer device;
    private static TraversalBackends withDevice;

    private static final LoggedChoice SELECTION = new LoggedChoice();
    private static final LoggedChoice RUN = new LoggedChoice();

    private ExecutorBackend() {}

    /**
     * The backend of a task.
     *
     * @throws ProximaSparkException if it cannot run; the message says what to do
     */
    static TraversalBackend of(Wanted wanted, TaskContext context) {
        return of(wanted, context.resourcesJMap());
    }

    static TraversalBackend of(Wanted wanted, Map<String, ResourceInformation> resources) {
        if (wanted == Wanted.CPU) {
            return WITHOUT_GPU.select(wanted).backend();
        }
        ResourceInformation gpus = resources.get(GPU);
        if (gpus == null || gpus.addresses().length == 0) {
            if (wanted == Wanted.CUDA) {
                throw new ProximaSparkException(
                        Reason.BACKEND,
                        "The option `backend` is `cuda`, but Spark gives the task no GPU. Set"
                                + " spark.executor.resource.gpu.amount and spark.task.resource.gpu.amount to 1, and"
                                + " spark.executor.resource.gpu.discoveryScript; or set `backend` to auto.");
            }
            return WITHOUT_GPU.select(Wanted.CPU).backend();
        }
        TraversalBackends backends = withDevice(gpus.addresses());
        try {
            Selection selection = backends.select(wanted);
            SELECTION.log(selection.reason());
            return selection.backend();
        } catch (BackendUnavailableException e) {
            throw new ProximaSparkException(
                    Reason.BACKEND,
                    "The GPU " + device(gpus.addresses()) + " of the task cannot be used. " + e.getMessage()
                            + " Or set the option `backend` to auto, which falls back to the CPU.",
                    e);
        }
    }

    /** Logs on which backend the tasks search, and whether they fall back. */
    static RunObserver observer() {
        return (backend, reason) -> RUN.log("searches run on " + backend + ": " + reason);
    }

    /** A choice that is logged once, and when it changes. */
    private static final class LoggedChoice {
        private String last = "";

        synchronized void log(String choice) {
            if (!choice.equals(last)) {
                LOG.info("Proxima: {}", choice);
                last = choice;
            }
        }
    }

    private static synchronized TraversalBackends withDevice(String[] addresses) {
        int number = device(addresses);
        if (device == null) {
            if (!"PCI_BUS_ID".equals(System.getenv(DEVICE_ORDER))) {
                LOG.warn(
                        "Proxima: {} is not PCI_BUS_ID, so that the driver may number the GPUs otherwise than the discovery"
                                + " script. Set spark.executorEnv.{}=PCI_BUS_ID.",
                        DEVICE_ORDER,
                        DEVICE_ORDER);
            }
            withDevice = TraversalBackends.ofThisHost(settings().withDevices(List.of(number)));
            device = number;
        } else if (device != number) {
            throw new ProximaSparkException(
                    Reason.BACKEND,
                    "The executor has the GPUs " + device + " and " + number + ", but Proxima uses one GPU an executor."
                            + " Set spark.executor.resource.gpu.amount to 1, and start an executor for each GPU.");
        }
        return withDevice;
    }

    private static BackendSettings settings() {
        try {
            return BackendSettings.ofSystemProperties();
        } catch (IllegalArgumentException e) {
            throw new ProximaSparkException(
                    Reason.BACKEND,
                    "A system property of the executor is invalid: " + e.getMessage()
                            + ". Correct it in spark.executor.extraJavaOptions.",
                    e);
        }
    }

    private static int device(String[] addresses) {
        try {
            if (addresses.length == 1) {
                return Integer.parseUnsignedInt(addresses[0]);
            }
        } catch (NumberFormatException e) {
            // reported below
        }
        throw new ProximaSparkException(
                Reason.BACKEND,
                "Spark gives the task the GPUs `" + String.join(",", addresses)
                        + "`, but Proxima needs the number of one."
                        + " Set spark.task.resource.gpu.amount to 1, and let the discovery script print numbers, such as"
                        + " those of nvidia-smi's `index`.");
    }
}
