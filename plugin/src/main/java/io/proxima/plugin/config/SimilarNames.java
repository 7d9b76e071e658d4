// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.config;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.commons.text.similarity.JaroWinklerSimilarity;
import org.apache.commons.text.similarity.LevenshteinDistance;

/** Names that a caller may have meant. */
public final class SimilarNames {

    /** The maximum length of a name that is compared. */
    static final int LONGEST = 100;

    /** The maximum number of names that are compared: a database may have thousands of property keys. */
    static final int MOST = 10_000;

    private static final double SIMILAR = 0.8;

    /** The similarity of a name to one that has it as a word, at the least. */
    private static final double WORD = 0.85;

    /** What is less similar than the most similar name by more than this is none that a caller may have meant. */
    private static final double LESS = 0.05;

    /** Up to this length, letters say enough; a long name may only begin like another. */
    private static final int SHORT = 5;

    private static final int LEAST_WORD = 4;

    private SimilarNames() {}

    /**
     * The end of a message about an unknown name, such as " (Did you mean [maxDepth]?)"; empty without similar names.
     */
    public static String hint(String unknown, Collection<String> known) {
        return hint(unknown, known, name -> true);
    }

    /** The same of those names that are wanted. Only similar names are tested. */
    public static String hint(String unknown, Collection<String> known, Predicate<String> wanted) {
        return hint(of(unknown, known, wanted));
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
        return of(name, candidates, candidate -> true);
    }

    private static List<String> of(String name, Collection<String> candidates, Predicate<String> wanted) {
        if (name.length() > LONGEST) {
            return List.of();
        }
        Map<String, Double> scores = new LinkedHashMap<>();
        candidates.stream()
                .filter(candidate -> candidate.length() <= LONGEST)
                .limit(MOST)
                .forEach(candidate -> {
                    double score = similarity(name, candidate);
                    if (score > SIMILAR && wanted.test(candidate)) {
                        scores.put(candidate, score);
                    }
                });
        double best = scores.values().stream().mapToDouble(score -> score).max().orElse(0);
        return scores.entrySet().stream()
                .filter(entry -> entry.getValue() >= best - LESS)
                .sorted(Map.Entry.<String, Double>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Jaro and Winkler's similarity, or a lower value if it stands for a common beginning only. */
    private static double similarity(String one, String other) {
        if (hasWord(one, other) || hasWord(other, one)) {
            return Math.max(WORD, ofLetters(one, other));
        }
        String first = one.toLowerCase(Locale.ROOT);
        String second = other.toLowerCase(Locale.ROOT);
        int shorter = Math.min(first.length(), second.length());
        int longer = Math.max(first.length(), second.length());
        int different = Arrays.mismatch(first.toCharArray(), second.toCharArray());
        int same = different < 0 ? shorter : different;
        boolean isClose = longer <= SHORT
                || LevenshteinDistance.getDefaultInstance().apply(first, second) <= (longer + 1) / 3
                || 3 * same >= 2 * shorter;
        return isClose ? ofLetters(one, other) : 0;
    }

    private static double ofLetters(String one, String other) {
        return new JaroWinklerSimilarity().apply(one.toLowerCase(Locale.ROOT), other.toLowerCase(Locale.ROOT));
    }

    /** Whether a name in camel case or with other separators has words that make up another name, not at its start. */
    private static boolean hasWord(String name, String words) {
        if (words.length() < LEAST_WORD) {
            return false;
        }
        int place = 1;
        // not in lower case, in which a name may be longer
        while (place < name.length() && !name.regionMatches(true, place, words, 0, words.length())) {
            place++;
        }
        return place < name.length()
                && (Character.isUpperCase(name.charAt(place)) != Character.isUpperCase(name.charAt(place - 1))
                        || !Character.isLetterOrDigit(name.charAt(place - 1)));
    }
}
