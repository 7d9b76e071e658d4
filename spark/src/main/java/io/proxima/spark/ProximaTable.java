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
        return EnumSet.of(TableCapability.BATCH_READ);
    }

    @Override
    public ScanBuilder newScanBuilder(CaseInsensitiveStringMap ignored) {
        return new ProximaScanBuilder(options);
    }
}
