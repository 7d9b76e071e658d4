// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.spark;

import static io.proxima.it.spark.ExportedAirports.CURRENT;
import static io.proxima.it.spark.ExportedAirports.INSTALLATION;
import static io.proxima.it.spark.ExportedAirports.SPARK;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The tests of the module spark, compiled against the one version, with the packed jar and the jars of the other. They
 * need no server, and run beside {@link SparkTest}.
 */
@Tag("spark")
class SparkModuleTest {

    /** The tests of the module spark that had passed when this number was written. */
    private static final int FEWEST_TESTS = 50;

    @Test
    void shouldPassOnTheCurrentLineOfSpark() throws IOException, InterruptedException {
        Path root = SPARK.resolve("../../..").normalize();
        List<Path> classPath = new ArrayList<>(List.of(
                SPARK.resolve("proxima-spark.jar"),
                root.resolve("spark/target/test-classes"),
                root.resolve("projection/target/test-classes")));
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(jar -> jar.matches(".*/(junit-|opentest4j|apiguardian|assertj-core|byte-buddy)[^/]*jar"))
                .map(Path::of)
                .forEach(classPath::add);
        Path work = INSTALLATION.newHome("spark-module");
        Path log = work.resolve("tests.log");
        try (SparkDriver tests = SparkHome.of(SPARK.getParent(), CURRENT)
                .start(
                        log,
                        classPath,
                        "org.junit.platform.console.ConsoleLauncher",
                        List.of(
                                "execute",
                                "--disable-banner",
                                "--disable-ansi-colors",
                                "--reports-dir=" + work,
                                "--scan-classpath=" + classPath.get(1)))) {
            tests.end();
        }
        Matcher passed = Pattern.compile("\\[ +(\\d+) tests successful").matcher(Files.readString(log));
        assertThat(passed.find()).isTrue();
        assertThat(Integer.parseInt(passed.group(1))).isGreaterThanOrEqualTo(FEWEST_TESTS);
    }
}
