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
 * A number on which the speed of kernels depends and nothing else: neither a result nor the size of anything on the device.
 * Which value is best differs from card to card; {@link Tuning} has one value of each.
 */
enum TuningParameter {
    /** What waits at each of many small levels. */
    SMALL_GRID(
            "smallGrid",
            "blocks a multiprocessor",
            "The largest grid of a search of many small levels over slice sets.",
            Kind.WHOLE,
            2,
            1,
            16),

    /** Of bfs_directional.cu. */
    SHARED_WORDS(
            "directional.sharedWords",
            "32-bit words a block",
            "The bits of the nodes of most relationships that a block keeps in shared memory.",
            Kind.SHARED_WORDS,
            2048,
            64,
            1 << 16),

    /** Field pushEdge of CostModel. */
    PUSH_EDGE(
            "directional.pushEdge",
            "ns",
            "What a relationship costs that is followed from the last level.",
            Kind.SPREAD_COST,
            0.008,
            Kind.LEAST_COST,
            Kind.MOST_COST),

    /** Field headSlot of CostModel. */
    HEAD_SLOT(
            "directional.headSlot",
            "ns",
            "What a node costs whose likely parents are asked whether they are in the last level.",
            Kind.SPREAD_COST,
            0.008,
            Kind.LEAST_COST,
            Kind.MOST_COST),

    /** Field probe of CostModel. */
    PROBE(
            "directional.probe",
            "ns",
            "What a further neighbour costs that is asked whether it is in the last level.",
            Kind.SPREAD_COST,
            0.004,
            Kind.LEAST_COST,
            Kind.MOST_COST),

    /** Field listSlot of CostModel. */
    LIST_SLOT(
            "directional.listSlot",
            "ns",
            "What a node costs that is taken from the list of those left.",
            Kind.SPREAD_COST,
            0.05,
            Kind.LEAST_COST,
            Kind.MOST_COST),

    /** Field sweep of CostModel. */
    SWEEP(
            "directional.sweep",
            "ns",
            "What it costs to turn the bits of a level into a queue.",
            Kind.COST,
            3000,
            Kind.LEAST_COST,
            Kind.MOST_COST),

    /** Argument hops of bfs_balls.cu, by rows: on an H200 eight made a road network 2.3 times as fast as one. */
    ROW_HOPS(
            "balls.hops",
            "levels",
            "The levels that a search by rows goes on for between two synchronisations.",
            Kind.WHOLE,
            8,
            1,
            RecordsPart.MOST_RADIUS),

    /** Argument narrow of bfs_balls.cu. */
    NARROW_BY_ROWS(
            "balls.narrow",
            "nodes a warp",
            "The nodes of a level up to which a search by rows goes on for several levels.",
            Kind.WHOLE,
            1,
            1,
            1 << 24),

    /** The same for records, which leave next to nothing to do twice. */
    NARROW_BY_RECORDS(
            "ballRecords.narrow",
            "nodes a warp",
            "The nodes of a level up to which a search by records goes on for several levels.",
            Kind.WHOLE,
            1 << 20,
            1,
            1 << 24),

    /** Argument pushShare of msbfs_words.cu is the bits of a vertex over this. */
    PUSH_BITS(
            "words.pushBits",
            "bits a node",
            "The bits of a node for each of which searches word by word want following relationships to be cheaper than"
                    + " asking for them.",
            Kind.WHOLE,
            64,
            1,
            1024),

    /** Argument lanes of msbfs_blocks.cu. */
    LIST_LANES(
            "blocks.lanes",
            "threads a list",
            "The threads that go through the relationships of a node in searches of a block each.",
            Kind.POWER_OF_TWO,
            4,
            1,
            32);

    /** A neighbouring value is so many times as large. */
    private static final double[] STEPS = {0.25, 0.5, Math.sqrt(0.5), Math.sqrt(2), 2, 4};

    private final String key;
    private final String unit;
    private final String description;
    private final Kind kind;
    private final double measured;
    private final double least;
    private final double most;

    TuningParameter(
            String key, String unit, String description, Kind kind, double measured, double least, double most) {
        this.key = key;
        this.unit = unit;
        this.description = description;
        this.kind = kind;
        this.measured = measured;
        this.least = least;
        this.most = most;
    }

    /** Which values there are between the least and the most, and how they carry over from the H200. */
    private enum Kind {
        /** Whole numbers. */
        WHOLE,
        /** Powers of two. */
        POWER_OF_TWO,
        /** Powers of two for which a block has shared memory. */
        SHARED_WORDS,
        /** A time. */
        COST,
        /** A time that fewer multiprocessors take longer for. */
        SPREAD_COST;

        static final double LEAST_COST = 1e-6;
        static final double MOST_COST = 1e6;

        /** Of the H200. */
        static final double MULTIPROCESSORS_MEASURED = 132;
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

    /** The value that was measured on an H200, for a device. */
    double shipped(DeviceFacts facts) {
        return kind == Kind.SPREAD_COST ? measured * Kind.MULTIPROCESSORS_MEASURED / facts.multiprocessors() : measured;
    }

    /** Whether it can have that value on a device. */
    boolean allows(double value, DeviceFacts facts) {
        return value >= least && value <= most && nearest(value) == value && fits(value, facts);
    }

    private boolean fits(double value, DeviceFacts facts) {
        return kind != Kind.SHARED_WORDS
                || LaunchPolicy.Directional.sharedBytes(true, (int) value) <= facts.sharedBytesPerBlock();
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
            case POWER_OF_TWO, SHARED_WORDS -> Integer.highestOneBit((int) Math.rint(value));
            case COST, SPREAD_COST -> value;
        };
    }
}
