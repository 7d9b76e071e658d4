// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.spark;

import java.util.Map;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.sources.DataSourceRegister;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * The data source {@code proxima}: one row for each node of an exported graph, with distance measures that the
 * executors compute. The manual's page "Beyond one server" describes options and columns.
 */
public final class ProximaSource implements TableProvider, DataSourceRegister {

    @Override
    public String shortName() {
        return "proxima";
    }

    /**
     * The column elementId, and one for each measure.
     *
     * @throws ProximaSparkException if an option is not allowed
     */
    @Override
    public StructType inferSchema(CaseInsensitiveStringMap options) {
        return ProximaTable.schema(ScanOptions.of(options).measures());
    }

    @Override
    public Table getTable(StructType schema, Transform[] partitioning, Map<String, String> properties) {
        return new ProximaTable(ScanOptions.of(new CaseInsensitiveStringMap(properties)));
    }
}
