// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.plugin.ProximaException;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
        FilterExpression expression = FilterExpression.parse(ArgumentBudget.unlimited(), "nodeFilter", "n", filter);
        String actual = java.util.stream.Stream.of("-", "A", "B", "AB")
                .filter(labels -> expression.test(labels::contains))
                .collect(Collectors.joining(" "));
        assertThat(actual).isEqualTo(passing);
    }

    @Test
    void shouldTellTheNames() {
        assertThat(FilterExpression.parse(
                                ArgumentBudget.unlimited(),
                                "relationshipFilter",
                                "r",
                                "r:A OR NOT (r:`b``c d` OR r:A) AND r:_x1")
                        .names())
                .containsExactly("A", "b`c d", "_x1");
        assertThat(FilterExpression.parse(ArgumentBudget.unlimited(), "nodeFilter", "n", "*")
                        .names())
                .isEqualTo(Set.of());
    }

    @Test
    void shouldTakeLongChainsButNoDeepNests() {
        String chain = IntStream.range(0, 100_000).mapToObj(i -> "n:L" + i).collect(Collectors.joining(" OR "));
        assertThat(FilterExpression.parse(ArgumentBudget.unlimited(), "nodeFilter", "n", chain)
                        .test("L99999"::equals))
                .isTrue();
        for (String deep : new String[] {"(".repeat(100_000), "NOT ".repeat(100_000)}) {
            assertThatThrownBy(
                            () -> FilterExpression.parse(ArgumentBudget.unlimited(), "nodeFilter", "n", deep + "n:A"))
                    .isInstanceOf(ProximaException.class)
                    .hasMessage("`nodeFilter` is nested more than 100 deep. Simplify it.");
        }
    }

    @Test
    void shouldTakeLongNames() {
        String label = "L".repeat(20_000);
        assertThat(FilterExpression.parse(ArgumentBudget.unlimited(), "nodeFilter", "n", "n:`" + label + "``x`")
                        .names())
                .containsExactly(label + "`x");
        assertThat(FilterExpression.parse(ArgumentBudget.unlimited(), "nodeFilter", "n", "n:" + label)
                        .names())
                .containsExactly(label);
        assertThatThrownBy(() -> FilterExpression.parse(ArgumentBudget.unlimited(), "nodeFilter", "n", "n:`" + label))
                .isInstanceOf(ProximaException.class)
                .hasMessageStartingWith(
                        "`nodeFilter` is not a valid filter: expected a name, but found ``` at character 3");
    }

    @Test
    void shouldCountTheTerms() {
        assertThat(FilterExpression.parse(ArgumentBudget.unlimited(), "nodeFilter", "n", "*")
                        .termCount())
                .isZero();
        assertThat(FilterExpression.parse(ArgumentBudget.unlimited(), "nodeFilter", "n", "n:A:B OR NOT (n:A XOR TRUE)")
                        .termCount())
                .isEqualTo(4);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '>',
            value = {
                "n.age = 5 > expected `:`, but found `.` at character 2 of `n.age = 5`.",
                "m:A > expected `n:` and a name, NOT, TRUE, FALSE or `(`, but found `m` at character 1 of `m:A`.",
                "n:A OR > expected `n:` and a name, NOT, TRUE, FALSE or `(`, but found the end of `n:A OR`.",
                "(n:A > expected `)`, but found the end of `(n:A`.",
                "n:A) > expected the end, but found `)` at character 4 of `n:A)`.",
                "n:* > expected a name, but found `*` at character 3 of `n:*`.",
                "* OR n:A > expected the end, but found `OR` at character 3 of `* OR n:A`.",
                "n:A|B > expected the end, but found `|` at character 4 of `n:A|B`.",
                "`n`:A > expected `n:` and a name, NOT, TRUE, FALSE or `(`, but found `n` at character 2 of ``n`:A`.",
            })
    void shouldSayWhereAFilterGoesWrong(String filter, String fault) {
        assertThatThrownBy(() -> FilterExpression.parse(ArgumentBudget.unlimited(), "nodeFilter", "n", filter))
                .isInstanceOf(ProximaException.class)
                .hasMessage("`nodeFilter` is not a valid filter: " + fault
                        + " Filters are '*', or `n:` and a label, combined by"
                        + " NOT, AND, XOR, OR and parentheses. They cannot refer to properties.");
    }

    @Test
    void shouldNotTakeNothing() {
        assertThatThrownBy(() -> FilterExpression.parse(ArgumentBudget.unlimited(), "relationshipFilter", "r", null))
                .hasMessage("`relationshipFilter` can not be null or blank, but it was `null`. Give '*' for all.");
        assertThatThrownBy(() -> FilterExpression.parse(ArgumentBudget.unlimited(), "relationshipFilter", "r", " "))
                .hasMessage("`relationshipFilter` can not be null or blank, but it was ` `. Give '*' for all.");
    }
}
