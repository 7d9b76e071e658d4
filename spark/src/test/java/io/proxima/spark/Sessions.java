// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.spark.ProximaSparkException.Reason;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

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
                .config("spark.hadoop.fs.remote.impl", RemoteFileSystem.class.getName())
                .getOrCreate();
    }

    /** The rows as texts, sorted. */
    static List<String> strings(Dataset<Row> rows) {
        return rows.collectAsList().stream().map(Row::toString).sorted().toList();
    }

    /** Asserts that a call fails for this reason. */
    static AbstractThrowableAssert<?, ?> assertRefused(Reason reason, ThrowingCallable call) {
        return assertThatThrownBy(call).isInstanceOfSatisfying(ProximaSparkException.class, e -> assertThat(e.reason())
                .isEqualTo(reason));
    }

    /** Waits for the tasks of cancelled jobs, which end after their job and write files until then. */
    static void awaitTasks(SparkSession spark) throws InterruptedException {
        while (spark.sparkContext().statusTracker().getExecutorInfos()[0].numRunningTasks() > 0) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }
}
