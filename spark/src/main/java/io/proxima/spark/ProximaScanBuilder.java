// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.spark;

import io.proxima.spark.ScanOptions.Sample;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.SupportsPushDownFilters;
import org.apache.spark.sql.connector.read.SupportsPushDownRequiredColumns;
import org.apache.spark.sql.sources.EqualTo;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.sources.In;
import org.apache.spark.sql.sources.IsNotNull;
import org.apache.spark.sql.types.StructType;

/**
 * Takes the columns and the filters on elementId out of a query, so that only their nodes and measures are computed.
 */
final class ProximaScanBuilder implements SupportsPushDownRequiredColumns, SupportsPushDownFilters {

    private final ScanOptions options;
    private StructType columns;
    private final List<Filter> pushed = new ArrayList<>();

    /** The elementIds of the filters; null for all. */
    private Set<String> wanted;

    ProximaScanBuilder(ScanOptions options) {
        this.options = options;
        columns = ProximaTable.schema(options.measures());
    }

    @Override
    public void pruneColumns(StructType required) {
        columns = required;
    }

    @Override
    public Filter[] pushFilters(Filter[] filters) {
        List<Filter> rest = new ArrayList<>();
        for (Filter filter : filters) {
            Set<String> ids = elementIds(filter);
            if (ids != null) {
                if (wanted == null) {
                    wanted = ids;
                } else {
                    wanted.retainAll(ids);
                }
                pushed.add(filter);
            } else if (filter instanceof IsNotNull present
                    && present.attribute().equals(ProximaTable.ELEMENT_ID)) {
                pushed.add(filter);
            } else {
                rest.add(filter);
            }
        }
        return rest.toArray(Filter[]::new);
    }

    /**
     * The elementIds that a filter lets through; null if it is no such filter. Drawing the sample needs all of them.
     */
    private Set<String> elementIds(Filter filter) {
        if (options.sources() instanceof Sample) {
            return null;
        }
        Set<String> ids = new HashSet<>();
        if (filter instanceof EqualTo equal && equal.attribute().equals(ProximaTable.ELEMENT_ID)) {
            ids.add((String) equal.value());
            return ids;
        }
        if (filter instanceof In in && in.attribute().equals(ProximaTable.ELEMENT_ID)) {
            for (Object value : in.values()) {
                if (value != null) {
                    ids.add((String) value);
                }
            }
            return ids;
        }
        return null;
    }

    @Override
    public Filter[] pushedFilters() {
        return pushed.toArray(Filter[]::new);
    }

    /**
     * Reads the header of the graph and plans the partitions.
     *
     * @throws ProximaSparkException if the graph is not the expected one, or sources are not in it
     * @throws io.proxima.projection.file.GraphFileException if the file is not an exported graph, or is damaged
     */
    @Override
    public Scan build() {
        return new ProximaScan(options, columns, wanted, options.header(SparkSession.active()));
    }
}
