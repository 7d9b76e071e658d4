// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class FixedSumTest {

    /** What is cut off is less than a unit of each number: without it, the sum is exact, and rounded once. */
    @Property(tries = 1000)
    void shouldSumInUnitsOfTheGreatestNumber(
            @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 60) int count,
            @ForAll @IntRange(max = 2046) int exponent,
            @ForAll @IntRange(max = 200) int spread) {
        Random random = new Random(seed);
        double[] numbers = random.doubles(count)
                .map(number -> Double.longBitsToDouble((long) Math.max(0, exponent - random.nextInt(spread + 1)) << 52
                        | Double.doubleToRawLongBits(number) >>> 12))
                .toArray();
        double greatest = Arrays.stream(numbers).max().orElseThrow();
        int unit = WholeUnits.unit(greatest);
        BigInteger units = WholeUnits.sum(Arrays.stream(numbers), unit);
        BigDecimal ofUnit = BigDecimal.valueOf(unit < 0 ? 0.5 : 2).pow(Math.abs(unit));

        assertThat(sum(greatest, numbers))
                .isEqualTo(new BigDecimal(units).multiply(ofUnit).doubleValue());
        double[] backwards = new double[count];
        Arrays.setAll(backwards, i -> numbers[count - 1 - i]);
        assertThat(sum(greatest, backwards)).isEqualTo(sum(greatest, numbers));
    }

    @Example
    void shouldHoldAsManyNumbersAsThereAreNodes() {
        double greatest = Math.nextDown(2.0);
        BigInteger all =
                BigInteger.valueOf((1L << 53) - 1).shiftLeft(43).multiply(BigInteger.valueOf(Integer.MAX_VALUE));
        FixedSum sum = new FixedSum(greatest, all.shiftRight(Long.SIZE).longValue(), all.longValue());
        assertThat(sum.value()).isEqualTo(greatest * Integer.MAX_VALUE);
        sum.add(1);
        assertThat(sum.value()).isEqualTo(greatest * Integer.MAX_VALUE + 1);
    }

    @Example
    void shouldBeInfiniteBeyondTheGreatestDouble() {
        assertThat(sum(Double.MAX_VALUE, Double.MAX_VALUE, Double.MAX_VALUE)).isInfinite();
        assertThat(sum(Double.MIN_VALUE, Double.MIN_VALUE, Double.MIN_VALUE)).isEqualTo(2 * Double.MIN_VALUE);
        assertThat(sum(0)).isZero();
    }

    private static double sum(double greatest, double... numbers) {
        FixedSum sum = new FixedSum(greatest);
        Arrays.stream(numbers).forEach(sum::add);
        return sum.value();
    }
}
