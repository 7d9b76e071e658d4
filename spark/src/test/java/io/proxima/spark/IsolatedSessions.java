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
