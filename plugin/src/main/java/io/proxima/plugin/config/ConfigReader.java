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
package io.proxima.plugin.config;

import io.proxima.plugin.ProximaException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;
import org.apache.commons.text.similarity.JaroWinklerSimilarity;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.Path;
import org.neo4j.graphdb.Relationship;

/**
 * Reads a configuration map strictly, in GDS's manner and words. Keys are case-insensitive, a null value means that the
 * key is absent, and a value is never converted. Faults are collected: a faulty key reads as its default, and
 * {@link #finish()} throws all of them together, unknown keys last. What was read is kept as the effective
 * configuration. Not thread-safe.
 */
public final class ConfigReader {

    private static final double SIMILAR = 0.8;

    /** Bytes for that many of anything still are a long. */
    private static final long MAX_COUNT = 1L << 48;

    private final TreeMap<String, Object> values = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private final TreeSet<String> known = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    /** Given keys that a missing mandatory key was told to resemble: not reported a second time. */
    private final TreeSet<String> explained = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);

    private final Map<String, Object> effective = new LinkedHashMap<>();
    private final List<String> faults;

    private ConfigReader(String argument, Map<?, ?> map, List<String> faults) {
        this.faults = faults;
        map.forEach((key, value) -> {
            if (value != null && values.put(String.valueOf(key), value) != null) {
                faults.add("The key `" + key + "` is given twice in `" + argument
                        + "`: keys are the same regardless of case.");
            }
        });
    }

    /**
     * Begins to read an argument.
     *
     * @param argument the argument's name, for messages
     * @param map what the caller gave
     * @throws ProximaException if the map is null
     */
    public static ConfigReader of(String argument, Map<?, ?> map) {
        if (map == null) {
            throw ProximaException.invalidArgument(
                    "`" + argument + "` can not be null. Give a map, {} for the defaults.");
        }
        return new ConfigReader(argument, map, new ArrayList<>());
    }

    /**
     * Begins to read an argument that may be anything.
     *
     * @throws ProximaException if it is no map
     */
    public static ConfigReader ofArgument(String argument, Object given) {
        if (given != null && !(given instanceof Map)) {
            throw ProximaException.invalidArgument(
                    "`" + argument + "` must be of type `Map` but was " + shown(given) + ".");
        }
        return of(argument, (Map<?, ?>) given);
    }

    /** Begins to read a map within this one; its faults are reported with this one's. */
    ConfigReader inner(String name, Map<?, ?> map) {
        return new ConfigReader(name, map, faults);
    }

    /** Whether the key is given. */
    public boolean has(String key) {
        return values.containsKey(key);
    }

    /** A flag. */
    public boolean readBoolean(String key, boolean defaultValue) {
        return effective(key, read(key, Boolean.class, defaultValue));
    }

    /** A whole number from {@code min} to {@code max}, both inclusive. */
    public int readInt(String key, int defaultValue, int min, int max) {
        long value = read(key, Long.class, (long) defaultValue);
        if (value < min || value > max) {
            fault("Value for `" + key + "` was `" + value + "`, but must be within the range [" + min + ", " + max
                    + "].");
            value = defaultValue;
        }
        return (int) effective(key, value).longValue();
    }

    /** A number of things, 0 to 2^48; {@code absent}, which may be negative, also stands for itself. */
    public long readCount(String key, long absent) {
        long value = read(key, Long.class, absent);
        if ((value < 0 || value > MAX_COUNT) && value != absent) {
            fault("Value for `" + key + "` was `" + value + "`, but must be within the range [0, " + MAX_COUNT
                    + "], or " + absent + " for the database's own count.");
            value = absent;
        }
        return effective(key, value);
    }

    /** A number of threads, at least 1. */
    public int readConcurrency(String key, int defaultValue) {
        Object value = take(key);
        int threads = defaultValue;
        if (value instanceof Long number) {
            if (number < 1 || number > Integer.MAX_VALUE) {
                fault("Valid values for Concurrency are int[1..], Value provided was `" + number + "`.");
            } else {
                threads = Math.toIntExact(number);
            }
        } else if (value != null) {
            fault("Unsupported Concurrency input of type " + typeName(value));
        }
        effective(key, (long) threads);
        return threads;
    }

    /** The number of threads that a key gives, without reporting a fault: for another key's default. */
    public int peekConcurrency(String key, int defaultValue) {
        return values.get(key) instanceof Long number && number >= 1 && number <= Integer.MAX_VALUE
                ? Math.toIntExact(number)
                : defaultValue;
    }

    /** A text; null if absent and without a default. */
    public String readString(String key, String defaultValue) {
        return effective(key, read(key, String.class, defaultValue));
    }

    /** The name of a property to be written; empty if absent, and then no part of the effective configuration. */
    public String readOptionalPropertyName(String key) {
        return has(key) ? readPropertyName(key) : read(key, String.class, "");
    }

    /** The name of a property to be written; mandatory. */
    public String readPropertyName(String key) {
        String name = read(key, String.class, null);
        if (name == null || name.isEmpty()) {
            if (name != null || !has(key)) {
                missing(key);
            }
            return "";
        }
        if (!name.strip().equals(name)) {
            fault("`" + key + "` must not end or begin with whitespace characters, but got `" + name + "`.");
        }
        return effective(key, name);
    }

    /** One of the constants of an enum, written in any case. */
    public <E extends Enum<E>> E readEnum(String key, E defaultValue) {
        return readEnum(key, defaultValue, EnumSet.allOf(defaultValue.getDeclaringClass()));
    }

    /** One of these constants of an enum, written in any case. */
    public <E extends Enum<E>> E readEnum(String key, E defaultValue, Set<E> allowed) {
        return readOneOf(key, defaultValue, allowed.stream().sorted().toList(), ConfigReader::written);
    }

    /** One of these values, whose name is written in any case. */
    public <T> T readOneOf(String key, T defaultValue, List<T> allowed, Function<T, String> naming) {
        String name = read(key, String.class, null);
        T result = defaultValue;
        if (name != null) {
            Optional<T> found = allowed.stream()
                    .filter(value -> naming.apply(value).equalsIgnoreCase(name))
                    .findFirst();
            if (found.isEmpty()) {
                List<String> names = allowed.stream()
                        .map(value -> "'" + naming.apply(value) + "'")
                        .toList();
                fault("Value for `" + key + "` was `" + name + "`, but must be one of " + names + ".");
            }
            result = found.orElse(defaultValue);
        }
        effective(key, naming.apply(result));
        return result;
    }

    /** A list of texts. */
    public List<String> readStrings(String key, List<String> defaultValue) {
        Collection<?> given = read(key, Collection.class, null);
        if (given == null) {
            return effective(key, defaultValue);
        }
        List<String> texts = new ArrayList<>();
        for (Object element : given) {
            if (element instanceof String text) {
                texts.add(text);
            } else {
                fault("The elements of `" + key + "` must be of type `String` but one was " + shown(element) + ".");
            }
        }
        return effective(key, Collections.unmodifiableList(texts));
    }

    /** The name of the job, a new random one if absent. */
    public String readJobId(String key) {
        Object value = take(key);
        String jobId = "";
        if (value instanceof String text) {
            jobId = text.strip();
        } else if (value != null) {
            fault("Expected JobId or String. Got " + typeName(value) + ".");
        }
        return effective(key, jobId.isEmpty() ? UUID.randomUUID().toString() : jobId);
    }

    /** One node; mandatory. */
    public long readNode(String key, NodeArguments nodes) {
        Object value = take(key);
        if (value == null) {
            missing(key);
            return -1;
        }
        long[] ids = nodes.single(key, value, faults);
        return ids.length == 0 ? -1 : effective(key, ids[0]);
    }

    /**
     * One or several nodes, in the order given, repeats kept.
     *
     * @param mandatory whether there must be at least one
     */
    public long[] readNodes(String key, boolean mandatory, NodeArguments nodes) {
        Object value = take(key);
        if (value == null) {
            if (mandatory) {
                missing(key);
            } else {
                effective(key, List.of());
            }
            return new long[0];
        }
        int faultsBefore = faults.size();
        long[] ids = nodes.several(key, value, faults);
        if (mandatory && ids.length == 0 && faults.size() == faultsBefore) {
            fault("`" + key + "` must name at least one node, but it was an empty list.");
        }
        effective(key, Arrays.stream(ids).boxed().toList());
        return ids;
    }

    /** A text that is part of the effective configuration only if it is given; empty if absent. */
    public String readOptionalString(String key) {
        return has(key) ? readString(key, "") : read(key, String.class, "");
    }

    /** Whatever stands there; null if absent. It is not part of the effective configuration. */
    public Object readAny(String key) {
        return take(key);
    }

    /** Whether something stands there that is neither {@code ''} nor an empty list or map: properties, which nobody projects. */
    public boolean asksForProperties(String key) {
        Object given = take(key);
        boolean empty = given == null
                || given.equals("")
                || (given instanceof Collection<?> list && list.isEmpty())
                || (given instanceof Map<?, ?> map && map.isEmpty());
        return !empty;
    }

    /** Refuses properties under that key. */
    public void refuseProperties(String key) {
        if (asksForProperties(key)) {
            fault("Proxima projects topology only, but `" + key + "` asks for properties. Leave it out.");
        }
    }

    /** Adds a fault that only the caller can see. */
    public void fault(String message) {
        faults.add(message);
    }

    /** Reports keys that nobody asked for; every key that is allowed has been read by now. */
    void rejectUnknownKeys() {
        List<String> unknown = new ArrayList<>();
        for (String key : values.keySet()) {
            if (!known.contains(key) && !explained.contains(key)) {
                List<String> similar =
                        similar(key, known.stream().filter(k -> !has(k)).toList());
                unknown.add(
                        switch (similar.size()) {
                            case 0 -> key;
                            case 1 -> key + " (Did you mean [" + similar.get(0) + "]?)";
                            default -> key + " (Did you mean one of [" + String.join(", ", similar) + "]?)";
                        });
            }
        }
        if (!unknown.isEmpty()) {
            fault("Unexpected configuration key" + (unknown.size() == 1 ? "" : "s") + ": "
                    + String.join(", ", unknown));
        }
    }

    /**
     * Ends the reading.
     *
     * @return the effective configuration, defaults included, in the order read; to be changed by the caller only
     * @throws ProximaException with every fault found
     */
    public Map<String, Object> finish() {
        rejectUnknownKeys();
        if (!faults.isEmpty()) {
            throw ProximaException.invalidArguments(faults);
        }
        return effective;
    }

    /** A constant as users write it: lower case, with hyphens. */
    public static String written(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The constant of that name in any case, null if there is none. */
    static <E extends Enum<E>> E constant(Class<E> type, String name) {
        for (E constant : type.getEnumConstants()) {
            if (written(constant).equalsIgnoreCase(name)) {
                return constant;
            }
        }
        return null;
    }

    /** The type of a Cypher value as messages name it. */
    public static String typeName(Object value) {
        if (value == null) {
            return "null";
        }
        for (Class<?> type : List.of(Collection.class, Map.class, Node.class, Relationship.class, Path.class)) {
            if (type.isInstance(value)) {
                return type == Collection.class ? "List" : type.getSimpleName();
            }
        }
        return value.getClass().getSimpleName();
    }

    private static String shown(Object value) {
        return "`" + typeName(value) + "`";
    }

    private <T> T read(String key, Class<T> type, T defaultValue) {
        Object value = take(key);
        if (value == null) {
            return defaultValue;
        }
        if (!type.isInstance(value)) {
            String wanted = type == Collection.class ? "List" : type.getSimpleName();
            fault("The value of `" + key + "` must be of type `" + wanted + "` but was " + shown(value) + ".");
            return defaultValue;
        }
        return type.cast(value);
    }

    private Object take(String key) {
        known.add(key);
        return values.get(key);
    }

    private <T> T effective(String key, T value) {
        effective.put(key, value);
        return value;
    }

    private void missing(String key) {
        List<String> similar = similar(
                key,
                values.keySet().stream()
                        .filter(k -> !known.contains(k) && !k.equalsIgnoreCase(key))
                        .toList());
        explained.addAll(similar);
        fault("No value specified for the mandatory configuration parameter `" + key + "`"
                + (similar.isEmpty() ? "" : " (a similar parameter exists: [" + String.join(", ", similar) + "])"));
    }

    private static List<String> similar(String key, List<String> candidates) {
        JaroWinklerSimilarity similarity = new JaroWinklerSimilarity();
        String wanted = key.toLowerCase(Locale.ROOT);
        Map<String, Double> scores = new LinkedHashMap<>();
        for (String candidate : candidates) {
            double score = similarity.apply(wanted, candidate.toLowerCase(Locale.ROOT));
            if (score > SIMILAR) {
                scores.put(candidate, score);
            }
        }
        return scores.entrySet().stream()
                .sorted(Map.Entry.<String, Double>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .map(Map.Entry::getKey)
                .toList();
    }
}
