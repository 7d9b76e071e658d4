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

import org.apache.spark.sql.SparkSession;

/** The Spark session of the tests of this JVM. A failed task is tried twice more. */
final class Sessions {

    private Sessions() {}

    static SparkSession local() {
        return SparkSession.builder()
                .master("local[2,3]")
                .appName("proxima tests")
                .config("spark.ui.enabled", "false")
                .config("spark.driver.host", "127.0.0.1")
                .config("spark.driver.bindAddress", "127.0.0.1")
                .config("spark.sql.shuffle.partitions", "2")
                .config("spark.sql.warehouse.dir", System.getProperty("java.io.tmpdir"))
                .config("spark.hadoop.fs.counting.impl", CountingFileSystem.class.getName())
                .getOrCreate();
    }
}
