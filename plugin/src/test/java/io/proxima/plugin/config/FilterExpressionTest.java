// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.proxima.concurrent.Stop;
import io.proxima.plugin.ProximaException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.neo4j.values.storable.Values;

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
                .filter(labels -> expression.test(bearing(expression, labels::contains)))
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
        assertThat(parse(chain).test(bearing(parse(chain), "L99999"::equals))).isTrue();
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
        assertThat(parse("n.x > 1 AND n.y IN [1, 2]").termCount()).isEqualTo(5);
    }

    /** What follows the arrow is the result for x = 2, y = 0.5 and no z. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '@',
            value = {
                "n.x = 2 @ true",
                "n.x = 2.0 AND 2 = n.x @ true",
                "n.x<>2 @ false",
                "n.y >.25 @ true",
                "n.y >= 5e-1 @ true",
                "-1 < -n.x @ error",
                "-3<n.x<=2.5 @ true",
                "3 > n.x > 2 @ false",
                "n.z = 1 @ unknown",
                "NOT n.z = 1 @ unknown",
                "n.z = 1 OR n.x = 2 @ true",
                "n.z = 1 XOR n.x = 2 @ unknown",
                "n.z = 1 AND n.x = 3 @ false",
                "n.z = NULL @ unknown",
                "n.z IS NULL @ true",
                "n.z is not null @ false",
                "exists(n.y) AND NOT exists ( n.z ) @ true",
                "n.x IN [1, 2.0, $two] @ true",
                "n.x IN [] OR n.z IN [] @ false",
                "n.x IN [1, null] @ unknown",
                "n.z IN [1] @ unknown",
                "NOT n.x IN [1, -2] @ true",
                "n.x IN $list AND n.x = $two @ true",
                "n.x < $none @ unknown",
                "n.`x` = 2 AND n:A @ true",
                "n.x + 1 = 3 @ error",
                "n.x = 'two' @ error",
                "n.x = true @ error",
                "n.x @ error",
                "n.x = 99999999999999999999 @ error",
                "n.x = 1e999 @ error",
                "n.x IN 2 @ error",
                "n.x = $list @ error",
                "n.x IN $two @ error",
                "n.x = $text @ error",
                "n.x = $three @ error",
            })
    void shouldCompareAsCypherDoes(String filter, String wanted) {
        Map<String, Object> parameters = new HashMap<>();
        parameters.put("two", 2L);
        parameters.put("list", List.of(1L, 2L));
        parameters.put("none", null);
        parameters.put("text", "two");
        ThrowingCallable parsing = () ->
                FilterExpression.parse(new ArgumentBudget(Stop.NEVER, null), "nodeFilter", "n", filter, parameters);
        if (wanted.equals("error")) {
            assertThatThrownBy(parsing).isInstanceOf(ProximaException.class).hasMessageContaining("nodeFilter");
            return;
        }
        FilterExpression expression =
                FilterExpression.parse(new ArgumentBudget(Stop.NEVER, null), "nodeFilter", "n", filter, parameters);
        int result = expression.condition().of(bearing(expression, "A"::equals));
        assertThat(result > 0 ? "true" : result < 0 ? "false" : "unknown").isEqualTo(wanted);
    }

    @Test
    void shouldCountTheHeapOfLists() {
        Map<String, List<Long>> many =
                Map.of("list", LongStream.range(0, 100_000).boxed().toList());
        FilterExpression filter =
                FilterExpression.parse(new ArgumentBudget(Stop.NEVER, null), "nodeFilter", "n", "n.x IN $list", many);
        assertThat(filter.bytes()).isBetween(5_000_000L, 20_000_000L);
        assertThat(filter.properties()).containsExactly("x");
    }

    /** An entity with some labels, and with x = 2, y = 0.5 and no z. */
    private static FilterExpression.Entity bearing(FilterExpression filter, Predicate<String> bears) {
        return new FilterExpression.Entity(
                name -> bears.test(filter.names().get(name)),
                property -> switch (filter.properties().get(property)) {
                    case "x" -> Values.longValue(2);
                    case "y" -> Values.doubleValue(0.5);
                    default -> null;
                },
                true);
    }

    private static FilterExpression parse(String filter) {
        return FilterExpression.parse(new ArgumentBudget(Stop.NEVER, null), "nodeFilter", "n", filter, Map.of());
    }
}
