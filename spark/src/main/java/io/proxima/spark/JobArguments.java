// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.spark;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The arguments of {@link ClosenessJob}.
 *
 * @param output the folder of the results, as Hadoop's FileSystem takes it
 * @param wave sources of a wave; 0 to derive it from the measured rate
 * @param waveMinutes minutes that a wave should take
 * @param csv whether to write the results as CSV, too
 * @param options the options of the data source
 */
record JobArguments(String output, int wave, int waveMinutes, boolean csv, Map<String, String> options) {

    private static final String OUTPUT = "output";
    private static final String WAVE = "wave";
    private static final String WAVE_MINUTES = "waveMinutes";
    private static final String CSV = "csv";
    private static final int USUAL_WAVE_MINUTES = 30;

    /** Arguments that are passed on to the data source. */
    private static final List<String> PASSED_ON = List.of(
            ScanOptions.GRAPH,
            ScanOptions.FINGERPRINT,
            ScanOptions.MEASURES,
            ScanOptions.BACKEND,
            ScanOptions.BATCH,
            ScanOptions.RATE,
            ScanOptions.CONCURRENCY,
            ScanOptions.CACHE_DIRECTORY);

    /**
     * Reads the arguments, each as {@code --name value}.
     *
     * @throws ProximaSparkException if one is unknown, missing, or has a value that is not allowed
     */
    static JobArguments of(String... arguments) {
        Map<String, String> values = new LinkedHashMap<>();
        for (int i = 0; i < arguments.length; i += 2) {
            String name = arguments[i].startsWith("--") ? arguments[i].substring(2) : "";
            if (!PASSED_ON.contains(name)
                    && !List.of(OUTPUT, WAVE, WAVE_MINUTES, CSV).contains(name)) {
                throw ScanOptions.invalid("Unknown argument `" + arguments[i]
                        + "`. The arguments are: --output, --wave, --waveMinutes, --csv, --"
                        + String.join(", --", PASSED_ON) + ".");
            }
            if (i + 1 == arguments.length) {
                throw ScanOptions.invalid("The argument `" + arguments[i] + "` has no value.");
            }
            values.put(name, arguments[i + 1]);
        }
        String output = values.remove(OUTPUT);
        if (output == null || !values.containsKey(ScanOptions.GRAPH)) {
            throw ScanOptions.invalid(
                    "The arguments `--graph`, the exported graph, and `--output`, a folder for the results,"
                            + " are mandatory.");
        }
        return new JobArguments(
                output,
                number(values, WAVE, 0),
                number(values, WAVE_MINUTES, USUAL_WAVE_MINUTES),
                bool(values),
                Map.copyOf(values));
    }

    private static int number(Map<String, String> values, String name, int absent) {
        String text = values.remove(name);
        if (text == null) {
            return absent;
        }
        try {
            int number = Integer.parseInt(text);
            if (number > 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            // reported below
        }
        throw ScanOptions.invalid("The argument `--" + name + "` must be an integer from 1 to " + Integer.MAX_VALUE
                + ", but is `" + text + "`.");
    }

    private static boolean bool(Map<String, String> values) {
        String text = values.getOrDefault(CSV, "false");
        values.remove(CSV);
        if (!text.equals("true") && !text.equals("false")) {
            throw ScanOptions.invalid("The argument `--csv` must be true or false, but is `" + text + "`.");
        }
        return text.equals("true");
    }
}
