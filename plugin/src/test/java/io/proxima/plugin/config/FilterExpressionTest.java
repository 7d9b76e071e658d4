// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.proxima.concurrent.Stop;
import io.proxima.plugin.ProximaException;
import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The faults, to the letter, are in the table of bad calls. */
class FilterExpressionTest {

    /** What follows the arrow are the sets of labels, out of -, A, B and AB, that pass. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '>',
            value = {
                "* > - A B AB",
                "n:A > A AB",
                "n:A:B > AB",
                "n:A OR n:B > A B AB",
                "n:A and n:B > AB",
                "n:A XOR n:B > A B",
                "n:A XOR n:B XOR n:A > B AB",
                "NOT n:A > - B",
                "NOT NOT n:A > A AB",
                "NOT n:A AND n:B > B",
                "NOT (n:A AND n:B) > - A B",
                "n:B OR n:A AND n:B > B AB",
                "(n:B OR n:A) AND n:B > B AB",
                "n:A OR n:B XOR n:B > A AB",
                "TRUE > - A B AB",
                "false OR n : `A` > A AB",
                "\t( ( n:A ) ) > A AB",
            })
    void shouldLetPass(String filter, String passing) {
        FilterExpression expression = parse(filter);
        String actual = java.util.stream.Stream.of("-", "A", "B", "AB")
                .filter(labels -> expression.test(labels::contains))
                .collect(Collectors.joining(" "));
        assertThat(actual).isEqualTo(passing);
    }

    @Test
    void shouldTellTheNames() {
        assertThat(parse("n:A OR NOT (n:`b``c d` OR n:A) AND n:_x1").names()).containsExactly("A", "b`c d", "_x1");
        assertThat(parse("*").names()).isEmpty();
    }

    @Test
    void shouldTakeLongChainsButNoDeepNests() {
        String chain = IntStream.range(0, 100_000).mapToObj(i -> "n:L" + i).collect(Collectors.joining(" OR "));
        assertThat(parse(chain).test("L99999"::equals)).isTrue();
        for (String deep : new String[] {"(".repeat(100_000), "NOT ".repeat(100_000)}) {
            assertThatThrownBy(() -> parse(deep + "n:A"))
                    .isInstanceOf(ProximaException.class)
                    .hasMessage("`nodeFilter` is nested more than 100 deep. Simplify it.");
        }
    }

    @Test
    void shouldTakeLongNames() {
        String label = "L".repeat(20_000);
        assertThat(parse("n:`" + label + "``x`").names()).containsExactly(label + "`x");
        assertThat(parse("n:" + label).names()).containsExactly(label);
        assertThatThrownBy(() -> parse("n:`" + label))
                .isInstanceOf(ProximaException.class)
                .hasMessageStartingWith(
                        "`nodeFilter` is not a valid filter: expected a name, but found ``` at character 3");
    }

    @Test
    void shouldReadLongGapsInLinearTime() {
        String gap = " ".repeat(1_000_000);
        assertTimeoutPreemptively(
                Duration.ofMinutes(2),
                () -> assertThat(parse(gap + "n:" + gap + "A" + gap).names()).containsExactly("A"));
    }

    @Test
    void shouldCountTheTerms() {
        assertThat(parse("*").termCount()).isZero();
        assertThat(parse("n:A:B OR NOT (n:A XOR TRUE)").termCount()).isEqualTo(4);
    }

    private static FilterExpression parse(String filter) {
        return FilterExpression.parse(new ArgumentBudget(Stop.NEVER, null), "nodeFilter", "n", filter);
    }
}
