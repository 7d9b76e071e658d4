// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.fake;

import io.proxima.backend.cuda.driver.DeviceDriver;
import io.proxima.backend.cuda.driver.KernelArguments;
import io.proxima.backend.cuda.driver.KernelArguments.Field;
import io.proxima.backend.cuda.driver.KernelArguments.Kind;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What a host must know of compiled kernels to launch them: the arguments of their entries, and the constants that host and
 * kernels share.
 *
 * @param entries by name; no two modules have an entry of the same name
 * @param constants by name
 */
public record KernelInterface(Map<String, Entry> entries, Map<String, Long> constants) {

    /** The interface of the committed kernels, which build.sh writes. */
    public static final KernelInterface COMMITTED = committed();

    private static final Pattern PTX_ENTRY = Pattern.compile("\\.entry (\\w+)");

    /**
     * The struct that an entry takes.
     *
     * @param bytes padding included
     * @param fields by offset, those of nested structs among them
     */
    public record Struct(String name, int bytes, List<Field> fields) {

        /**
         * Fails unless a launch suits the struct.
         *
         * @param isAllocated whether an address is of memory that the device can reach now
         */
        void check(String entry, KernelArguments arguments, LongPredicate isAllocated) {
            byte[] given = arguments.bytes();
            if (!arguments.fields().equals(fields) || given.length != bytes) {
                throw new AssertionError(String.format(
                        "%s: wanted %s of %d bytes with%n%s%n, given %d bytes with%n%s",
                        entry, name, bytes, words(fields), given.length, words(arguments.fields())));
            }
            ByteBuffer values = ByteBuffer.wrap(given).order(ByteOrder.nativeOrder());
            for (Field field : fields) {
                boolean isPointer = field.kind() == Kind.PTR;
                if (isPointer || field.kind() == Kind.U64) {
                    long value = values.getLong(field.offset());
                    if (isPointer ? value != 0 && !isAllocated.test(value) : isAllocated.test(value)) {
                        throw new AssertionError(String.format(
                                "%s: wanted %s as %s, given %s%d",
                                entry,
                                isPointer ? "an address" : "a number",
                                field.name(),
                                isPointer ? "" : "the address ",
                                value));
                    }
                }
            }
        }

        private static String words(List<Field> fields) {
            return fields.stream()
                    .map(field -> field.offset() + " " + field.kind() + " " + field.name())
                    .collect(Collectors.joining(", "));
        }
    }

    /**
     * An entry.
     *
     * @param module name of its source file without extension
     * @param threads of a block; 0 if the kernel leaves that open
     * @param argument its only one
     */
    public record Entry(String module, String name, int threads, Struct argument) {

        /**
         * Fails unless a launch suits the entry.
         *
         * @param isAllocated whether an address is of memory that the device can reach now
         */
        void check(DeviceDriver.Shape shape, KernelArguments arguments, LongPredicate isAllocated) {
            if (threads != 0 && shape.threads() != threads) {
                throw new AssertionError(
                        String.format("%s: wanted blocks of %d threads, given %d", name, threads, shape.threads()));
            }
            argument.check(name, arguments, isAllocated);
        }
    }

    /** The entry of a module, null if it has none of that name. */
    Entry entry(String module, String name) {
        Entry entry = entries.get(name);
        return entry == null || !entry.module().equals(module) ? null : entry;
    }

    /** The module of PTX; of code without entries that code, as a module's name. */
    String module(String code) {
        Matcher entry = PTX_ENTRY.matcher(code);
        return entry.find() ? entries.get(entry.group(1)).module() : code;
    }

    private static KernelInterface committed() {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                KernelInterface.class.getResourceAsStream("/io/proxima/backend/cuda/kernels.interface"),
                StandardCharsets.US_ASCII))) {
            return of(lines.lines().toList());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the interface of the kernels", e);
        }
    }

    /** Reads the lines that build.sh describes. */
    public static KernelInterface of(List<String> lines) {
        Map<String, Integer> structBytes = new TreeMap<>();
        Map<String, List<Field>> structFields = new TreeMap<>();
        Map<String, String[]> entryWords = new TreeMap<>();
        Map<String, Long> constants = new TreeMap<>();
        List<String> repeated = new ArrayList<>();
        for (String line : lines) {
            String[] words = line.split(" ", -1);
            boolean isNew =
                    switch (words[0]) {
                        case "entry" -> entryWords.put(words[2], words) == null;
                        case "struct" -> structBytes.put(words[1], Integer.parseInt(words[2])) == null;
                        case "field" ->
                            structFields
                                    .computeIfAbsent(words[1], name -> new ArrayList<>())
                                    .add(new Field(
                                            words[4],
                                            Kind.valueOf(words[3].toUpperCase(Locale.ROOT)),
                                            Integer.parseInt(words[2])));
                        case "constant" -> constants.put(words[1], Long.parseLong(words[2])) == null;
                        default -> throw new IllegalArgumentException("no line of an interface: " + line);
                    };
            if (!isNew) {
                repeated.add(line);
            }
        }
        structFields.values().forEach(fields -> fields.sort(Comparator.comparingInt(Field::offset)));
        structFields.forEach((name, fields) -> {
            long places = fields.stream().mapToInt(Field::offset).distinct().count();
            if (places != fields.size()) {
                repeated.add("struct " + name + ": " + fields);
            }
        });
        if (!repeated.isEmpty()) {
            throw new IllegalArgumentException("kernels disagree with each other: " + repeated);
        }
        Map<String, Entry> entries = new TreeMap<>();
        entryWords.forEach((name, words) -> {
            Struct argument = new Struct(words[4], structBytes.get(words[4]), structFields.get(words[4]));
            int threads = words[3].equals("-") ? 0 : Integer.parseInt(words[3]);
            entries.put(name, new Entry(words[1], name, threads, argument));
        });
        return new KernelInterface(entries, constants);
    }
}
