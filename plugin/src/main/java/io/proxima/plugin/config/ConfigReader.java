// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.config;

import io.proxima.plugin.ProximaException;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.DoublePredicate;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Reads a configuration map strictly, following GDS's rules and messages. Keys are case-insensitive, a null value means
 * that the key is absent, and a value is never converted. Faults are collected: a faulty key is read as its default,
 * and {@link #finish()} throws all faults together, unknown keys last. The values read form the effective
 * configuration. Not thread-safe.
 */
public final class ConfigReader {

    private static final String STRING = CypherTypes.name(String.class);
    private static final String INTEGER = CypherTypes.name(Long.class);
    private static final String A_NODE = "NODE, STRING or INTEGER";
    private static final String NONE = "none";

    /** The maximum length of the name of a property in Neo4j. */
    private static final int MAX_NAME = 65_534;

    /** The maximum count; its number of bytes fits into a long for any element size. */
    private static final long MAX_COUNT = 1L << 48;

    /** Ends the refusal of properties of nodes in a projection. */
    static final String SET_PROPERTIES =
            "Leave them out, and add numbers to the graph with `proxima.graph.nodeProperties.set`.";

    private static final String HAS_THE_KEYS = ". `proxima.help` has the keys of each procedure.";

    private final TreeMap<String, Object> values = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private final TreeSet<String> nulls = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    private final TreeSet<String> known = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    private final Map<String, KeyRead> keys = new LinkedHashMap<>();
    /** Given keys that resemble a missing mandatory key; they are not reported twice. */
    private final TreeSet<String> explained = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);

    private final Map<String, Object> effective = new LinkedHashMap<>();
    private final ArgumentBudget budget;
    private final Faults faults;

    /** Whether the map is a part of an argument, whose keys are no configuration. */
    private final boolean isInner;

    private ConfigReader(ArgumentBudget budget, String argument, Map<?, ?> map, Faults faults, boolean isInner) {
        this.budget = budget;
        this.isInner = isInner;
        this.faults = faults;
        budget.take(argument, map.size(), ArgumentBudget.NAME_BYTES);
        map.forEach((key, value) -> {
            budget.step();
            if (value == null) {
                nulls.add(String.valueOf(key));
            } else if (values.put(String.valueOf(key), CypherTypes.value(value)) != null) {
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
     * @param given the caller's value
     * @throws ProximaException if it is not a map
     */
    public static ConfigReader of(ArgumentBudget budget, String argument, Object given) {
        if (given == null) {
            throw ProximaException.invalidArgument(
                    "`" + argument + "` can not be null. Give a map, {} for the defaults.");
        }
        if (!(given instanceof Map<?, ?> map)) {
            throw ProximaException.invalidArgument(
                    "`" + argument + "` must be of type `MAP` but was " + Shown.value(given) + ".");
        }
        return new ConfigReader(budget, argument, map, new Faults(), false);
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
        return new ConfigReader(budget, name, map, faults, true);
    }

    /** Counts all that is read from the arguments of the call. */
    public ArgumentBudget budget() {
        return budget;
    }

    /** The given value, which is not read by this; null if the key is absent. */
    public Object given(Key<?> key) {
        return values.get(key.name());
    }

    /** Reads a boolean. */
    public boolean readBoolean(Key<Boolean> key) {
        return read(key, CypherTypes.name(Boolean.class), key.absent(), value -> typed(key, Boolean.class, value));
    }

    /** Reads an integer of at least {@code min}; the value of an absent key may be lower. */
    public int readInt(Key<Integer> key, int min) {
        return (int) readLong(key, key.absent(), min, Integer.MAX_VALUE, "");
    }

    /** Reads a count, 0 to 2^48; the value of an absent key, which may be negative, is allowed too. */
    public long readCount(Key<Long> key) {
        return readLong(key, key.absent(), 0, MAX_COUNT, ", or " + key.absent() + " for the database's own count");
    }

    private long readLong(Key<?> key, long absent, long min, long max, String others) {
        return read(key, INTEGER, absent, value -> {
            Long number = typed(key, Long.class, value);
            if ((number < min || number > max) && (number != absent || others.isEmpty())) {
                throw new Refusal(key, number, "within the range [" + min + ", " + max + "]" + others);
            }
            return number;
        });
    }

    /**
     * Reads any integer.
     *
     * @param absent the value of an absent key, which is in the effective configuration too
     */
    public long readInteger(Key<Long> key, long absent) {
        return effective(key, read(key, INTEGER, absent, value -> typed(key, Long.class, value)));
    }

    /** Reads a number that is not NaN. */
    public double readNumber(Key<Double> key) {
        return read(key, "FLOAT", key.absent(), value -> {
            if (value instanceof Number number && !Double.isNaN(number.doubleValue())) {
                return number.doubleValue();
            }
            throw new Refusal(
                    "The value of `" + key.name() + "` must be of type `INTEGER` or `FLOAT` and not NaN, but was "
                            + (value instanceof Number ? "`NaN`" : Shown.value(value)) + ".");
        });
    }

    /** Reads a finite number above 0. */
    public double readPositive(Key<Double> key) {
        return readNumber(key, given -> given > 0 && given <= Double.MAX_VALUE, "above 0 and finite");
    }

    /** Reads a number of at least 0. */
    public double readNotNegative(Key<Double> key) {
        return readNumber(key, given -> given >= 0, "at least 0");
    }

    private double readNumber(Key<Double> key, DoublePredicate allowed, String must) {
        return read(key, "FLOAT", key.absent(), value -> {
            if (!(value instanceof Number number)) {
                throw new Refusal(wrongType(key, "INTEGER` or `FLOAT", value));
            }
            if (!allowed.test(number.doubleValue())) {
                throw new Refusal(key, number, must);
            }
            return number.doubleValue();
        });
    }

    /**
     * Reads a number of threads, at least 1; a number above {@code most} is lowered to it. The effective configuration
     * has the number that is used.
     *
     * @param absent the value of an absent key
     */
    public int readConcurrency(Key<Integer> key, int absent, int most) {
        long threads = read(key, INTEGER, (long) absent, value -> {
            Long number = typed(key, Long.class, value);
            if (number < 1) {
                throw new Refusal(key, number, "an INTEGER of at least 1");
            }
            return number;
        });
        return (int) (long) effective(key, Math.min(threads, most));
    }

    /** The given number of threads, to be read later with its faults. */
    public int givenThreads(Key<Integer> key, int absent) {
        return given(key) instanceof Long number && number >= 1 ? (int) Math.min(number, Integer.MAX_VALUE) : absent;
    }

    /** Reads a string; null if absent and without a default. */
    public String readString(Key<String> key) {
        return read(key, STRING, key.absent(), value -> typed(key, String.class, value));
    }

    /** Reads the name of a property to write, which may be absent. */
    public String readOptionalPropertyName(Key<String> key) {
        return read(key, STRING, key.absent(), value -> propertyName(key, value));
    }

    /** Reads the mandatory name of a property to write. */
    public String readPropertyName(Key<String> key) {
        String name = readMandatory(key, STRING, value -> propertyName(key, value));
        return name == null ? "" : name;
    }

    private String propertyName(Key<String> key, Object value) {
        String name = typed(key, String.class, value);
        if (name.isEmpty()) {
            fault("`" + key.name() + "` must not be blank, but it was ''. Give the name of a property.");
            return null;
        }
        requirePropertyName(key.name(), name);
        return name;
    }

    /** Adds a fault if no new property may have that name. */
    public void requirePropertyName(String key, String name) {
        if (!name.strip().equals(name)) {
            fault("`" + key + "` must not end or begin with whitespace characters, but got `" + Shown.text(name)
                    + "`.");
        }
        if (name.length() > MAX_NAME || name.indexOf('\0') >= 0) {
            fault("`" + key + "` must have at most " + MAX_NAME + " characters, none of them U+0000, but got `"
                    + Shown.text(name) + "`.");
        }
    }

    /** Reads a constant of an enum, case-insensitively. */
    public <E extends Enum<E>> E readEnum(Key<E> key) {
        List<E> constants = List.of(key.absent().getDeclaringClass().getEnumConstants());
        return readOneOf(key, STRING, key.absent(), constants, ConfigReader::written, "");
    }

    /**
     * Reads a constant of an enum in a map that describes a projection, by its own name, case-insensitively.
     *
     * @param word the term for the constants, for messages
     */
    <E extends Enum<E>> E readConstant(Key<E> key, String word) {
        E absent = key.absent();
        Object given = readAny(key, STRING, "'" + absent.name() + "'");
        List<E> constants = List.of(absent.getDeclaringClass().getEnumConstants());
        for (E constant : constants) {
            if (given instanceof String text && constant.name().equalsIgnoreCase(text.strip())) {
                return constant;
            }
        }
        if (given != null) {
            boolean nested = given instanceof Collection || given instanceof Map;
            fault(word + " `" + (nested ? CypherTypes.nameOf(given) : Shown.text(given.toString()))
                    + "` is not supported. Must be one of: " + quoted(constants, Enum::name) + ".");
        }
        return absent;
    }

    /**
     * One of these values, whose name is written in any case.
     *
     * @param type the Cypher types that the key accepts
     * @param absent the value of an absent key, one of those allowed
     * @param others ends the message of a fault, after the names
     */
    public <T> T readOneOf(
            Key<T> key, String type, T absent, List<T> allowed, Function<T, String> naming, String others) {
        List<String> names = allowed.stream().map(naming).toList();
        String name = read(key, type, naming.apply(absent), value -> {
            String given = typed(key, String.class, value);
            return names.stream()
                    .filter(one -> one.equalsIgnoreCase(given))
                    .findFirst()
                    .orElseThrow(() -> new Refusal(
                            key, Shown.text(given), "one of " + quoted(names, Function.identity()) + others));
        });
        return allowed.get(names.indexOf(name));
    }

    private static <T> List<String> quoted(List<T> values, Function<T, String> naming) {
        return values.stream().map(value -> "'" + naming.apply(value) + "'").toList();
    }

    /** Reads a string or a list of strings; the result has each string once. */
    public List<String> readStrings(Key<List<String>> key) {
        return read(key, "STRING or LIST<STRING>", key.absent(), value -> {
            if (!(value instanceof Collection || value instanceof String)) {
                throw new Refusal(wrongType(key, "STRING` or `LIST<STRING>", value));
            }
            Set<String> texts = new LinkedHashSet<>();
            for (Object element : budget.elements(key.name(), value, ArgumentBudget.NAME_BYTES)) {
                if (element instanceof String text) {
                    texts.add(text);
                } else {
                    fault("The elements of `" + key.name() + "` must be of type `STRING` but one was "
                            + Shown.value(element) + ".");
                }
            }
            return List.copyOf(texts);
        });
    }

    /** Reads the id of the job; a random one if absent or blank. */
    public String readJobId(Key<String> key) {
        String jobId = readString(key).strip();
        KeptName.fault(key.name(), jobId).ifPresent(this::fault);
        return effective(key, jobId.isEmpty() ? UUID.randomUUID().toString() : jobId);
    }

    /** Reads one mandatory node. */
    public long readNode(Key<?> key, NodeArguments nodes) {
        Long id = readMandatory(key, A_NODE, value -> {
            long[] ids = nodes.single(key.name(), value, faults);
            return ids.length == 0 ? null : (Long) ids[0];
        });
        return id == null ? -1 : id;
    }

    /**
     * Reads one or several nodes, in the given order, with duplicates.
     *
     * @param key the key; without a default there must be at least one node
     */
    public long[] readNodes(Key<? extends List<?>> key, NodeArguments nodes) {
        String type = A_NODE + ", or a LIST of them";
        boolean mandatory = key.absent() == null;
        Function<Object, Ids> conversion = value -> {
            int faultsBefore = faultCount();
            long[] ids = nodes.several(key.name(), value, faults);
            if (mandatory && ids.length == 0 && faultCount() == faultsBefore) {
                fault(needsNode(key));
            }
            return new Ids(ids);
        };
        Ids none = new Ids(new long[0]);
        Ids read = mandatory ? readMandatory(key, type, conversion) : read(key, type, none, conversion);
        return read == null ? none.ids : read.ids;
    }

    /**
     * Reads at least one node under one of two keys.
     *
     * @param one the key of a single node, whose default is an empty list; shown as mandatory
     * @param other the key of one or several, whose default is an empty list
     */
    public long[] readNodes(Key<List<Long>> one, Key<List<Long>> other, NodeArguments nodes) {
        int faultsBefore = faultCount();
        Ids none = new Ids(new long[0]);
        long[] ofOne = read(one, A_NODE, none, value -> new Ids(nodes.single(one.name(), value, faults))).ids;
        long[] ofOther = readNodes(other, nodes);
        describe(one, A_NODE, KeyRead.MANDATORY);
        boolean givesOne = given(one) != null;
        String either = "`" + one.name() + "` or `" + other.name() + "`";
        if (givesOne && given(other) != null) {
            fault("Give either " + either + ", not both.");
        } else if (!givesOne && given(other) == null) {
            boolean isNull = nulls.contains(one.name()) || nulls.contains(other.name());
            fault("Give " + either + "." + (isNull ? " " + NodeArguments.WHY_NULL : ""));
        } else if (ofOne.length + ofOther.length == 0 && faultCount() == faultsBefore) {
            fault(needsNode(givesOne ? one : other));
        }
        return givesOne ? ofOne : ofOther;
    }

    private static String needsNode(Key<?> key) {
        return "`" + key.name() + "` must name at least one node, but it was an empty list.";
    }

    /**
     * Returns the raw value; null if absent. It is not in the effective configuration.
     *
     * @param type the Cypher types that the caller accepts
     * @param absent what an absent key means, in Cypher or in words
     */
    public Object readAny(Key<?> key, String type, String absent) {
        describe(key, type, absent);
        return take(key.name());
    }

    /**
     * Whether the value is neither {@code ''} nor an empty list or map; used for properties of nodes, which are not
     * projected.
     */
    public boolean asksForProperties(String key) {
        Object given = take(key);
        boolean empty = given == null
                || given.equals("")
                || (given instanceof Collection<?> list && list.isEmpty())
                || (given instanceof Map<?, ?> map && map.isEmpty());
        return !empty;
    }

    /** Refuses properties under the key. */
    public void refuseProperties(String key) {
        if (asksForProperties(key)) {
            fault("Proxima projects no properties of nodes, but `" + key + "` asks for them. " + SET_PROPERTIES);
        }
    }

    /** The number of faults that were found so far. */
    public int faultCount() {
        return faults.size();
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
            String answer = OtherKeys.answer(key);
            if (answer != null && renamed(key).isEmpty()) {
                fault(answer);
            } else if (!explained.contains(key)) {
                unknown.add(key);
            }
        }
        if (!unknown.isEmpty()) {
            String shown = Shown.joined(unknown, this::withSimilar);
            fault("Unexpected configuration key" + (unknown.size() == 1 ? "" : "s") + ": " + shown
                    + (isInner || shown.contains("?)") ? "" : HAS_THE_KEYS));
        }
    }

    private String withSimilar(String unknown) {
        return Shown.text(unknown)
                + SimilarNames.hint(
                        OtherKeys.meant(unknown).isEmpty() ? SimilarNames.of(unknown, possible()) : renamed(unknown));
    }

    /** The keys that the procedure has and that the caller left out, without those that are only accepted for GDS. */
    private List<String> possible() {
        return known.stream()
                .filter(key -> keys.containsKey(key) && !values.containsKey(key))
                .toList();
    }

    private List<String> renamed(String unknown) {
        return possible().stream().filter(OtherKeys.meant(unknown)::contains).toList();
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

    private static String wrongType(Key<?> key, String type, Object value) {
        return "The value of `" + key.name() + "` must be of type `" + type + "` but was " + Shown.value(value) + ".";
    }

    private static <T> T typed(Key<?> key, Class<T> type, Object value) {
        if (!type.isInstance(value)) {
            throw new Refusal(wrongType(key, CypherTypes.name(type), value));
        }
        return type.cast(value);
    }

    /** The fault of a value that its key does not take. */
    private static final class Refusal extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Refusal(String message) {
            super(message, null, false, false);
        }

        Refusal(Key<?> key, Object value, String must) {
            this("Value for `" + key.name() + "` was `" + value + "`, but must be " + must + ".");
        }
    }

    /**
     * Reads a value. It is in the effective configuration, unless the key is absent and its absence has a meaning of
     * its own.
     *
     * @param type the Cypher types of the values
     * @param absent the value of an absent key
     * @param conversion returns the value of what was given; null after a fault, or ends in a refusal
     */
    private <T> T read(Key<?> key, String type, T absent, Function<Object, T> conversion) {
        describe(key, type, key.absence() == null ? cypher(absent) : key.absence());
        Object given = take(key.name());
        T value = null;
        try {
            value = given == null ? null : conversion.apply(given);
        } catch (Refusal e) {
            fault(e.getMessage());
        }
        T result = value == null ? absent : value;
        return given != null || key.absence() == null ? effective(key, result) : result;
    }

    /** Reads a value; null after a fault, which an absent key is. */
    private <T> T readMandatory(Key<?> key, String type, Function<Object, T> conversion) {
        T value = read(key, type, null, conversion);
        describe(key, type, KeyRead.MANDATORY);
        if (given(key) == null) {
            missing(key);
        }
        return value;
    }

    private Object take(String key) {
        known.add(key);
        return values.get(key);
    }

    private <T> T effective(Key<?> key, T value) {
        effective.put(key.name(), value);
        return value;
    }

    private void missing(Key<?> key) {
        if (nulls.contains(key.name())) {
            fault("The mandatory configuration parameter `" + key.name() + "` must not be null. "
                    + NodeArguments.WHY_NULL);
            return;
        }
        List<String> similar = SimilarNames.of(
                key.name(),
                values.keySet().stream()
                        .filter(given -> !known.contains(given)
                                && !given.equalsIgnoreCase(key.name())
                                && OtherKeys.answer(given) == null)
                        .toList());
        explained.addAll(similar);
        fault("No value specified for the mandatory configuration parameter `" + key.name() + "`"
                + (similar.isEmpty() ? "" : ". The procedure has no key " + similar)
                + (similar.contains("sourceNodes")
                        ? ": call it once for each node. `proxima.distances` and `proxima.distances.nearest` count relationships"
                                + " from several nodes."
                        : similar.isEmpty() ? "" : SimilarNames.hint(List.of(key.name()))));
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
