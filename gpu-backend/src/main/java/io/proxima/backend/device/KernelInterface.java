// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The entries of compiled kernels, and the struct that each takes by value.
 *
 * @param entries by name; no two modules have an entry of the same name
 */
public record KernelInterface(Map<String, Entry> entries) {

    /** The type of a field. */
    public enum Kind {
        /** A device address, 0 for null. */
        PTR,
        /** A 64-bit integer. */
        U64,
        /** A 32-bit integer. */
        U32,
        /** A 32-bit float. */
        F32
    }

    /**
     * A field.
     *
     * @param offset in bytes, from the start of the struct
     */
    public record Field(Kind kind, int offset) {}

    /**
     * A struct that an entry takes.
     *
     * @param bytes padding included
     * @param fields by name, those of nested structs and of its base among them
     */
    public record Struct(int bytes, Map<String, Field> fields) {}

    /**
     * An entry.
     *
     * @param module name of its source file without extension
     * @param threads of a block; 0 if the kernel leaves that open
     * @param argument its only one
     */
    public record Entry(String module, String name, int threads, Struct argument) {}

    /** The entry of a name. */
    public Entry entry(String name) {
        Entry entry = entries.get(name);
        if (entry == null) {
            throw new IllegalArgumentException("no kernel has the entry " + name);
        }
        return entry;
    }

    /** The argument of an entry, with no field set. */
    public KernelArguments arguments(String name) {
        return new KernelArguments(entry(name));
    }

    /**
     * Reads a file {@code kernels.interface} of this jar.
     *
     * @param folder in the jar, with a slash at both ends
     */
    public static KernelInterface shippedIn(String folder) {
        String lines = new String(shipped(folder + "kernels.interface"), StandardCharsets.US_ASCII);
        return of(lines.lines().toList());
    }

    /** The bytes of a file of this jar: the interface of kernels, or their code. */
    public static byte[] shipped(String file) {
        try (InputStream in = KernelInterface.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("Proxima's jar has no file " + file);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    /** Reads the lines of a file {@code kernels.interface}. */
    public static KernelInterface of(List<String> lines) {
        Map<String, Struct> structs = new HashMap<>();
        Map<String, Entry> entries = new TreeMap<>();
        for (String line : lines) {
            String[] words = line.split(" ", -1);
            if (words[0].equals("struct")) {
                add(structs, words[1], new Struct(Integer.parseInt(words[2]), new TreeMap<>()));
            }
        }
        for (String line : lines) {
            String[] words = line.split(" ", -1);
            if (words[0].equals("field")) {
                Kind kind = Kind.valueOf(words[3].toUpperCase(Locale.ROOT));
                add(structs.get(words[1]).fields(), words[4], new Field(kind, Integer.parseInt(words[2])));
            } else if (words[0].equals("entry")) {
                int threads = words[3].equals("-") ? 0 : Integer.parseInt(words[3]);
                add(entries, words[2], new Entry(words[1], words[2], threads, structs.get(words[4])));
            }
        }
        return new KernelInterface(entries);
    }

    private static <T> void add(Map<String, T> all, String name, T one) {
        if (all.put(name, one) != null) {
            throw new IllegalArgumentException("kernels disagree with each other: " + name);
        }
    }
}
