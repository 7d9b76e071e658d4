// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.spark;

import io.proxima.backend.select.TraversalBackends.Wanted;
import io.proxima.projection.file.GraphFile;
import io.proxima.projection.file.GraphFileHeader;
import io.proxima.spark.ProximaSparkException.Reason;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * The options of the data source, checked.
 *
 * @param graph the file, as Hadoop's FileSystem takes it
 * @param fingerprint the fingerprint that the graph must have, 32 hexadecimal digits; empty for any
 * @param measures the columns after elementId
 * @param sources the nodes of the rows
 * @param backend the backend
 * @param batch least sources of a partition; 0 to derive it
 * @param concurrency threads of a search; 0 for the processors of the executor
 * @param wave sources of a stream's wave; 0 to derive it from the measured rate
 * @param waveMinutes minutes that a wave should take
 */
record ScanOptions(
        String graph,
        String fingerprint,
        List<Measure> measures,
        Sources sources,
        Wanted backend,
        int batch,
        int concurrency,
        int wave,
        int waveMinutes) {

    static final String GRAPH = "graph";
    static final String FINGERPRINT = "fingerprint";
    static final String MEASURES = "measures";
    private static final String SOURCES = "sources";
    private static final String FROM = "from";
    private static final String TO = "to";
    private static final String SAMPLE_SIZE = "sampleSize";
    private static final String SAMPLE_SEED = "sampleSeed";
    private static final String BACKEND = "backend";
    private static final String BATCH = "batch";
    private static final String CONCURRENCY = "concurrency";
    private static final String WAVE = "wave";
    private static final String WAVE_MINUTES = "waveMinutes";

    private static final int USUAL_WAVE_MINUTES = 30;

    /** What {@code load(path)} sets. */
    private static final String PATH = "path";

    private static final List<String> NAMES = List.of(
            GRAPH,
            FINGERPRINT,
            MEASURES,
            SOURCES,
            FROM,
            TO,
            SAMPLE_SIZE,
            SAMPLE_SEED,
            BACKEND,
            BATCH,
            CONCURRENCY,
            WAVE,
            WAVE_MINUTES);

    /** The value of `sources` that an option belongs to. */
    private static final Map<String, String> SOURCES_OF =
            Map.of(FROM, "range", TO, "range", SAMPLE_SIZE, "sample", SAMPLE_SEED, "sample");

    /** All nodes. */
    static final Sources ALL = new All();

    /** The nodes of the rows. */
    sealed interface Sources {}

    private record All() implements Sources {}

    /** The nodes at these positions in the file, the second exclusive. */
    record Range(int from, int to) implements Sources {}

    /** Nodes drawn at random. */
    record Sample(int size, long seed) implements Sources {}

    /**
     * Reads the options.
     *
     * @throws ProximaSparkException if one is unknown, missing, or has a value that is not allowed
     */
    static ScanOptions of(CaseInsensitiveStringMap options) {
        for (String name : options.asCaseSensitiveMap().keySet()) {
            if (!name.equalsIgnoreCase(PATH) && NAMES.stream().noneMatch(name::equalsIgnoreCase)) {
                throw invalid("Unknown option `" + name + "`. The options are: " + String.join(", ", NAMES)
                        + ". Distances are hops: weights are for the procedures of the plugin only.");
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
        return new ScanOptions(
                graph,
                fingerprint,
                measures(text(options, MEASURES, Measure.CLOSENESS.column)),
                sources(options),
                backend(text(options, BACKEND, "auto")),
                count(options, BATCH, 0),
                count(options, CONCURRENCY, 0),
                count(options, WAVE, 0),
                count(options, WAVE_MINUTES, USUAL_WAVE_MINUTES));
    }

    /**
     * Reads the header of the graph on the driver.
     *
     * @throws ProximaSparkException if the file cannot be opened, or has not the fingerprint of the options
     * @throws io.proxima.projection.file.GraphFileException if it is not an exported graph, or its header is damaged
     */
    GraphFileHeader header(SparkSession session) {
        try (GraphFile file = HadoopInput.open(graph, session.sessionState().newHadoopConf())) {
            String found = file.header().fingerprint().toString();
            if (!fingerprint.isEmpty() && !fingerprint.equals(found)) {
                throw new ProximaSparkException(
                        Reason.WRONG_GRAPH,
                        "The graph `" + graph + "` has the fingerprint " + found
                                + ", but the option `fingerprint` is `" + fingerprint
                                + "`. Name the file of that graph, or leave out the option.");
            }
            return file.header();
        }
    }

    private static List<Measure> measures(String text) {
        Set<Measure> measures = new LinkedHashSet<>();
        for (String name : text.split(",", -1)) {
            measures.add(Measure.of(name.strip())
                    .orElseThrow(() -> invalid("The option `measures` has the unknown measure `" + name.strip()
                            + "`. The measures are: " + String.join(", ", Measure.names()) + ".")));
        }
        return List.copyOf(measures);
    }

    private static Sources sources(CaseInsensitiveStringMap options) {
        String kind = text(options, SOURCES, "all").toLowerCase(Locale.ROOT);
        SOURCES_OF.forEach((name, needed) -> {
            if (options.get(name) != null && !kind.equals(needed)) {
                throw invalid("The option `" + name + "` has no meaning with `sources` = `" + kind
                        + "`. Leave it out, or set `sources` to " + needed + ".");
            }
        });
        return switch (kind) {
            case "all" -> ALL;
            case "range" -> {
                int from = (int) number(options, FROM, null, 0, Integer.MAX_VALUE);
                yield new Range(from, (int) number(options, TO, null, from, Integer.MAX_VALUE));
            }
            case "sample" ->
                new Sample(
                        (int) number(options, SAMPLE_SIZE, null, 1, Integer.MAX_VALUE),
                        number(
                                options,
                                SAMPLE_SEED,
                                ThreadLocalRandom.current().nextLong(),
                                Long.MIN_VALUE,
                                Long.MAX_VALUE));
            default -> throw invalid("The option `sources` must be all, range or sample, but is `" + kind + "`.");
        };
    }

    private static Wanted backend(String name) {
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "auto" -> Wanted.AUTO;
            case "cuda" -> Wanted.CUDA;
            case "cpu" -> Wanted.CPU;
            default -> throw invalid("The option `backend` must be auto, cuda or cpu, but is `" + name + "`.");
        };
    }

    private static int count(CaseInsensitiveStringMap options, String name, long absent) {
        return (int) number(options, name, absent, 1, Integer.MAX_VALUE);
    }

    /** An integer; null for {@code absent} means that the option is mandatory. */
    private static long number(CaseInsensitiveStringMap options, String name, Long absent, long least, long most) {
        String text = text(options, name, "");
        if (text.isEmpty() && absent != null) {
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
        throw invalid("The option `" + name + "` must be an integer from " + least + " to " + most + ", but is "
                + (text.isEmpty() ? "missing." : "`" + text + "`."));
    }

    /** The value of an option; {@code absent} if it is not set, or null, as None of Python is. */
    private static String text(CaseInsensitiveStringMap options, String name, String absent) {
        String text = options.get(name);
        return text == null ? absent : text.strip();
    }

    static ProximaSparkException invalid(String message) {
        return new ProximaSparkException(Reason.INVALID_OPTION, message);
    }
}
