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
package io.proxima.spark;

import java.util.Map;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.sources.DataSourceRegister;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * The data source {@code proxima}: one row for each node of an exported graph, with distance measures that the executors
 * compute. The manual's page "Beyond one server" describes options and columns.
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
