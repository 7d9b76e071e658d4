// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

import java.math.BigInteger;
import java.nio.ByteBuffer;

/**
 * A sum of numbers that does not depend on their order: an integer of 128 bits. The unit is a power of two, such that
 * the greatest number has {@value #GREATEST_BITS} bits; what is smaller than the unit is cut off, and the sum is
 * rounded once, at the end. So it differs from the exact sum by less than 2<sup>-95</sup> of the greatest number for
 * each number, before that rounding. near_far_sums.cuh has the same rule.
 */
public final class FixedSum {

    /** Bits of the greatest number. A sum of 2^31 numbers has at most 31 more. */
    private static final int GREATEST_BITS = 96;

    private static final int MANTISSA_BITS = 53;
    private static final int STORED_BITS = MANTISSA_BITS - 1;
    private static final long HIDDEN_BIT = 1L << STORED_BITS;

    /** A double is its mantissa times 2 to the power of its exponent, as the bits have it, less this. */
    private static final int EXPONENT_OF_UNITS = 1075;

    // as in the bits of a double; 1 for numbers below the least normal one
    private final int greatestExponent;
    private long high;
    private long low;

    /**
     * An empty sum.
     *
     * @param greatest no number is greater; finite and not negative
     */
    public FixedSum(double greatest) {
        this(greatest, 0, 0);
    }

    /**
     * The sum that a device has found.
     *
     * @param greatest as of {@link #FixedSum(double)}
     * @param high the upper half of the integer
     * @param low the lower half
     */
    public FixedSum(double greatest, long high, long low) {
        this.greatestExponent = exponent(Double.doubleToRawLongBits(greatest));
        this.high = high;
        this.low = low;
    }

    private static int exponent(long bits) {
        return (int) Math.max(1, bits >>> STORED_BITS);
    }

    /** Adds a number that is not negative and no greater than the greatest. */
    public void add(double number) {
        long bits = Double.doubleToRawLongBits(number);
        long mantissa = (bits & (HIDDEN_BIT - 1)) | (bits < HIDDEN_BIT ? 0 : HIDDEN_BIT);
        int shift = GREATEST_BITS - MANTISSA_BITS - (greatestExponent - exponent(bits));
        if (shift > 0) {
            addLow(mantissa << shift);
            high += mantissa >>> (Long.SIZE - shift);
        } else if (shift > -Long.SIZE) {
            addLow(mantissa >>> -shift);
        }
    }

    private void addLow(long more) {
        low += more;
        if (Long.compareUnsigned(low, more) < 0) {
            high++;
        }
    }

    /** The sum, rounded to the nearest double; infinite if it exceeds the greatest double. */
    public double value() {
        byte[] integer =
                ByteBuffer.allocate(2 * Long.BYTES).putLong(high).putLong(low).array();
        int unit = greatestExponent - EXPONENT_OF_UNITS - (GREATEST_BITS - MANTISSA_BITS);
        // rounds once: where the product is not normal, the integer has no more bits than a double
        return Math.scalb(new BigInteger(1, integer).doubleValue(), unit);
    }
}
