// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.device;

import io.proxima.backend.cuda.driver.Driver.DeviceFacts;
import java.util.Arrays;
import java.util.function.BiPredicate;

/**
 * A number on which only the speed of kernels depends: neither results nor sizes of allocations. The best value differs between
 * device models; {@link Tuning} has one value of each parameter. Each parameter is a single instance, owned by the family whose
 * kernels read it and compared by identity.
 */
public final class TuningParameter {

    /** Factors between a value and its neighbours. */
    private static final double[] STEPS = {0.25, 0.5, Math.sqrt(0.5), Math.sqrt(2), 2, 4};

    private static final double LEAST_COST = 1e-6;
    private static final double MOST_COST = 1e6;

    /** The multiprocessors of the H200, on which the default values were measured. */
    private static final double MULTIPROCESSORS_MEASURED = 132;

    private final String key;
    private final String unit;
    private final String description;
    private final Values values;
    private final double measured;
    private final double least;
    private final double most;
    private final BiPredicate<Integer, DeviceFacts> fits;

    /** The kind of a parameter's values, and how they carry over from the H200. */
    private enum Values {
        WHOLE,
        POWERS_OF_TWO,
        /** A time. */
        COST,
        /** A time that is longer with fewer multiprocessors. */
        SHARED_COST
    }

    private TuningParameter(
            String key,
            String unit,
            String description,
            Values values,
            double measured,
            double least,
            double most,
            BiPredicate<Integer, DeviceFacts> fits) {
        this.key = key;
        this.unit = unit;
        this.description = description;
        this.values = values;
        this.measured = measured;
        this.least = least;
        this.most = most;
        this.fits = fits;
    }

    /**
     * A whole number.
     *
     * @param key its name for users and in files
     * @param unit the unit, in words
     * @param description one sentence for users
     * @param measured the value that was best on an H200
     * @param least the smallest value
     * @param most the largest value
     */
    public static TuningParameter whole(
            String key, String unit, String description, int measured, int least, int most) {
        return new TuningParameter(key, unit, description, Values.WHOLE, measured, least, most, (value, facts) -> true);
    }

    /** A power of two, as {@link #whole}. */
    public static TuningParameter powerOfTwo(
            String key, String unit, String description, int measured, int least, int most) {
        return powerOfTwo(key, unit, description, measured, least, most, (value, facts) -> true);
    }

    /**
     * A power of two, as {@link #whole}.
     *
     * @param fits whether a device supports a value
     */
    public static TuningParameter powerOfTwo(
            String key,
            String unit,
            String description,
            int measured,
            int least,
            int most,
            BiPredicate<Integer, DeviceFacts> fits) {
        return new TuningParameter(key, unit, description, Values.POWERS_OF_TWO, measured, least, most, fits);
    }

    /** A time in nanoseconds. */
    public static TuningParameter cost(String key, String description, double measured) {
        return new TuningParameter(
                key, "ns", description, Values.COST, measured, LEAST_COST, MOST_COST, (value, facts) -> true);
    }

    /** A time in nanoseconds of work that all multiprocessors share, inversely proportional to their number. */
    public static TuningParameter sharedCost(String key, String description, double measured) {
        return new TuningParameter(
                key, "ns", description, Values.SHARED_COST, measured, LEAST_COST, MOST_COST, (value, facts) -> true);
    }

    /** Its name for users and in files. */
    public String key() {
        return key;
    }

    public String unit() {
        return unit;
    }

    /** The description, one sentence. */
    public String description() {
        return description;
    }

    /** The default value for a device, derived from the value measured on an H200. */
    public double shipped(DeviceFacts facts) {
        return values == Values.SHARED_COST ? measured * MULTIPROCESSORS_MEASURED / facts.multiprocessors() : measured;
    }

    /** Whether a device supports a value. */
    public boolean allows(double value, DeviceFacts facts) {
        return value >= least && value <= most && nearest(value) == value && fits.test((int) value, facts);
    }

    /** The neighbours of a value that calibration tries, ascending. */
    public double[] near(double value, DeviceFacts facts) {
        return Arrays.stream(STEPS)
                .map(step -> nearest(step * value))
                .filter(candidate -> candidate != value && allows(candidate, facts))
                .distinct()
                .toArray();
    }

    private double nearest(double value) {
        return switch (values) {
            case WHOLE -> Math.rint(value);
            case POWERS_OF_TWO -> Integer.highestOneBit((int) Math.rint(value));
            case COST, SHARED_COST -> value;
        };
    }

    @Override
    public String toString() {
        return key;
    }
}
