// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.config;

/**
 * A configuration key, declared once: {@link ConfigReader} reads it, and {@code proxima.help} and the tests of the
 * manual and of the descriptions take its name, default and meaning from what was read.
 *
 * @param name the key
 * @param absent the value of an absent key; null if there is none
 * @param absence what an absent key means, in words; null if it means the value
 * @param meaning what the key does, in a sentence; empty for a key of an inner map, which help does not show
 */
public record Key<T>(String name, T absent, String absence, String meaning) {

    /** A key with a default. */
    public static <T> Key<T> of(String name, T absent, String meaning) {
        return new Key<>(name, absent, null, meaning);
    }

    /** A mandatory key. */
    public static <T> Key<T> of(String name, String meaning) {
        return new Key<>(name, null, null, meaning);
    }

    /** This key, whose absence has a meaning of its own. */
    public Key<T> absentMeans(String words) {
        return new Key<>(name, absent, words, meaning);
    }

    /** A key of an inner map. */
    static <T> Key<T> inner(String name, T absent) {
        return of(name, absent, "");
    }
}
