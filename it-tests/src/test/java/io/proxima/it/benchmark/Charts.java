// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.benchmark;

import io.proxima.it.Prints;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * Draws the charts of the README and of the manual from the committed results.
 *
 * <pre>
 * mvn -B -ntp -Pbenchmark verify -Dproxima.benchmark.class=Charts
 * </pre>
 */
@Prints
public final class Charts {

    private Charts() {}

    /** Writes the charts; the system property {@code proxima.benchmark.directory} names the folder of the results. */
    public static void main(String[] arguments) throws IOException {
        for (Map.Entry<Path, String> chart : drawn(Path.of(System.getProperty("proxima.benchmark.directory")))
                .entrySet()) {
            Files.createDirectories(chart.getKey().getParent());
            Files.writeString(chart.getKey(), chart.getValue());
            System.out.println("Wrote " + chart.getKey());
        }
    }

    /** The charts of the results in a folder, as SVG, by the file that each is committed to. */
    static Map<Path, String> drawn(Path results) throws IOException {
        Path images = results.resolve("../modules/ROOT/images").normalize();
        return new TreeMap<>(Map.of(
                images.resolve("closeness.svg"), PeerChart.draw(results),
                images.resolve("backends.svg"), BackendChart.draw(results),
                images.resolve("techniques.svg"), TechniqueChart.draw(results)));
    }
}
