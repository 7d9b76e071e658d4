// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.spark;

import io.proxima.backend.select.TraversalBackends.Wanted;
import io.proxima.spark.ProximaSparkException.Reason;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * The options of the data source, checked.
 *
 * @param graph the file, as Hadoop's FileSystem takes it
 * @param fingerprint the fingerprint that the graph must have, 32 hexadecimal digits; empty for any
 * @param digest the digest that the header of the file must have; empty for any
 * @param measures the columns after elementId
 * @param sources the nodes of the rows
 * @param backend the backend
 * @param batch least sources of a partition; 0 to derive it
 * @param rate sources that a task searches from in a second; 0 if unknown
 * @param concurrency threads of a task; 0 for the processors that Spark gives it
 * @param cacheDirectory a folder of each executor's host; empty for one in its temporary folder
 */
record ScanOptions(
        String graph,
        String fingerprint,
        String digest,
        List<Measure> measures,
        Sources sources,
        Wanted backend,
        int batch,
        double rate,
        int concurrency,
        String cacheDirectory) {

    static final String GRAPH = "graph";
    static final String FINGERPRINT = "fingerprint";
    static final String MEASURES = "measures";
    static final String SOURCES = "sources";
    static final String FROM = "from";
    static final String TO = "to";
    static final String IDS = "ids";
    static final String SAMPLE_SIZE = "sampleSize";
    static final String SAMPLE_SEED = "sampleSeed";
    static final String BACKEND = "backend";
    static final String BATCH = "batch";
    static final String RATE = "rate";
    static final String CONCURRENCY = "concurrency";
    static final String CACHE_DIRECTORY = "cacheDirectory";

    /** What {@link ClosenessJob} sets, so that all waves read the same file. Equal edges have equal fingerprints only. */
    static final String DIGEST = "digest";

    /** What {@code load(path)} sets. */
    private static final String PATH = "path";

    private static final List<String> NAMES = List.of(
            GRAPH,
            FINGERPRINT,
            MEASURES,
            SOURCES,
            FROM,
            TO,
            IDS,
            SAMPLE_SIZE,
            SAMPLE_SEED,
            BACKEND,
            BATCH,
            RATE,
            CONCURRENCY,
            CACHE_DIRECTORY);

    /** The nodes of the rows. */
    sealed interface Sources {}

    /** All nodes. */
    record All() implements Sources {}

    /** The nodes at these positions in the file, the second exclusive. */
    record Range(int from, int to) implements Sources {}

    /** Nodes by elementId. */
    record Ids(Set<String> elementIds) implements Sources {}

    /** Nodes drawn at random. */
    record Sample(int size, long seed) implements Sources {}

    /**
     * Reads the options.
     *
     * @throws ProximaSparkException if one is unknown, missing, or has a value that is not allowed
     */
    static ScanOptions of(CaseInsensitiveStringMap options) {
        for (String name : options.asCaseSensitiveMap().keySet()) {
            if (!name.equalsIgnoreCase(PATH)
                    && !name.equals(DIGEST)
                    && NAMES.stream().noneMatch(name::equalsIgnoreCase)) {
                throw invalid("Unknown option `" + name + "`. The options are: " + String.join(", ", NAMES) + ".");
            }
        }
        String graph = text(options, GRAPH, text(options, PATH, ""));
        if (graph.isEmpty()) {
            throw invalid("The option `graph` is missing. Set it to the file that proxima.graph.export wrote, such as"
                    + " hdfs://host/graphs/air.proxima.");
        }
        String fingerprint = text(options, FINGERPRINT, "").toLowerCase(Locale.ROOT);
        if (!fingerprint.matches("([0-9a-f]{32})?")) {
            throw invalid(
                    "The option `fingerprint` must be the 32 hexadecimal digits that proxima.graph.export returned,"
                            + " but is `" + fingerprint + "`.");
        }
        double rate = rate(options);
        return new ScanOptions(
                graph,
                fingerprint,
                text(options, DIGEST, ""),
                measures(text(options, MEASURES, Measure.CLOSENESS.column)),
                sources(options),
                backend(text(options, BACKEND, "auto")),
                (int) number(options, BATCH, 0, 1, Integer.MAX_VALUE),
                rate,
                (int) number(options, CONCURRENCY, 0, 1, Integer.MAX_VALUE),
                text(options, CACHE_DIRECTORY, ""));
    }

    private static List<Measure> measures(String text) {
        Set<Measure> measures = new LinkedHashSet<>();
        for (String name : names(text)) {
            measures.add(Measure.of(name)
                    .orElseThrow(() -> invalid("The option `measures` has the unknown measure `" + name
                            + "`. The measures are: " + String.join(", ", Measure.names()) + ".")));
        }
        if (measures.isEmpty()) {
            throw invalid("The option `measures` is empty. Name at least one of: " + String.join(", ", Measure.names())
                    + ".");
        }
        return List.copyOf(measures);
    }

    private static Sources sources(CaseInsensitiveStringMap options) {
        String kind = text(options, SOURCES, "all").toLowerCase(Locale.ROOT);
        Map<String, List<String>> companions = Map.of(
                "all", List.of(),
                "range", List.of(FROM, TO),
                "ids", List.of(IDS),
                "sample", List.of(SAMPLE_SIZE, SAMPLE_SEED));
        if (!companions.containsKey(kind)) {
            throw invalid("The option `sources` must be all, range, ids or sample, but is `" + kind + "`.");
        }
        for (String name : List.of(FROM, TO, IDS, SAMPLE_SIZE, SAMPLE_SEED)) {
            if (options.containsKey(name) && !companions.get(kind).contains(name)) {
                throw invalid("The option `" + name + "` has no meaning with `sources` = `" + kind
                        + "`. Leave it out, or set `sources` to "
                        + (name.equals(IDS) ? "ids" : name.equals(FROM) || name.equals(TO) ? "range" : "sample") + ".");
            }
        }
        return switch (kind) {
            case "range" -> {
                long from = required(options, FROM, 0);
                long to = required(options, TO, from);
                yield new Range((int) from, (int) to);
            }
            case "ids" -> {
                Set<String> ids = new LinkedHashSet<>(names(text(options, IDS, "")));
                if (ids.isEmpty()) {
                    throw invalid("The option `ids` is missing. Set it to elementIds, separated by commas.");
                }
                yield new Ids(ids);
            }
            case "sample" ->
                new Sample(
                        (int) required(options, SAMPLE_SIZE, 1),
                        number(
                                options,
                                SAMPLE_SEED,
                                ThreadLocalRandom.current().nextLong(),
                                Long.MIN_VALUE,
                                Long.MAX_VALUE));
            default -> new All();
        };
    }

    private static Wanted backend(String name) {
        try {
            return Wanted.valueOf(name.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw invalid("The option `backend` must be auto, cuda or cpu, but is `" + name + "`.");
        }
    }

    private static double rate(CaseInsensitiveStringMap options) {
        String text = text(options, RATE, "");
        if (text.isEmpty()) {
            return 0;
        }
        try {
            double rate = Double.parseDouble(text);
            if (rate > 0 && Double.isFinite(rate)) {
                return rate;
            }
        } catch (NumberFormatException e) {
            // reported below
        }
        throw invalid("The option `rate` must be a number of sources a second above 0, but is `" + text + "`.");
    }

    private static long required(CaseInsensitiveStringMap options, String name, long least) {
        if (!options.containsKey(name)) {
            throw invalid("The option `" + name + "` is missing. `sources` = `" + options.get(SOURCES) + "` needs it.");
        }
        return number(options, name, 0, least, Integer.MAX_VALUE);
    }

    private static long number(CaseInsensitiveStringMap options, String name, long absent, long least, long most) {
        String text = text(options, name, "");
        if (text.isEmpty()) {
            return absent;
        }
        try {
            long number = Long.parseLong(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // reported below
        }
        throw invalid("The option `" + name + "` must be an integer from " + least + " to " + most + ", but is `" + text
                + "`.");
    }

    private static String text(CaseInsensitiveStringMap options, String name, String absent) {
        return options.getOrDefault(name, absent).strip();
    }

    private static List<String> names(String list) {
        return new ArrayList<>(Arrays.stream(list.split(",", -1))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .toList());
    }

    static ProximaSparkException invalid(String message) {
        return new ProximaSparkException(Reason.INVALID_OPTION, message);
    }
}
