// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.commons.text.similarity.JaroWinklerSimilarity;

/** Names that a caller may have meant. */
public final class SimilarNames {

    /** The maximum length of a name, and the maximum number of names, that are compared. */
    static final int MOST = 100;

    private static final double SIMILAR = 0.8;

    private SimilarNames() {}

    /**
     * The end of a message about an unknown name, such as " (Did you mean [maxDepth]?)"; empty without similar names.
     */
    public static String hint(String unknown, Collection<String> known) {
        return hint(of(unknown, known));
    }

    static String hint(List<String> similar) {
        return switch (similar.size()) {
            case 0 -> "";
            case 1 -> " (Did you mean [" + similar.get(0) + "]?)";
            default -> " (Did you mean one of [" + String.join(", ", similar) + "]?)";
        };
    }

    /** The similar names, the most similar first. */
    static List<String> of(String name, Collection<String> candidates) {
        if (name.length() > MOST) {
            return List.of();
        }
        JaroWinklerSimilarity similarity = new JaroWinklerSimilarity();
        String wanted = name.toLowerCase(Locale.ROOT);
        Map<String, Double> scores = new LinkedHashMap<>();
        candidates.stream()
                .filter(candidate -> candidate.length() <= MOST)
                .limit(MOST)
                .forEach(candidate -> {
                    double score = similarity.apply(wanted, candidate.toLowerCase(Locale.ROOT));
                    if (score > SIMILAR) {
                        scores.put(candidate, score);
                    }
                });
        return scores.entrySet().stream()
                .sorted(Map.Entry.<String, Double>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .map(Map.Entry::getKey)
                .toList();
    }
}
