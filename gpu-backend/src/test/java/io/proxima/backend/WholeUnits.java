// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

import java.math.BigInteger;
import java.util.stream.DoubleStream;

/**
 * What {@link FixedSum} must give, by integers of any length. Decimal ones of a thousand digits take 50 times as long.
 */
public final class WholeUnits {

    private static final int STORED_BITS = 52;

    private WholeUnits() {}

    /** The exponent of the unit of which the greatest number has 96 bits. */
    public static int unit(double greatest) {
        return Math.max(Double.MIN_EXPONENT, Math.getExponent(greatest)) - 95;
    }

    /**
     * The sum of the whole units in each number.
     *
     * @param numbers finite and not negative
     * @param unit the exponent of the unit, which is a power of two
     */
    public static BigInteger sum(DoubleStream numbers, int unit) {
        return numbers.mapToObj(number -> {
                    int exponent = Math.max(Double.MIN_EXPONENT, Math.getExponent(number)) - STORED_BITS;
                    return BigInteger.valueOf((long) Math.scalb(number, -exponent))
                            .shiftLeft(exponent - unit);
                })
                .reduce(BigInteger.ZERO, BigInteger::add);
    }
}
