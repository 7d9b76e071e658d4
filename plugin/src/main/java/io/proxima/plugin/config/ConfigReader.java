// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.config;

import io.proxima.plugin.ProximaException;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Reads a configuration map strictly, following GDS's rules and messages. Keys are case-insensitive, a null value means
 * that the key is absent, and a value is never converted. Faults are collected: a faulty key is read as its default,
 * and {@link #finish()} throws all faults together, unknown keys last. The values read form the effective
 * configuration. Not thread-safe.
 */
public final class ConfigReader {

    private static final String STRING = CypherTypes.name(String.class);
    private static final String LIST_OF_STRINGS = "LIST<STRING>";
    private static final String A_NODE = "NODE, STRING or INTEGER";
    private static final String NONE = "none";

    /** The maximum length of the name of a property in Neo4j. */
    private static final int MAX_NAME = 65_534;

    /** The maximum count; its number of bytes fits into a long for any element size. */
    private static final long MAX_COUNT = 1L << 48;

    private static final String NO_RELATIONSHIPS = "Proxima creates no relationships. Give `writeProperty` or"
            + " `mutateProperty` for the cost of the path to each node, and take the paths from"
            + " `proxima.allShortestPaths.delta.stream`.";

    /** Keys by the names that other procedures and libraries give them, in lower case. */
    private static final Map<String, String> OTHER_NAMES = Map.of("randomseed", "samplingSeed", "seed", "samplingSeed");

    /** Keys of GDS that ask for something that Proxima does not have, with the answer. */
    private static final Map<String, String> UNSUPPORTED = Map.of(
            "relationshipWeightProperty",
            "`relationshipWeightProperty` is not supported by this procedure, which counts relationships. Leave it out,"
                    + " and project only the relationships that count. For weighted shortest paths, use"
                    + " `proxima.allShortestPaths.delta`.",
            "writeRelationshipType",
            NO_RELATIONSHIPS,
            "mutateRelationshipType",
            NO_RELATIONSHIPS,
            "seedProperty",
            "`seedProperty` is not supported: components are always computed from all relationships. Leave it out.");

    private final TreeMap<String, Object> values = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private final TreeSet<String> known = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    private final Map<String, KeyRead> keys = new LinkedHashMap<>();
    /** Given keys that resemble a missing mandatory key; they are not reported twice. */
    private final TreeSet<String> explained = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);

    private final Map<String, Object> effective = new LinkedHashMap<>();
    private final ArgumentBudget budget;
    private final Faults faults;

    private ConfigReader(ArgumentBudget budget, String argument, Map<?, ?> map, Faults faults) {
        this.budget = budget;
        this.faults = faults;
        budget.take(argument, map.size(), ArgumentBudget.NAME_BYTES);
        map.forEach((key, value) -> {
            budget.step();
            if (value != null && values.put(String.valueOf(key), value) != null) {
                faults.add("The key `" + Shown.text(String.valueOf(key)) + "` is given twice in `" + argument
                        + "`: keys are case-insensitive.");
            }
        });
    }

    /**
     * Starts to read an argument.
     *
     * @param budget counts all that is read
     * @param argument the argument's name, for messages
     * @param map the caller's value
     * @throws ProximaException if the map is null
     */
    public static ConfigReader of(ArgumentBudget budget, String argument, Map<?, ?> map) {
        if (map == null) {
            throw ProximaException.invalidArgument(
                    "`" + argument + "` can not be null. Give a map, {} for the defaults.");
        }
        return new ConfigReader(budget, argument, map, new Faults());
    }

    /**
     * Starts to read an argument of any type.
     *
     * @throws ProximaException if it is not a map
     */
    public static ConfigReader ofArgument(ArgumentBudget budget, String argument, Object given) {
        if (given != null && !(given instanceof Map)) {
            throw ProximaException.invalidArgument(
                    "`" + argument + "` must be of type `MAP` but was " + shown(given) + ".");
        }
        return of(budget, argument, (Map<?, ?>) given);
    }

    /**
     * A key, as users see it.
     *
     * @param key the key
     * @param type the Cypher types of its values
     * @param defaultValue the default in Cypher or in words, or {@link #MANDATORY}
     */
    public record KeyRead(Key<?> key, String type, String defaultValue) {
        /** The default of a key that must be given. */
        public static final String MANDATORY = "mandatory";
    }

    /** The keys that were read so far, in the order of reading. Keys that are only accepted for GDS are left out. */
    public List<KeyRead> keys() {
        return List.copyOf(keys.values());
    }

    /** Starts to read a map within this one; its faults are reported together with this one's. */
    ConfigReader inner(String name, Map<?, ?> map) {
        return new ConfigReader(budget, name, map, faults);
    }

    /** Counts all that is read from the arguments of the call. */
    public ArgumentBudget budget() {
        return budget;
    }

    /** Whether the key is present. */
    public boolean has(Key<?> key) {
        return values.containsKey(key.name());
    }

    /** Whether the key has this value. */
    public boolean has(Key<?> key, String value) {
        return value.equals(values.get(key.name()));
    }

    /** Whether the value is a string that matches. */
    public boolean matches(Key<?> key, Pattern pattern) {
        return values.get(key.name()) instanceof String text
                && pattern.matcher(text).matches();
    }

    /** Whether the value of a key is a list. */
    public boolean isList(Key<?> key) {
        return values.get(key.name()) instanceof Collection;
    }

    /** Reads a boolean. */
    public boolean readBoolean(Key<Boolean> key) {
        describe(key, CypherTypes.name(Boolean.class), cypher(key.absent()));
        return effective(key, read(key, Boolean.class, key.absent()));
    }

    /** Reads an integer from {@code min} to {@code max}, both inclusive. */
    public int readInt(Key<Integer> key, int min, int max) {
        describe(key, CypherTypes.name(Long.class), cypher(key.absent()));
        long value = read(key, Long.class, (long) key.absent());
        if (value < min || value > max) {
            fault("Value for `" + key.name() + "` was `" + value + "`, but must be within the range [" + min + ", "
                    + max + "].");
            value = key.absent();
        }
        return (int) effective(key, value).longValue();
    }

    /** Reads a number that is not NaN. */
    public double readNumber(Key<Double> key) {
        describe(key, "FLOAT", cypher(key.absent()));
        Object value = take(key);
        double given = key.absent();
        if (value instanceof Number number && !Double.isNaN(number.doubleValue())) {
            given = number.doubleValue();
        } else if (value != null) {
            fault("The value of `" + key.name() + "` must be of type `INTEGER` or `FLOAT` and not NaN, but was "
                    + (value instanceof Number ? "`NaN`" : shown(value)) + ".");
        }
        return effective(key, given);
    }

    /**
     * Reads a number above 0.
     *
     * @param key the key, which is in the effective configuration only if it is present
     * @param absent what an absent key means, in words
     */
    public double readPositive(Key<Double> key, String absent) {
        describe(key, "FLOAT", absent);
        Object value = take(key);
        if (value == null) {
            return key.absent();
        }
        if (!(value instanceof Number number)) {
            fault("The value of `" + key.name() + "` must be of type `INTEGER` or `FLOAT` but was " + shown(value)
                    + ".");
            return key.absent();
        }
        double given = number.doubleValue();
        if (!(given > 0 && given <= Double.MAX_VALUE)) {
            fault("Value for `" + key.name() + "` was `" + value + "`, but must be above 0 and finite.");
            return key.absent();
        }
        return effective(key, given);
    }

    /** Reads a count, 0 to 2^48; the value of an absent key, which may be negative, is allowed too. */
    public long readCount(Key<Long> key) {
        long absent = key.absent();
        describe(key, CypherTypes.name(Long.class), cypher(absent));
        long value = read(key, Long.class, absent);
        if ((value < 0 || value > MAX_COUNT) && value != absent) {
            fault("Value for `" + key.name() + "` was `" + value + "`, but must be within the range [0, " + MAX_COUNT
                    + "], or " + absent + " for the database's own count.");
            value = absent;
        }
        return effective(key, value);
    }

    /**
     * Reads a number of threads, at least 1; a number above {@code most} is lowered to it.
     *
     * @param absent what an absent key means, in Cypher or in words
     */
    public int readConcurrency(Key<Integer> key, int defaultValue, int most, String absent) {
        describe(key, CypherTypes.name(Long.class), absent);
        Object value = take(key);
        int threads = defaultValue;
        if (value instanceof Long number) {
            if (number < 1 || number > Integer.MAX_VALUE) {
                fault("Value for `" + key.name() + "` was `" + number + "`, but must be an INTEGER of at least 1.");
            } else {
                threads = Math.toIntExact(number);
            }
        } else if (value != null) {
            fault(wrongType(key, Long.class, value));
        }
        int capped = Math.min(threads, most);
        effective(key, (long) capped);
        return capped;
    }

    /** Reads a number of threads, at least 1; that of another key if absent. */
    public int readConcurrency(Key<Integer> key, Key<Integer> otherKey, int defaultValue, int most) {
        int other = values.get(otherKey.name()) instanceof Long number && number >= 1 && number <= Integer.MAX_VALUE
                ? Math.toIntExact(number)
                : defaultValue;
        return readConcurrency(key, other, most, "`" + otherKey.name() + "`");
    }

    /** Reads a string; null if absent and without a default. */
    public String readString(Key<String> key) {
        describe(key, STRING, cypher(key.absent()));
        return effective(key, read(key, String.class, key.absent()));
    }

    /**
     * Reads the name of a property to write. If absent, it is empty and not in the effective configuration.
     *
     * @param absent what an absent key means, in words
     */
    public String readOptionalPropertyName(Key<String> key, String absent) {
        String name = has(key) ? readPropertyName(key) : read(key, String.class, "");
        describe(key, STRING, absent);
        return name;
    }

    /** Reads the mandatory name of a property to write. */
    public String readPropertyName(Key<String> key) {
        describe(key, STRING, KeyRead.MANDATORY);
        String name = read(key, String.class, null);
        if (name == null || name.isEmpty()) {
            if (name != null || !has(key)) {
                missing(key);
            }
            return "";
        }
        if (!name.strip().equals(name)) {
            fault("`" + key.name() + "` must not end or begin with whitespace characters, but got `" + Shown.text(name)
                    + "`.");
        }
        requirePropertyName(key.name(), name);
        return effective(key, name);
    }

    /** Adds a fault if Neo4j allows no property of that name. */
    public void requirePropertyName(String key, String name) {
        if (name.length() > MAX_NAME || name.indexOf('\0') >= 0) {
            fault("`" + key + "` must have at most " + MAX_NAME + " characters, none of them U+0000, but got `"
                    + Shown.text(name) + "`.");
        }
    }

    /** Reads a constant of an enum, case-insensitively. */
    public <E extends Enum<E>> E readEnum(Key<E> key) {
        return readOneOf(key, List.of(key.absent().getDeclaringClass().getEnumConstants()), ConfigReader::written, "");
    }

    /**
     * Reads a constant of an enum by its own name, case-insensitively. It is not in the effective configuration.
     *
     * @param word the term for the constants, for messages
     */
    <E extends Enum<E>> E readConstant(Key<E> key, String word) {
        E defaultValue = key.absent();
        Object given = readAny(key, STRING, "'" + defaultValue.name() + "'");
        if (given == null) {
            return defaultValue;
        }
        E found = given instanceof String text ? constant(defaultValue.getDeclaringClass(), text.strip()) : null;
        if (found == null) {
            List<String> names = Arrays.stream(defaultValue.getDeclaringClass().getEnumConstants())
                    .map(constant -> "'" + constant.name() + "'")
                    .toList();
            fault(word + " `"
                    + (given instanceof Collection || given instanceof Map
                            ? CypherTypes.nameOf(given)
                            : Shown.text(given.toString()))
                    + "` is not supported. Must be one of: " + names + ".");
            return defaultValue;
        }
        return found;
    }

    /**
     * Reads a constant of an enum, case-insensitively, from a key that takes other strings and lists of them too.
     *
     * @param absent the value of an absent key
     * @param others ends the message of a fault, after the constants
     */
    public <E extends Enum<E>> E readEnum(Key<E> key, E absent, String others) {
        List<E> all = List.of(absent.getDeclaringClass().getEnumConstants());
        return readOneOf(key, STRING + " or " + LIST_OF_STRINGS, absent, all, ConfigReader::written, others);
    }

    /**
     * One of these values, whose name is written in any case.
     *
     * @param others ends the message of a fault, after the names
     */
    public <T> T readOneOf(Key<T> key, List<T> allowed, Function<T, String> naming, String others) {
        return readOneOf(key, STRING, key.absent(), allowed, naming, others);
    }

    private <T> T readOneOf(
            Key<T> key, String type, T defaultValue, List<T> allowed, Function<T, String> naming, String others) {
        describe(key, type, cypher(naming.apply(defaultValue)));
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
                fault("Value for `" + key.name() + "` was `" + Shown.text(name) + "`, but must be one of " + names
                        + others + ".");
            }
            result = found.orElse(defaultValue);
        }
        effective(key, naming.apply(result));
        return result;
    }

    /** Reads a list of strings; the result has each string once. */
    public List<String> readStrings(Key<List<String>> key) {
        describe(key, LIST_OF_STRINGS, cypher(key.absent()));
        Collection<?> given = read(key, Collection.class, null);
        if (given == null) {
            return effective(key, key.absent());
        }
        budget.take(key.name(), given.size(), ArgumentBudget.NAME_BYTES);
        Set<String> texts = new LinkedHashSet<>();
        Set<String> wrongTypes = new HashSet<>();
        for (Object element : given) {
            budget.step();
            if (element instanceof String text) {
                texts.add(text);
            } else if (wrongTypes.add(CypherTypes.nameOf(element))) {
                fault("The elements of `" + key.name() + "` must be of type `STRING` but one was " + shown(element)
                        + ".");
            }
        }
        return effective(key, List.copyOf(texts));
    }

    /** Reads the id of the job; a random one if absent or blank. */
    public String readJobId(Key<String> key) {
        describe(key, STRING, "a random UUID");
        Object value = take(key);
        String jobId = "";
        if (value instanceof String text) {
            jobId = text.strip();
            String fault = KeptName.fault(key.name(), jobId);
            if (fault != null) {
                fault(fault);
            }
        } else if (value != null) {
            fault(wrongType(key, String.class, value));
        }
        return effective(key, jobId.isEmpty() ? UUID.randomUUID().toString() : jobId);
    }

    /** Reads one mandatory node. */
    public long readNode(Key<?> key, NodeArguments nodes) {
        describe(key, A_NODE, KeyRead.MANDATORY);
        Object value = take(key);
        if (value == null) {
            missing(key);
            return -1;
        }
        long[] ids = nodes.single(key.name(), value, faults);
        return ids.length == 0 ? -1 : effective(key, ids[0]);
    }

    /**
     * Reads one or several nodes, in the given order, with duplicates.
     *
     * @param key the key; without a default there must be at least one node
     */
    public long[] readNodes(Key<? extends List<?>> key, NodeArguments nodes) {
        boolean mandatory = key.absent() == null;
        describe(key, A_NODE + ", or a LIST of them", mandatory ? KeyRead.MANDATORY : cypher(List.of()));
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
        long[] ids = nodes.several(key.name(), value, faults);
        if (mandatory && ids.length == 0 && faults.size() == faultsBefore) {
            fault("`" + key.name() + "` must name at least one node, but it was an empty list.");
        }
        effective(key, new Ids(ids));
        return ids;
    }

    /**
     * Reads a string that is in the effective configuration only if it is present; empty if absent.
     *
     * @param absent what an absent key means, in words
     */
    public String readOptionalString(Key<String> key, String absent) {
        describe(key, STRING, absent);
        String value = read(key, String.class, "");
        return has(key) ? effective(key, value) : value;
    }

    /**
     * Reads an integer from {@code min} to {@code max}, both inclusive, that is in the effective configuration only if it is
     * present.
     *
     * @param key the key, whose default may be out of the range
     * @param absent what an absent key means, in words
     */
    public long readOptionalInteger(Key<Long> key, long min, long max, String absent) {
        describe(key, CypherTypes.name(Long.class), absent);
        Long value = read(key, Long.class, null);
        if (value == null) {
            return key.absent();
        }
        if (value < min || value > max) {
            fault("Value for `" + key.name() + "` was `" + value + "`, but must be within the range [" + min + ", "
                    + max + "].");
            return key.absent();
        }
        return effective(key, value);
    }

    /**
     * Reads any integer.
     *
     * @param defaultValue the value of an absent key
     * @param absent what an absent key means, in words
     */
    public long readInteger(Key<Long> key, long defaultValue, String absent) {
        describe(key, CypherTypes.name(Long.class), absent);
        return effective(key, read(key, Long.class, defaultValue));
    }

    /**
     * Returns the raw value; null if absent. It is not in the effective configuration.
     *
     * @param type the Cypher types that the caller accepts
     * @param absent what an absent key means, in Cypher or in words
     */
    public Object readAny(Key<?> key, String type, String absent) {
        describe(key, type, absent);
        return take(key);
    }

    /**
     * Whether the value is neither {@code ''} nor an empty list or map; used for properties of nodes, which are not projected.
     */
    public boolean asksForProperties(String key) {
        Object given = takeByName(key);
        boolean empty = given == null
                || given.equals("")
                || (given instanceof Collection<?> list && list.isEmpty())
                || (given instanceof Map<?, ?> map && map.isEmpty());
        return !empty;
    }

    /** Refuses properties under the key. */
    public void refuseProperties(String key) {
        if (asksForProperties(key)) {
            fault("Proxima projects no properties of nodes, but `" + key + "` asks for them. Leave it out.");
        }
    }

    /** Adds a fault that the caller has found. */
    public void fault(String message) {
        faults.add(message);
    }

    /** Reports keys that were not read; all allowed keys have been read by now. */
    void rejectUnknownKeys() {
        List<String> unknown = new ArrayList<>();
        for (String key : values.keySet()) {
            budget.step();
            if (known.contains(key)) {
                continue;
            }
            Optional<String> answer = unsupported(key);
            if (answer.isPresent()) {
                fault(answer.get());
            } else if (!explained.contains(key)) {
                unknown.add(key);
            }
        }
        if (!unknown.isEmpty()) {
            fault("Unexpected configuration key" + (unknown.size() == 1 ? "" : "s") + ": "
                    + Shown.joined(unknown, this::withSimilar));
        }
    }

    private String withSimilar(String unknown) {
        List<String> possible =
                known.stream().filter(key -> !values.containsKey(key)).toList();
        String other = OTHER_NAMES.get(unknown.toLowerCase(Locale.ROOT));
        return Shown.text(unknown)
                + SimilarNames.hint(possible.contains(other) ? List.of(other) : SimilarNames.of(unknown, possible));
    }

    /**
     * Ends reading.
     *
     * @return the effective configuration, including defaults, in the order of reading; only the caller may change it
     * @throws ProximaException with all faults
     */
    public Map<String, Object> finish() {
        rejectUnknownKeys();
        faults.throwIfAny();
        return effective;
    }

    /** The user-visible form of a constant: lower case, with hyphens. */
    public static String written(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The constant of that name, case-insensitively; null if there is none. */
    static <E extends Enum<E>> E constant(Class<E> type, String name) {
        for (E constant : type.getEnumConstants()) {
            if (written(constant).equalsIgnoreCase(name)) {
                return constant;
            }
        }
        return null;
    }

    private static Optional<String> unsupported(String key) {
        return UNSUPPORTED.entrySet().stream()
                .filter(entry -> entry.getKey().equalsIgnoreCase(key))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    private void describe(Key<?> key, String type, String defaultValue) {
        keys.put(key.name(), new KeyRead(key, type, defaultValue));
    }

    private static String cypher(Object value) {
        if (value instanceof String text) {
            return "'" + text + "'";
        }
        if (value instanceof Collection<?> list) {
            return list.stream().map(ConfigReader::cypher).collect(Collectors.joining(", ", "[", "]"));
        }
        return value == null ? NONE : value.toString();
    }

    private static String shown(Object value) {
        return "`" + CypherTypes.nameOf(value) + "`";
    }

    private static String wrongType(Key<?> key, Class<?> wanted, Object value) {
        String type = wanted == Collection.class ? LIST_OF_STRINGS : CypherTypes.name(wanted);
        return "The value of `" + key.name() + "` must be of type `" + type + "` but was " + shown(value) + ".";
    }

    private <T> T read(Key<?> key, Class<T> type, T defaultValue) {
        Object value = take(key);
        if (value == null) {
            return defaultValue;
        }
        if (!type.isInstance(value)) {
            fault(wrongType(key, type, value));
            return defaultValue;
        }
        return type.cast(value);
    }

    private Object take(Key<?> key) {
        return takeByName(key.name());
    }

    private Object takeByName(String key) {
        known.add(key);
        return values.get(key);
    }

    private <T> T effective(Key<?> key, T value) {
        effective.put(key.name(), value);
        return value;
    }

    private void missing(Key<?> key) {
        List<String> similar = SimilarNames.of(
                key.name(),
                values.keySet().stream()
                        .filter(given -> !known.contains(given) && !given.equalsIgnoreCase(key.name()))
                        .toList());
        explained.addAll(similar);
        fault("No value specified for the mandatory configuration parameter `" + key.name() + "`"
                + (similar.isEmpty() ? "" : " (a similar parameter exists: [" + String.join(", ", similar) + "])"));
    }

    /** Ids as a list. They are boxed only when they are read, because there may be millions of them. */
    private static final class Ids extends AbstractList<Long> {
        private final long[] ids;

        Ids(long[] ids) {
            this.ids = ids;
        }

        @Override
        public Long get(int index) {
            return ids[index];
        }

        @Override
        public int size() {
            return ids.length;
        }
    }
}
