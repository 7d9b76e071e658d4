// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.spark;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Two sessions of Spark 4 that each add the jar as an artifact of theirs, and so have its classes in class loaders of
 * their own. Arguments: the jar, which must not be on the class path, and an exported graph. Prints a line for each
 * session.
 */
public final class IsolatedSessions {

    private IsolatedSessions() {}

    /** Runs in executors of this JVM. */
    public static void main(String[] arguments) {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        SparkSession spark = SparkSession.builder()
                .master("local[2]")
                .appName("isolated")
                .config("spark.ui.enabled", "false")
                .config("spark.driver.host", "127.0.0.1")
                .config("spark.sql.artifact.isolation.enabled", "true")
                .getOrCreate();
        for (int i = 0; i < 2; i++) {
            SparkSession session = spark.newSession();
            session.sql("ADD JAR '" + arguments[0] + "'");
            session.sql("CREATE TEMPORARY VIEW graph USING proxima OPTIONS (graph '" + arguments[1]
                    + "', measures 'farness,reach')");
            Row sums = session.sql("SELECT count(*), sum(farness), sum(reach) FROM graph")
                    .head();
            out.println("isolated session: " + sums);
        }
        spark.stop();
    }
}
