// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.device;

import io.proxima.backend.cuda.driver.Driver.DeviceFacts;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A value of each {@link TuningParameter}. Immutable; equal to another with the same values. */
public final class Tuning {

    private final Map<TuningParameter, Double> values;

    private Tuning(Map<TuningParameter, Double> values) {
        this.values = values;
    }

    /**
     * The default values for a device. They were measured with compute capability 9.0, on an H200: docs/benchmarks. Other devices
     * use the same values until they are calibrated, with costs scaled by the number of multiprocessors.
     */
    public static Tuning shipped(DeviceFacts facts, List<TuningParameter> parameters) {
        Map<TuningParameter, Double> values = new LinkedHashMap<>();
        for (TuningParameter parameter : parameters) {
            values.put(parameter, parameter.shipped(facts));
        }
        return new Tuning(values);
    }

    /**
     * A copy with another value.
     *
     * @throws IllegalArgumentException if the value is not allowed on the device
     */
    public Tuning with(TuningParameter parameter, double value, DeviceFacts facts) {
        if (!parameter.allows(value, facts)) {
            throw new IllegalArgumentException("the value of " + parameter.key() + " is out of range: " + value);
        }
        Map<TuningParameter, Double> changed = new LinkedHashMap<>(values);
        changed.put(parameter, value);
        return new Tuning(changed);
    }

    /** The parameters that have values, in their order. */
    public Set<TuningParameter> parameters() {
        return Collections.unmodifiableSet(values.keySet());
    }

    /** The value of a parameter. */
    public double get(TuningParameter parameter) {
        return values.get(parameter);
    }

    /** The value of a parameter, as an integer. */
    public int whole(TuningParameter parameter) {
        return (int) get(parameter);
    }

    /** The value of a parameter, as kernels read it. */
    public float real(TuningParameter parameter) {
        return (float) get(parameter);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Tuning tuning && tuning.values.equals(values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return values.toString();
    }
}
