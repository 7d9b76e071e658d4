// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.operations;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.proxima.it.Cypher;
import io.proxima.it.RunningQuery;
import io.proxima.it.Unchecked;
import io.proxima.it.docs.Manual;
import io.proxima.it.server.Installation;
import io.proxima.it.server.ServerProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The files in {@code packaging/monitoring}, with the JMX exporter in a server's JVM. The server has a fake device, so
 * that there is something to say of GPUs.
 */
@Tag("full")
class MonitoringTest {

    private static final Path FOLDER = Path.of(System.getProperty("proxima.it.directory"), "../../packaging/monitoring")
            .toAbsolutePath()
            .normalize();
    private static final Path EXPORTER = FOLDER.resolve("proxima-jmx-exporter.yaml");

    private static final Pattern EXPORTED = Pattern.compile("(?m)^ +name: (proxima_\\w+)$");
    private static final Pattern METRIC = Pattern.compile("proxima_\\w+");
    private static final Pattern SELECTOR = Pattern.compile("(\\w+)\\{([^}]*)}");
    private static final Pattern LABEL = Pattern.compile("(\\w+)(?==)");
    private static final Pattern GROUPING = Pattern.compile("\\bby \\(([^)]*)\\)");
    private static final Pattern BARE_NAME = Pattern.compile("\\b[a-z]\\w*\\b(?!\\s*\\()");
    // Prometheus adds them to what it collects
    private static final Set<String> LABELS_OF_PROMETHEUS = Set.of("job", "instance");

    private final Installation installation = Installation.built();

    /** The kernels of the fake device take long, so the server stops in the middle of the warm-up. */
    @Test
    void shouldAnswerWhatTheDashboardAsksFor() throws IOException {
        int port = ServerProcess.freePort();
        try (ServerProcess server = ServerProcess.in(installation, installation.newHome("monitoring"))
                .withTestDriver()
                .withoutOptimizingCompiler()
                .withoutHttp()
                .withExporter(port, EXPORTER)
                .start()) {
            RunningQuery.await(
                    "the device that the warm-up opens", () -> scrape(port).contains("proxima_device_used_bytes{"));
            Cypher cypher = new Cypher(server.driver());
            assertThat(cypher.rows("CALL proxima.listProgress()")).isEmpty();
            assertThat(cypher.value("CALL proxima.backend.list() YIELD name, available WHERE name = 'cuda:0'"
                            + " RETURN available"))
                    .isEqualTo(true);
            cypher.rows("UNWIND range(1, 5) AS i CREATE (:N {i: i})");
            cypher.rows("MATCH (a:N), (b:N) WHERE b.i = a.i + 1 CREATE (a)-[:R]->(b)");
            cypher.row("CALL proxima.graph.project('g', 'N', 'R')");
            cypher.row("CALL proxima.closeness.write('g', {backend: 'cpu', writeProperty: 'c'})");

            String samples = scrape(port);
            assertThat(samples)
                    .contains("\nproxima_graphs 1.0\n")
                    .contains("\nproxima_jobs_ended_total{name=\"Graph Projection\",status=\"finished\"} 1.0\n")
                    .contains("\nproxima_properties_written_total 5.0\n")
                    .containsPattern("\nproxima_device_memory_bytes\\{device=\"cuda:0\"} [1-9]");
            List<String> expressions = expressions();
            assertThat(expressions).hasSizeGreaterThan(10);
            for (String expression : expressions) {
                checkAnswered(expression, samples);
            }
            server.stop();
            assertThat(server.debugLog())
                    .doesNotContain("warm-up failed", "devices are not released", "could not release the devices");
        }
    }

    @Test
    void shouldShowAndDescribeEveryMetricThatIsExported() throws IOException {
        Set<String> exported = names(EXPORTED, Files.readString(EXPORTER));
        assertThat(exported).hasSizeGreaterThan(15);
        assertThat(names(METRIC, String.join("\n", expressions())))
                .as("metrics on the dashboard")
                .isEqualTo(exported);
        assertThat(names(METRIC, Files.readString(Manual.page("metrics"))))
                .as("metrics in the manual")
                .isEqualTo(exported);
    }

    /** Every metric that the expression selects has a sample with all labels that the expression names. */
    private static void checkAnswered(String expression, String samples) {
        List<MatchResult> selectors = SELECTOR.matcher(expression).results().toList();
        assertThat(selectors).as("metrics in %s", expression).isNotEmpty();
        String rest =
                GROUPING.matcher(SELECTOR.matcher(expression).replaceAll(" ")).replaceAll(" ");
        assertThat(names(BARE_NAME, rest.replaceAll("\\[[^]]*]", " ")))
                .as("names without a selector in %s", expression)
                .isEmpty();
        Set<String> grouped = GROUPING.matcher(expression)
                .results()
                .flatMap(grouping -> Arrays.stream(grouping.group(1).split(",\\s*", -1)))
                .collect(Collectors.toSet());
        for (MatchResult selector : selectors) {
            Set<String> labels = names(LABEL, selector.group(2));
            labels.addAll(grouped);
            labels.removeAll(LABELS_OF_PROMETHEUS);
            assertThat(samples.lines()
                            .filter(line -> line.startsWith(selector.group(1) + "{")
                                    || line.startsWith(selector.group(1) + " ")))
                    .as("samples of %s with the labels %s", selector.group(1), labels)
                    .anyMatch(line -> labels.stream().allMatch(label -> line.contains(label + "=\"")));
        }
    }

    /** What the dashboard's panels ask for. */
    private static List<String> expressions() throws IOException {
        var dashboard = new ObjectMapper()
                .readTree(FOLDER.resolve("proxima-dashboard.json").toFile());
        return dashboard.get("panels").findValuesAsText("expr");
    }

    private static Set<String> names(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map(result -> result.group(result.groupCount()))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String scrape(int port) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
                .build();
        return Unchecked.get(() -> {
            HttpResponse<String> response =
                    HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
            assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
            return response.body();
        });
    }
}
