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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskSpaceTest {

    @Test
    void shouldLeaveHalfOfWhatOtherCallsLeave(@TempDir Path folder) throws IOException {
        long free = Files.getFileStore(folder).getUsableSpace();
        long most = free / 20 * 9;
        DiskSpace first = reserve(folder, most);
        assertThatThrownBy(() -> reserve(folder, most))
                .hasMessageMatching("The file would take " + most + " bytes, more than half of the \\d+ bytes that are"
                        + " free in \\Q" + folder + "\\E, without the " + most
                        + " bytes that running calls have reserved\\. Delete files\\.");
        try (DiskSpace less = reserve(folder, free / 5)) {
            assertThat(less).isNotSameAs(first);
        }
        first.close();
        first.close();
        reserve(folder, most).close();
        assertThatThrownBy(() -> reserve(folder, free / 20 * 11))
                .hasMessageMatching(".*bytes that are free in \\Q" + folder + "\\E\\. Delete files\\.");
    }

    private static DiskSpace reserve(Path folder, long bytes) {
        return DiskSpace.reserve(folder, bytes, "The file", "Delete files.");
    }
}
