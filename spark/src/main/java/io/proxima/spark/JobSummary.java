// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.spark;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.max;
import static org.apache.spark.sql.functions.min;
import static org.apache.spark.sql.functions.posexplode;
import static org.apache.spark.sql.functions.size;
import static org.apache.spark.sql.functions.sum;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataTypes;

/** The statistics of the distances of a whole graph, defined as those of proxima.eccentricity.stats. */
final class JobSummary {

    private static final int DIGITS_OF_LONG = 19;

    /** Distances of a hop distribution that the driver holds: more than road networks have. */
    static final int MOST_DISTANCES = 100_000;

    private JobSummary() {}

    /**
     * Computes the statistics on the executors. The hop distribution is null if it has more than
     * {@link #MOST_DISTANCES} entries.
     *
     * @param rows the rows of all nodes, with farness, reach and hops; with eccentricity and nodesReached for the
     *     radius
     */
    static ObjectNode of(Dataset<Row> rows) {
        ObjectNode summary = new ObjectMapper().createObjectNode();
        // sums of distances exceed 64 bits in deep graphs
        Row sums = rows.agg(
                        count(lit(1)),
                        sum(col(Measure.FARNESS.column).cast(DataTypes.createDecimalType(DIGITS_OF_LONG, 0))),
                        sum(col(Measure.REACH.column)),
                        max(size(col(Measure.HOPS.column))))
                .head();
        long pairs = sums.isNullAt(2) ? 0 : sums.getLong(2);
        summary.put("nodes", sums.getLong(0)).put("pairs", pairs);
        int distances = sums.isNullAt(3) ? 0 : Math.max(0, sums.getInt(3));
        ArrayNode hops = distances > MOST_DISTANCES ? null : summary.arrayNode();
        if (hops != null) {
            rows.select(posexplode(col(Measure.HOPS.column)))
                    .groupBy("pos")
                    .agg(sum(col("col")).as("pairs"))
                    .orderBy("pos")
                    .collectAsList()
                    .forEach(row -> hops.add(row.getLong(1)));
        }
        summary.put("diameter", Math.max(0, distances - 1));
        if (Arrays.asList(rows.columns()).contains(Measure.ECCENTRICITY.column)) {
            Dataset<Row> most = rows.agg(max(col(Measure.NODES_REACHED.column)).as("most"));
            Row radius = rows.join(most, col(Measure.NODES_REACHED.column).equalTo(col("most")))
                    .agg(min(col(Measure.ECCENTRICITY.column)))
                    .head();
            summary.put("radius", radius.isNullAt(0) ? 0 : radius.getInt(0));
        }
        summary.put(
                "meanDistance",
                pairs == 0
                        ? 0
                        : sums.getDecimal(1)
                                .divide(BigDecimal.valueOf(pairs), MathContext.DECIMAL128)
                                .doubleValue());
        summary.set("hopDistribution", hops);
        return summary;
    }
}
