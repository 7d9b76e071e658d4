// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.packaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.proxima.it.docs.Manual;
import io.proxima.it.server.Installation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.neo4j.configuration.Config;

/**
 * The files in {@code packaging/docker}, and what the manual says of containers, against the jar and the settings that
 * it declares. No container is run.
 */
@Tag("full")
class DockerTest {

    private static final Path ROOT =
            Path.of(System.getProperty("proxima.it.directory"), "../..").normalize();
    private static final Path FOLDER = ROOT.resolve("packaging/docker");

    /** A setting as a variable of the environment, in YAML, and in the shell with an equals sign. */
    private static final Pattern VARIABLE = Pattern.compile("NEO4J_([a-z]\\w*)(?:: |=)\"?([^\\s\"+`]+)");

    private static final Pattern IMAGE = Pattern.compile("\\bneo4j:(\\d+\\.[\\d.]*\\d)");
    private static final Pattern VOLUME = Pattern.compile("(?:--volume=|      - )[^:\\s]+:(/[\\w/]+)");
    // what the image's entry point looks for
    private static final List<String> VOLUMES =
            List.of("/conf", "/data", "/import", "/licenses", "/logs", "/metrics", "/plugins", "/ssl");

    @Test
    void shouldPutTheJarWhereItsEntryInTheListOfPluginsPointsTo() throws IOException {
        String dockerfile = Files.readString(FOLDER.resolve("Dockerfile"));
        MatchResult copy = only("COPY --chown=neo4j:neo4j --chmod=644 (\\S+) (\\S+)", dockerfile);
        MatchResult entry = only("jq '\\. \\+ (\\{.*})' \\\\\n +(\\S+)", dockerfile);
        JsonNode plugins = new ObjectMapper().readTree(entry.group(1));

        assertThat(plugins.get("proxima").get("location").asText()).isEqualTo(copy.group(2));
        assertThat(plugins.get("proxima").get("properties"))
                .as("settings that Proxima needs")
                .isEmpty();
        assertThat(entry.group(2)).isEqualTo("/startup/neo4j-plugins.json");
        assertThat(only("ENV NEO4J_PLUGINS='\\[\"(\\w+)\"]'", dockerfile).group(1))
                .isEqualTo(plugins.fieldNames().next());
        assertThat(ROOT.resolve("plugin/target")
                        .resolve(copy.group(1).replace("${PROXIMA_VERSION}", ReleaseTest.version())))
                .hasSameBinaryContentAs(Installation.built().plugin());
    }

    @Test
    void shouldBeginWithTheNeo4jThatTheTestsRunOn() throws IOException {
        String pom = Files.readString(ROOT.resolve("pom.xml"));
        String longTerm = only("<neo4j.version>(.*)</neo4j.version>", pom).group(1);
        String current =
                only("<neo4j.current.version>(.*)</neo4j.current.version>", pom).group(1);
        assertThat(only("ARG NEO4J_VERSION=(\\S+)", Files.readString(FOLDER.resolve("Dockerfile")))
                        .group(1))
                .isEqualTo(longTerm);
        assertThat(only("\\$\\{NEO4J_VERSION:-(.*)}", Files.readString(FOLDER.resolve("compose.yaml")))
                        .group(1))
                .isEqualTo(longTerm);
        List<String> tags =
                IMAGE.matcher(manual()).results().map(image -> image.group(1)).toList();
        assertThat(tags)
                .as("images in the manual")
                .isNotEmpty()
                .allMatch(tag -> (longTerm + ".").startsWith(tag + ".") || (current + ".").startsWith(tag + "."));
    }

    @Test
    void shouldOfferTheJarToTheLinesThatTheTestsRunOn() throws IOException {
        String pom = Files.readString(ROOT.resolve("pom.xml"));
        String script = Files.readString(ROOT.resolve("packaging/release/assemble.sh"));
        List<String> lines =
                List.of(only("for line in (.*); do", script).group(1).split(" ", -1));
        // as the image compares them
        assertThat(lines.stream().map(line -> line.replace(".x", "\\.\\d+")))
                .hasSize(2)
                .allMatch(line -> Pattern.compile("<neo4j\\.(current\\.)?version>" + line + "<")
                        .matcher(pom)
                        .find());
    }

    @Test
    void shouldPassSettingsThatAServerAccepts() throws IOException {
        Map<String, String> composed = settings(Files.readString(FOLDER.resolve("compose.yaml"))
                + Files.readString(FOLDER.resolve("compose.gpu.yaml")));
        assertThat(composed)
                .containsKeys(
                        "server.proxima.backend", "server.proxima.device_memory_share", "server.memory.heap.max_size");
        Config.newBuilder().setRaw(composed).build();
        Map<String, String> documented = settings(manual());
        assertThat(documented).containsKey("server.proxima.backend");
        Config.newBuilder().setRaw(documented).build();

        composed.put("server.proxima.device.memory_share", "0.5");
        assertThatThrownBy(() -> Config.newBuilder().setRaw(composed).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("server.proxima.device.memory_share");
    }

    @Test
    void shouldMountFoldersThatTheImageKnows() throws IOException {
        List<String> mounted = VOLUME.matcher(Files.readString(FOLDER.resolve("compose.yaml")) + manual())
                .results()
                .map(volume -> volume.group(1))
                .toList();
        assertThat(mounted).contains("/data", "/plugins").isSubsetOf(VOLUMES);
    }

    /** The settings in variables of the environment, named as the image's entry point does. */
    private static Map<String, String> settings(String text) {
        Map<String, String> settings = new TreeMap<>();
        VARIABLE.matcher(text)
                .results()
                .forEach(variable ->
                        settings.put(variable.group(1).replace("_", ".").replace("..", "_"), variable.group(2)));
        return settings;
    }

    private static String manual() throws IOException {
        StringBuilder text = new StringBuilder();
        for (Path page : Manual.pages()) {
            text.append(Files.readString(page));
        }
        return text.toString();
    }

    private static MatchResult only(String pattern, String text) {
        List<MatchResult> results =
                Pattern.compile(pattern).matcher(text).results().toList();
        assertThat(results).as(pattern).hasSize(1);
        return results.get(0);
    }
}
