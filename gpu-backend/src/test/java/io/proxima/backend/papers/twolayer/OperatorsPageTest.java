// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.papers.twolayer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The example of the manual's page on operators is the one that is compiled and checked, and short. */
class OperatorsPageTest {

    private static final Path PAGE = Path.of("../docs/modules/ROOT/pages/operators.adoc");
    private static final Path EXAMPLE = Path.of("src/test/cuda/operators_example.cuh");
    private static final Pattern BLOCK = Pattern.compile("(?s)\\[source,c\\+\\+]\\n----\\n(.*?)\\n----");
    private static final int MOST_LINES = 60;

    @Test
    void shouldShowTheExampleThatIsChecked() throws IOException {
        Matcher block = BLOCK.matcher(Files.readString(PAGE));
        assertThat(block.find()).isTrue();
        assertThat(Files.readString(EXAMPLE)).contains(block.group(1));
        assertThat(block.group(1).lines()).hasSizeLessThanOrEqualTo(MOST_LINES);
    }
}
