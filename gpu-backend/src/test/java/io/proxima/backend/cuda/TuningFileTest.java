// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.cuda.device.Tuning;
import io.proxima.backend.cuda.device.TuningFile;
import io.proxima.backend.cuda.device.TuningParameter;
import io.proxima.backend.cuda.driver.Driver;
import io.proxima.backend.cuda.family.bvss.BvssLevelKernels;
import io.proxima.backend.cuda.family.directional.DirectionalLevelKernels;
import io.proxima.backend.cuda.kernel.KernelFamilies;
import io.proxima.backend.saved.SavedGraphs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TuningFileTest {

    private static final Driver.DeviceFacts FACTS = FakeDriver.hopperFacts(1L << 30);

    @TempDir
    private Path folder;

    private final List<String> log = new ArrayList<>();
    private final Tuning shipped = Tuning.shipped(FACTS, KernelFamilies.SHIPPED.numbers());
    private final Tuning other = shipped.with(BvssLevelKernels.SMALL_GRID, 3, FACTS)
            .with(DirectionalLevelKernels.PROBE, 0.1234567890123, FACTS);
    private SavedGraphs graphs;

    @BeforeEach
    void openFolder() throws IOException {
        graphs = SavedGraphs.in(folder, log::add);
    }

    private Path file() {
        return folder.resolve("tuning-fake-h200-sm90.txt");
    }

    @Test
    void shouldReadWhatWasWritten() {
        assertThat(new TuningFile(graphs, FACTS, shipped).save(other)).isTrue();
        assertThat(new TuningFile(graphs, FACTS, shipped).load()).isEqualTo(other);
        assertThat(file()).exists();
        assertThat(folder).isDirectoryNotContaining("glob:**.unfinished");
        assertThat(log).isEmpty();
    }

    @Test
    void shouldReplaceTheFileThatIsThere() {
        new TuningFile(graphs, FACTS, shipped).save(shipped);
        new TuningFile(graphs, FACTS, shipped).save(other);
        assertThat(new TuningFile(graphs, FACTS, shipped).load()).isEqualTo(other);
    }

    @Test
    void shouldTakeWhatShipsWhereNothingIsKept() {
        assertThat(new TuningFile(graphs, FACTS, shipped).load()).isEqualTo(shipped);
        assertThat(log).isEmpty();
    }

    @Test
    void shouldKeepAFileForEachKindOfDevice() {
        new TuningFile(graphs, FACTS, shipped).save(other);
        Driver.DeviceFacts ampere = new Driver.DeviceFacts("NVIDIA A100-SXM4", 8, 0, 108, true, 163 << 10, 1L << 30);
        assertThat(new TuningFile(graphs, ampere, Tuning.shipped(ampere, KernelFamilies.SHIPPED.numbers())).load())
                .isEqualTo(Tuning.shipped(ampere, KernelFamilies.SHIPPED.numbers()));
        assertThat(log).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "proxima-tuning 1 | proxima-tuning 2 | line 1 must be 'proxima-tuning 1' but is 'proxima-tuning 2'",
                "device Fake H200 | device Fake | line 2 must be 'device Fake H200' but is 'device Fake'",
                "kernels [0-9a-f]+ | kernels 12 | line 4 must be 'kernels",
                "smallGrid 3.0 | smallGrid 2.5 | line 'smallGrid 2.5' is invalid: the value of smallGrid is out of range",
                "smallGrid 3.0 | smallGrid NaN | the value of smallGrid is out of range: NaN",
                "smallGrid 3.0 | smallGrid x | line 'smallGrid x' is invalid",
                "smallGrid 3.0 | smallGrid 3.0 3 | line 'smallGrid 3.0 3' is invalid",
                "smallGrid 3.0 | probeless 3 | line 'probeless 3' is invalid",
                "smallGrid 3.0\\n | '' | these parameters are missing: [smallGrid]",
                "(smallGrid 3.0)\\n | $1\\n$1\\n | line 'smallGrid 3.0' is invalid",
                "(?s)proxima.* | '' | line 1 must be 'proxima-tuning 1' but is missing",
            })
    void shouldIgnoreAFileThatIsNotRight(String part, String instead, String why) throws IOException {
        new TuningFile(graphs, FACTS, shipped).save(other);
        String text = Files.readString(file());
        Files.writeString(file(), text.replaceFirst(part, instead.replace("\\n", "\n")));
        assertThat(new TuningFile(graphs, FACTS, shipped).load()).isEqualTo(shipped);
        assertThat(log).singleElement().satisfies(line -> assertThat(line)
                .startsWith("The tuning parameters in tuning-fake-h200-sm90.txt are not used: ")
                .contains(why)
                .contains("call proxima.backend.calibrate()"));
    }

    @Test
    void shouldIgnoreAFileThatIsNoText() throws IOException {
        Files.write(file(), new byte[] {(byte) 0xff, (byte) 0xfe, 0});
        assertThat(new TuningFile(graphs, FACTS, shipped).load()).isEqualTo(shipped);
        Files.write(file(), new byte[1 << 20]);
        assertThat(new TuningFile(graphs, FACTS, shipped).load()).isEqualTo(shipped);
        assertThat(log).hasSize(2).allMatch(line -> line.contains(file().toString()));
    }

    @Test
    void shouldSayThatAFileCannotBeWritten() throws IOException {
        Files.createDirectory(file());
        Files.writeString(file().resolve("full"), "x");
        assertThat(new TuningFile(graphs, FACTS, shipped).save(other)).isFalse();
        assertThat(log).singleElement().asString().contains("tuning-fake-h200-sm90.txt");
        assertThat(folder).isDirectoryNotContaining("glob:**.unfinished");
    }

    @Test
    void shouldHaveShippedValuesThatEveryDeviceAllows() {
        for (int multiprocessors : new int[] {1, 16, 132, 400}) {
            Driver.DeviceFacts facts = new Driver.DeviceFacts("any", 8, 0, multiprocessors, true, 99 << 10, 1L << 30);
            for (TuningParameter parameter : KernelFamilies.SHIPPED.numbers()) {
                double value = parameter.shipped(facts);
                assertThat(parameter.allows(value, facts)).as(parameter.key()).isTrue();
                assertThat(parameter.near(value, facts)).as(parameter.key()).isNotEmpty();
                for (double near : parameter.near(value, facts)) {
                    assertThat(parameter.allows(near, facts)).isTrue();
                    assertThat(near).isNotEqualTo(value);
                }
            }
        }
    }
}
