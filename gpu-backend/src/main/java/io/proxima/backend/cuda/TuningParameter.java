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
package io.proxima.backend.cuda;

import io.proxima.backend.cuda.Driver.DeviceFacts;
import java.util.Arrays;
import java.util.Optional;

/**
 * A number on which the speed of kernels depends and nothing else: neither a result nor the size of anything. Which value is
 * best differs from card to card; {@link Tuning} has one value of each.
 */
enum TuningParameter {
    /** The grid of a search of many small levels over BVSS, which is waited for at each of them. */
    SMALL_GRID(
            "smallGrid",
            "blocks a multiprocessor",
            "Grid of a search of many small levels over slice sets, at most.",
            2,
            Kind.WHOLE,
            1,
            16);

    /** A neighbouring value is so many times as large. */
    private static final double[] STEPS = {0.25, 0.5, Math.sqrt(0.5), Math.sqrt(2), 2, 4};

    private final String key;
    private final String unit;
    private final String description;
    private final double shipped;
    private final Kind kind;
    private final double least;
    private final double most;

    TuningParameter(String key, String unit, String description, double shipped, Kind kind, double least, double most) {
        this.key = key;
        this.unit = unit;
        this.description = description;
        this.shipped = shipped;
        this.kind = kind;
        this.least = least;
        this.most = most;
    }

    /** Which values there are between the least and the most. */
    private enum Kind {
        /** Whole numbers. */
        WHOLE
    }

    /** The parameter of that key. */
    static Optional<TuningParameter> of(String key) {
        return Arrays.stream(values())
                .filter(parameter -> parameter.key.equals(key))
                .findFirst();
    }

    /** Its name for users and in files. */
    String key() {
        return key;
    }

    String unit() {
        return unit;
    }

    /** What it is, one sentence. */
    String description() {
        return description;
    }

    /** The value that was measured on an H200. */
    double shipped() {
        return shipped;
    }

    /** Whether it can have that value on a device. */
    boolean allows(double value, DeviceFacts facts) {
        return value >= least && value <= most && nearest(value) == value;
    }

    /** Values worth trying beside one that it has, ascending. */
    double[] near(double value, DeviceFacts facts) {
        return Arrays.stream(STEPS)
                .map(step -> nearest(step * value))
                .filter(candidate -> candidate != value && allows(candidate, facts))
                .distinct()
                .toArray();
    }

    private double nearest(double value) {
        return switch (kind) {
            case WHOLE -> Math.rint(value);
        };
    }
}
