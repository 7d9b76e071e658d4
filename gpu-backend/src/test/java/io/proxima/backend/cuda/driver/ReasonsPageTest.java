// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.BackendInfo;
import io.proxima.backend.cuda.CudaBackends;
import io.proxima.backend.cuda.FakeDevices;
import io.proxima.backend.cuda.fake.FakeDriver;
import io.proxima.backend.device.Device;
import io.proxima.backend.device.DeviceFacts;
import io.proxima.backend.device.run.DeviceBackend;
import io.proxima.backend.device.run.DeviceProbe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The manual has a section for every reason why a device cannot be used, and for no other. */
class ReasonsPageTest {

    private static final Path PAGE = Path.of("../docs/modules/ROOT/pages/troubleshooting.adoc");
    private static final Pattern SECTION = Pattern.compile("(?m)^=== `\\+(.*?)…\\+`$");

    @TempDir
    private Path folder;

    @Test
    void shouldHaveASectionForEachReasonAndNoOther() throws IOException {
        List<String> sections = SECTION.matcher(Files.readString(PAGE))
                .results()
                .map((MatchResult section) -> section.group(1).strip())
                .toList();
        List<String> used = new ArrayList<>();
        for (String reason : reasons()) {
            List<String> fitting = sections.stream().filter(reason::startsWith).toList();
            assertThat(fitting).as("sections for: %s", reason).hasSize(1);
            used.addAll(fitting);
        }
        assertThat(used).as("sections whose reason is given").containsAll(sections);
    }

    /** Each reason of {@link DriverLibrary}, {@link CudaProbe}, {@link CudaBackends} and {@link Device}. */
    private List<String> reasons() throws IOException {
        List<String> reasons = new ArrayList<>();
        add(reasons, library("Windows 11", "amd64").missing(), "Windows 11 on amd64", "backend: 'cpu'");
        add(reasons, library("Linux", "aarch64").missing(), "Linux on aarch64", "backend: 'cpu'");
        add(reasons, linux().missing(), "version 525 or newer", "--gpus all", "backend: 'cpu'");
        Files.createFile(folder.resolve("libcuda.so.1"));
        UnsatisfiedLinkError error = new UnsatisfiedLinkError("Error while loading native library");
        error.initCause(new UnsatisfiedLinkError("wrong ELF class"));
        add(reasons, unlinked(error), "wrong ELF class", "nvidia-smi");
        CudaException unknown = new CudaException("cuInit", 999, "CUDA_ERROR_UNKNOWN");
        add(reasons, unlinked(unknown), "CUDA_ERROR_UNKNOWN (999) in cuInit", "nvidia-smi");
        CudaException none = new CudaException("cuInit", CudaException.NO_DEVICE, "CUDA_ERROR_NO_DEVICE");
        add(reasons, unlinked(none), "nvidia-smi", "CUDA_VISIBLE_DEVICES");
        FakeDriver old = new FakeDriver(11_080, FakeDriver.hopperFacts(1L << 30));
        add(reasons, CudaProbe.probe(linux(), () -> old).reason(), "11.8", "12.0", "version 525");
        FakeDriver empty = new FakeDriver(13_000);
        add(reasons, CudaProbe.probe(linux(), () -> empty).reason(), "nvidia-smi", "CUDA_VISIBLE_DEVICES");

        FakeDriver driver = new FakeDriver(
                13_000,
                new DeviceFacts("Tesla V100", 7, 0, 80, true, 99 << 10, 1L << 30),
                new DeviceFacts("GRID", 8, 6, 10, false, 99 << 10, 1L << 30),
                FakeDriver.hopperFacts(1L << 30),
                FakeDriver.hopperFacts(1L << 30));
        DeviceProbe probe = CudaProbe.probe(linux(), () -> driver);
        try (CudaBackends backends = FakeDevices.backends(probe, FakeDevices.ALL_MEMORY)) {
            backends.list().stream()
                    .map(BackendInfo::reason)
                    .filter(reason -> !reason.isEmpty())
                    .forEach(reasons::add);
        }
        // so that device 3 is not allowed, and device 9, the last row, does not exist
        try (CudaBackends backends = FakeDevices.backends(probe, FakeDevices.ALL_MEMORY.withDevices(List.of(2, 9)))) {
            reasons.add(backends.list().get(3).reason());
            reasons.add(backends.list().get(4).reason());
        }
        // never closed: nothing but the context of a device that has failed can be given back
        Device device = ((DeviceBackend) FakeDevices.backends(FakeDriver.hopper(1L << 30))
                        .choose()
                        .backend())
                .device();
        device.failed(new CudaException("cuLaunchKernel", 719, "CUDA_ERROR_LAUNCH_FAILED"));
        reasons.add(device.lost());
        for (int code : new int[] {46, CudaException.OUT_OF_MEMORY}) {
            FakeDriver refusing = FakeDriver.hopper(1L << 30);
            refusing.refuseToOpen(code);
            try (CudaBackends backends = FakeDevices.backends(refusing)) {
                reasons.add(backends.list().get(0).reason());
            }
        }
        FakeDriver full = FakeDriver.hopper(1L << 30);
        full.holdByOthers(1L << 30);
        try (CudaBackends backends = FakeDevices.backends(full)) {
            add(reasons, backends.list().get(0).reason(), "only 0 of 1,073,741,824 bytes", "nvidia-smi");
        }
        return reasons;
    }

    private static void add(List<String> reasons, String reason, String... words) {
        assertThat(reason).contains(words);
        reasons.add(reason);
    }

    /** The reason if the driver's library cannot be linked or started. */
    private String unlinked(Throwable failure) {
        return CudaProbe.probe(linux(), () -> {
                    if (failure instanceof Error error) {
                        throw error;
                    }
                    throw (CudaException) failure;
                })
                .reason();
    }

    private DriverLibrary linux() {
        return library("Linux", "amd64");
    }

    private DriverLibrary library(String osName, String osArch) {
        return new DriverLibrary(
                osName, osArch, folder.toString(), folder.resolve("ld.so.cache"), List.of(folder.resolve("nothing")));
    }
}
