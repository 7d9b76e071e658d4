// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.spark;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** The nodes of an exported graph and their measures. */
final class ProximaTable implements SupportsRead {

    static final String ELEMENT_ID = "elementId";

    private final ScanOptions options;

    ProximaTable(ScanOptions options) {
        this.options = options;
    }

    static StructType schema(List<Measure> measures) {
        StructType schema = new StructType().add(ELEMENT_ID, DataTypes.StringType, false);
        for (Measure measure : measures) {
            schema = schema.add(measure.column, measure.type, measure == Measure.HOPS);
        }
        return schema;
    }

    @Override
    public String name() {
        return "proxima " + options.graph();
    }

    @Override
    @SuppressWarnings("deprecation") // the interface has no other way for tables without a catalog
    public StructType schema() {
        return schema(options.measures());
    }

    @Override
    public Set<TableCapability> capabilities() {
        return EnumSet.of(TableCapability.BATCH_READ, TableCapability.MICRO_BATCH_READ);
    }

    @Override
    public ScanBuilder newScanBuilder(CaseInsensitiveStringMap ignored) {
        return new ProximaScanBuilder(options);
    }
}
