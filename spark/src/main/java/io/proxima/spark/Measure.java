// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.spark;

import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.Farness;
import io.proxima.backend.result.ClosenessFormula;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/** A column of results: its values equal those of Proxima's procedures in Neo4j. */
enum Measure {
    /** reach / farness, as proxima.closeness. */
    CLOSENESS("closeness", DataTypes.DoubleType, Direction.INCOMING, null, ClosenessFormula.DEFAULT::score),
    /** As proxima.closeness with useWassermanFaust. */
    WASSERMAN_FAUST(
            "wassermanFaust", DataTypes.DoubleType, Direction.INCOMING, null, ClosenessFormula.WASSERMAN_FAUST::score),
    /** As proxima.closeness with harmonic. */
    HARMONIC(
            "harmonic",
            DataTypes.DoubleType,
            Direction.INCOMING,
            DistanceMeasure.HARMONIC,
            ClosenessFormula.HARMONIC::score),
    /** The sum of the distances to the node from the nodes that reach it. */
    FARNESS("farness", DataTypes.LongType, Direction.INCOMING, null, (sums, row, others) -> sums.farness()[row]),
    /** The number of nodes that reach the node, without itself. */
    REACH("reach", DataTypes.LongType, Direction.INCOMING, null, (sums, row, others) -> sums.reach()[row]),
    /** The greatest distance from the node to a node that it reaches, as proxima.eccentricity. */
    ECCENTRICITY(
            "eccentricity",
            DataTypes.IntegerType,
            Direction.OUTGOING,
            DistanceMeasure.ECCENTRICITY,
            (sums, row, others) -> sums.eccentricity()[row]),
    /** The number of nodes that the node reaches, without itself. */
    NODES_REACHED(
            "nodesReached", DataTypes.LongType, Direction.OUTGOING, null, (sums, row, others) -> sums.reach()[row]),
    /**
     * The pairs at each distance from 0 on, over all sources of a batch: on the row of the first, null on the others.
     * The sum over the rows is the hop distribution of the rows' nodes.
     */
    HOPS(
            "hops",
            DataTypes.createArrayType(DataTypes.LongType, false),
            Direction.INCOMING,
            DistanceMeasure.HOPS,
            (sums, row, others) -> row == 0 ? new GenericArrayData(sums.hops()) : null);

    /** Along which edges the searches of a measure go. */
    enum Direction {
        /** Over distances to the source: against the direction of the edges. */
        INCOMING,
        /** Over distances from the source. */
        OUTGOING
    }

    final String column;

    @SuppressWarnings("ImmutableEnumChecker") // Spark's types cannot be changed
    final DataType type;

    final Direction direction;

    /** What searches must count besides the sums; null for nothing. */
    final DistanceMeasure counted;

    @SuppressWarnings("ImmutableEnumChecker") // functions without state
    private final Value value;

    Measure(String column, DataType type, Direction direction, DistanceMeasure counted, Value value) {
        this.column = column;
        this.type = type;
        this.direction = direction;
        this.counted = counted;
        this.value = value;
    }

    /** Makes the value of a row; see {@link Measure#value}. */
    @FunctionalInterface
    private interface Value {
        Object of(Farness sums, int row, long others);
    }

    /**
     * The value of a row, as a row of Spark has it.
     *
     * @param sums the sums of a batch, in this measure's direction
     * @param row the index in the batch
     * @param others number of nodes of the graph without the row's
     */
    Object value(Farness sums, int row, long others) {
        return value.of(sums, row, others);
    }

    /** The measure of a name, in upper or lower case. */
    static Optional<Measure> of(String name) {
        return Stream.of(values())
                .filter(measure -> measure.column.toLowerCase(Locale.ROOT).equals(name.toLowerCase(Locale.ROOT)))
                .findFirst();
    }

    /** The names of all measures. */
    static List<String> names() {
        return Stream.of(values()).map(measure -> measure.column).toList();
    }
}
