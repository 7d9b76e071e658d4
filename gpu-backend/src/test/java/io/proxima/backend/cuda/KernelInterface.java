/*
 * Copyright 2026 The Proxima authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.proxima.backend.cuda;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What a host must know of compiled kernels to launch them: the parameters of their entries, and the constants that host and
 * kernels share.
 *
 * @param entries by name; no two modules have an entry of the same name
 * @param constants by name
 */
record KernelInterface(Map<String, Entry> entries, Map<String, Long> constants) {

    /** The interface of the committed kernels, which build.sh writes. */
    static final KernelInterface COMMITTED = committed();

    private static final Pattern PTX_ENTRY = Pattern.compile("\\.entry (\\w+)");

    /** The kind of a parameter. */
    enum Kind {
        PTR("an address", Long.class),
        U64("a 64-bit integer", Long.class),
        U32("a 32-bit integer", Integer.class),
        F32("a 32-bit float", Float.class);

        private final String words;
        private final Class<?> type;

        Kind(String words, Class<?> type) {
            this.words = words;
            this.type = type;
        }

        int bytes() {
            return type == Long.class ? Long.BYTES : Integer.BYTES;
        }
    }

    /**
     * An entry.
     *
     * @param module name of its source file without extension
     * @param threads of a block; 0 if the kernel leaves that open
     * @param parameters in their order
     */
    record Entry(String module, String name, int threads, List<Kind> parameters) {

        /**
         * Fails unless a launch suits the entry.
         *
         * @param isAllocated whether an address is of memory that the device can reach now
         */
        void check(DeviceDriver.Shape shape, Object[] arguments, LongPredicate isAllocated) {
            if (threads != 0 && shape.threads() != threads) {
                throw new AssertionError(
                        String.format("%s: wanted blocks of %d threads, given %d", name, threads, shape.threads()));
            }
            if (arguments.length != parameters.size()) {
                throw new AssertionError(String.format(
                        "%s: wanted %d arguments, given %d: %s",
                        name, parameters.size(), arguments.length, Arrays.toString(arguments)));
            }
            for (int i = 0; i < arguments.length; i++) {
                if (!suits(parameters.get(i), arguments[i], isAllocated)) {
                    throw new AssertionError(String.format(
                            "%s, argument %d of %d: wanted %s, given %s",
                            name, i + 1, arguments.length, parameters.get(i).words, words(arguments[i], isAllocated)));
                }
            }
        }

        private static boolean suits(Kind kind, Object argument, LongPredicate isAllocated) {
            if (!kind.type.isInstance(argument)) {
                return false;
            }
            if (kind.type != Long.class) {
                return true;
            }
            long value = (Long) argument;
            return kind == Kind.PTR ? value == 0 || isAllocated.test(value) : !isAllocated.test(value);
        }

        private static String words(Object argument, LongPredicate isAllocated) {
            boolean isAddress = argument instanceof Long value && isAllocated.test(value);
            return (isAddress ? "the address " : argument.getClass().getSimpleName() + " ") + argument;
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
                KernelInterface.class.getResourceAsStream("kernels.interface"), StandardCharsets.US_ASCII))) {
            return of(lines.lines().toList());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the interface of the kernels", e);
        }
    }

    /** Reads the lines that build.sh describes. */
    static KernelInterface of(List<String> lines) {
        Map<String, Entry> entries = new TreeMap<>();
        Map<String, Long> constants = new TreeMap<>();
        List<String> repeated = new ArrayList<>();
        for (String line : lines) {
            String[] words = line.split(" ", -1);
            boolean isNew;
            if (words[0].equals("entry")) {
                int threads = words[3].equals("-") ? 0 : Integer.parseInt(words[3]);
                List<Kind> kinds = Arrays.stream(words, 4, words.length)
                        .map(word -> Kind.valueOf(word.toUpperCase(Locale.ROOT)))
                        .collect(Collectors.toUnmodifiableList());
                isNew = entries.put(words[2], new Entry(words[1], words[2], threads, kinds)) == null;
            } else if (words[0].equals("constant") && words.length == 3) {
                isNew = constants.put(words[1], Long.parseLong(words[2])) == null;
            } else {
                throw new IllegalArgumentException("neither an entry nor a constant: " + line);
            }
            if (!isNew) {
                repeated.add(line);
            }
        }
        if (!repeated.isEmpty()) {
            throw new IllegalArgumentException("kernels disagree with each other: " + repeated);
        }
        return new KernelInterface(entries, constants);
    }
}
