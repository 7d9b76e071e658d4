// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.backend.BackendInfo;
import io.proxima.backend.BackendSettings;
import io.proxima.backend.DeviceUse;
import io.proxima.backend.RunOptions;
import io.proxima.backend.cuda.CudaBackends;
import io.proxima.backend.cuda.FakeDevices;
import io.proxima.backend.cuda.fake.CheckedDriver;
import io.proxima.backend.cuda.fake.FakeDriver;
import io.proxima.backend.device.DeviceDriver;
import io.proxima.backend.device.DeviceFacts;
import io.proxima.backend.device.DriverException;
import io.proxima.backend.device.run.DeviceProbe;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CudaProbeTest {

    @TempDir
    private Path folder;

    @Test
    void shouldLookWhereTheDynamicLinkerLooks() throws IOException {
        assertThat(library("Linux", "amd64", "").missing()).isNotEmpty();
        Path driver = Files.createDirectory(folder.resolve("driver"));
        Files.createFile(driver.resolve("libcuda.so.1"));
        assertThat(library("Linux", "amd64", ":/nowhere:" + driver).missing()).isEmpty();
        assertThat(new DriverLibrary("Linux", "amd64", "", folder.resolve("none"), List.of(driver)).missing())
                .isEmpty();
        Path cache = folder.resolve("ld.so.cache");
        Files.write(cache, "ld.so-1.7.0\0/usr/lib/libcudart.so.12\0".getBytes(StandardCharsets.ISO_8859_1));
        assertThat(library("Linux", "amd64", "").missing()).isNotEmpty();
        Files.write(cache, "ld.so-1.7.0\0/usr/lib/libcuda.so.1\0".getBytes(StandardCharsets.ISO_8859_1));
        assertThat(library("Linux", "amd64", "").missing()).isEmpty();
    }

    @Test
    void shouldListARowForEachDeviceAndSayWhichCannotBeUsed() throws IOException {
        FakeDriver driver = new FakeDriver(
                12_040,
                new DeviceFacts("Tesla V100", 7, 0, 80, true, 99 << 10, 1L << 28),
                new DeviceFacts("GRID", 8, 6, 10, false, 99 << 10, 1L << 28),
                FakeDriver.hopperFacts(FakeDevices.PLENTY));
        DeviceProbe probe = probe(driver);
        assertThat(probe.reason()).isEmpty();
        try (CudaBackends backends = FakeDevices.backends(probe, FakeDevices.ALL_MEMORY)) {
            List<BackendInfo> rows = backends.list();
            assertThat(rows).extracting(BackendInfo::name).containsExactly("cuda:0", "cuda:1", "cuda:2");
            assertThat(rows).extracting(BackendInfo::available).containsExactly(false, false, true);
            assertThat(rows).extracting(BackendInfo::driverVersion).containsOnly("12.4");
            assertThat(rows.get(0).reason()).contains("compute capability is 7.0", "8.0");
            assertThat(rows.get(1).reason()).contains("cooperative");
            assertThat(rows.get(2).reason()).isEmpty();
            assertThat(rows.get(2).computeCapability()).isEqualTo("9.0");
            assertThat(rows.get(2).freeBytes()).isEqualTo(FakeDevices.PLENTY);
            assertThat(backends.choose().backend().info().name()).isEqualTo("cuda:2");
        }
        assertThat(driver.device().isClosed()).isTrue();
    }

    @Test
    void shouldTakeOnlyTheDevicesThatAreAllowedInTheirOrder() {
        FakeDriver driver = FakeDriver.hoppers(3, FakeDevices.PLENTY);
        try (CudaBackends backends = allowing(driver, 2, 5, 0)) {
            assertThat(backends.use()).isEmpty();
            assertThat(backends.choose().backend().info().name()).isEqualTo("cuda:2");
            assertThat(backends.use()).extracting(DeviceUse::name).containsExactly("cuda:2");
            assertThat(backends.chooseAll().backend().info().totalBytes()).isEqualTo(2 * FakeDevices.PLENTY);
            List<BackendInfo> rows = backends.list();
            assertThat(rows).extracting(BackendInfo::name).containsExactly("cuda:0", "cuda:1", "cuda:2", "cuda:5");
            assertThat(rows).extracting(BackendInfo::available).containsExactly(true, false, true, false);
            assertThat(rows.get(1).reason())
                    .isEqualTo("The setting server.proxima.devices excludes the device: it lists only [2, 5, 0]. Add"
                            + " the device to the setting and restart the server.");
            assertThat(rows.get(3).reason())
                    .startsWith("The setting server.proxima.devices lists device 5, but the driver reports 3 devices");
        }
        try (CudaBackends backends = allowing(driver, 7)) {
            assertThat(backends.choose().backend()).isNull();
            assertThat(backends.choose().reason()).startsWith("cuda:7: The setting server.proxima.devices lists");
        }
        try (CudaBackends backends = allowing(driver)) {
            assertThat(backends.choose().backend().info().name()).isEqualTo("cuda:0");
        }
    }

    private static CudaBackends allowing(FakeDriver driver, Integer... ordinals) {
        BackendSettings settings = FakeDevices.ALL_MEMORY.withDevices(List.of(ordinals));
        return FakeDevices.backends(driver, FakeDevices.policy(RunOptions.AUTO, settings));
    }

    @Test
    void shouldTakeTheDeviceThatIsNamed() throws IOException {
        FakeDriver driver = new FakeDriver(
                12_040,
                FakeDriver.hopperFacts(FakeDevices.PLENTY),
                FakeDriver.hopperFacts(FakeDevices.PLENTY),
                new DeviceFacts("Tesla V100", 7, 0, 80, true, 99 << 10, 1L << 28));
        DeviceProbe probe = probe(driver);
        try (CudaBackends backends = FakeDevices.backends(probe, FakeDevices.ALL_MEMORY)) {
            assertThat(backends.choose().backend().info().name()).isEqualTo("cuda:0");
            assertThat(backends.choose("cuda:1").backend().info().name()).isEqualTo("cuda:1");
            assertThat(backends.use()).extracting(DeviceUse::name).containsExactly("cuda:0", "cuda:1");
            assertThat(backends.choose("cuda:2").backend()).isNull();
            assertThat(backends.choose("cuda:2").reason()).contains("compute capability is 7.0");
            assertThat(backends.choose("cuda:3").reason())
                    .isEqualTo("There is no device 'cuda:3'. The devices are [cuda:0, cuda:1, cuda:2].");
        }
        try (CudaBackends backends = FakeDevices.backends(probe, FakeDevices.ALL_MEMORY.withDevices(List.of(0)))) {
            assertThat(backends.choose("cuda:1").backend()).isNull();
            assertThat(backends.choose("cuda:1").reason())
                    .startsWith("The setting server.proxima.devices excludes the device: it lists only [0].");
        }
    }

    @Test
    void shouldTellThatADeviceIsFullAndTryAgainLater() {
        FakeDriver driver = FakeDriver.hopper(1L << 30);
        driver.holdByOthers((1L << 30) - 1000);
        try (CudaBackends backends = FakeDevices.backends(driver)) {
            assertThat(backends.choose().backend()).isNull();
            assertThat(backends.choose().reason())
                    .contains("cuda:0: The device is full: only 1,000 of 1,073,741,824 bytes are free")
                    .contains("nvidia-smi");
            assertThat(backends.list().get(0).available()).isFalse();
            assertThat(driver.device().isClosed()).isTrue();
            driver.holdByOthers(0);
            assertThat(backends.choose().backend()).isNotNull();
        }
    }

    @Test
    void shouldCloseAllDevicesEvenIfOneFails() {
        for (int failing : new int[] {0, 1}) {
            FakeDriver driver = FakeDriver.hoppers(2, 1L << 30);
            CudaBackends backends = FakeDevices.backends(driver);
            assertThat(backends.openAll()).hasSize(2);
            driver.device(failing).fail(call -> call.equals("freeHost") ? 719 : 0);
            assertThatThrownBy(backends::close).isInstanceOf(DriverException.class);
            assertThat(driver.device(0).isClosed()).isTrue();
            assertThat(driver.device(1).isClosed()).isTrue();
            assertThat(backends.openAll()).hasSize(2);
            assertThat(driver.openedCount()).isEqualTo(4);
            backends.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"allocateHost", "createMark", "freeBytes"})
    void shouldTellWhichCallFailedWhileADeviceWasOpened(String failing) {
        FakeDriver driver = FakeDriver.hopper(1L << 30);
        try (CudaBackends backends = FakeDevices.backends(driver)) {
            driver.fail(call -> call.equals(failing) ? 719 : 0);
            assertThat(backends.choose().reason()).contains("CUDA_ERROR_719 (719) in " + failing + ".");
            assertThat(driver.device().isClosed()).isTrue();
            driver.fail(CheckedDriver.Faults.NONE);
            assertThat(backends.choose().backend()).isNotNull();
        }
    }

    /** It is no memory of the device. */
    @Test
    void shouldNotCallADeviceFullIfTheHostCannotPageLock() {
        FakeDriver driver = FakeDriver.hopper(1L << 30);
        try (CudaBackends backends = FakeDevices.backends(driver)) {
            driver.refuse("allocateHost");
            assertThat(backends.choose().reason())
                    .contains("CUDA_ERROR_2 (2) in allocateHost. The host has too little memory", "backend: 'cpu'")
                    .doesNotContain("bytes are free");
        }
    }

    @Test
    void shouldSayThatTheDriverCannotTellItsVersion() throws IOException {
        FakeDriver driver = FakeDriver.hopper(1L << 30);
        Driver mute = new Driver() {
            @Override
            public int version() {
                throw new CudaException("cuDriverGetVersion", 999, "CUDA_ERROR_UNKNOWN");
            }

            @Override
            public int deviceCount() {
                return driver.deviceCount();
            }

            @Override
            public DeviceFacts facts(int ordinal) {
                return driver.facts(ordinal);
            }

            @Override
            public DeviceDriver open(int ordinal) {
                return driver.open(ordinal);
            }
        };
        assertThat(probe(mute).reason())
                .startsWith("The NVIDIA driver failed to start: ")
                .contains("(999) in cuDriverGetVersion");
    }

    private DeviceProbe probe(Driver driver) throws IOException {
        return CudaProbe.probe(present(), () -> driver);
    }

    private DriverLibrary library(String osName, String osArch, String libraryPath) {
        return new DriverLibrary(
                osName, osArch, libraryPath, folder.resolve("ld.so.cache"), List.of(folder.resolve("nothing")));
    }

    private DriverLibrary present() throws IOException {
        Path file = folder.resolve("libcuda.so.1");
        if (Files.notExists(file)) {
            Files.createFile(file);
        }
        return library("Linux", "amd64", folder.toString());
    }
}
