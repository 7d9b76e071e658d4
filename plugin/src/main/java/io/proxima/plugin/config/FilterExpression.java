// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.config;

import io.proxima.plugin.ProximaException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.IntBinaryOperator;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.neo4j.values.storable.NumberValue;
import org.neo4j.values.storable.Values;

/**
 * A filter of nodes or of relationships, in GDS's syntax, which is a part of Cypher's: {@code *} for all, or terms
 * combined by NOT, AND, XOR, OR and parentheses, in this order of precedence. A term is {@code n:Label},
 * {@code r:TYPE}, or a comparison of the values of properties. {@code n:A:B} requires both labels. As in Cypher, a
 * comparison with a missing value is neither true nor false.
 *
 * @param condition the filter itself
 * @param names the labels or types in the filter, each once
 * @param properties the properties in the filter, each once
 * @param termCount the maximum number of labels, types and values that {@link #test} looks up; each counts as often as
 *     it occurs
 * @param bytes heap of the filter, at most
 */
public record FilterExpression(
        Condition condition, List<String> names, List<String> properties, int termCount, long bytes) {

    // possessive and anchored, because a gap may have millions of characters: a search would take their square
    private static final Pattern TOKEN =
            Pattern.compile("\\G\\s*+(?:`(?<quoted>(?:[^`]|``)++)`|(?<plain>[\\p{L}_][\\p{L}\\p{N}_]*+"
                    + "|(?<number>(?:[0-9]++(?:\\.[0-9]++)?+|\\.[0-9]++)(?:[eE][+-]?[0-9]++)?+)"
                    + "|<=|>=|<>|\\S))");

    private static final Pattern INTEGER = Pattern.compile("[0-9]++");

    /** The comparisons, with Cypher's results: 0.0 and -0.0 are equal, and -0.0 is less. */
    private static final Map<String, BiPredicate<NumberValue, NumberValue>> COMPARISONS = Map.of(
            "=", (one, other) -> one.equals(other),
            "<>", (one, other) -> !one.equals(other),
            "<", (one, other) -> Values.COMPARATOR.compare(one, other) < 0,
            "<=", (one, other) -> Values.COMPARATOR.compare(one, other) <= 0,
            ">", (one, other) -> Values.COMPARATOR.compare(one, other) > 0,
            ">=", (one, other) -> Values.COMPARATOR.compare(one, other) >= 0);

    private static final int MAX_DEPTH = 100;

    private static final String VALUE = "a property, a number or a parameter";

    /** The beginning of a value that is not a number. */
    private static final Pattern OTHER_VALUE = Pattern.compile("['\"]|(?i:true|false)");

    // truth values, so that AND is the minimum, OR the maximum and NOT the negative
    private static final int TRUE = 1;
    private static final int UNKNOWN = 0;
    private static final int FALSE = -1;

    /**
     * A node or a relationship, as a filter sees it.
     *
     * @param bears whether it has a label or type, by the index in {@link FilterExpression#names}
     * @param value the value of a property, by the index in {@link FilterExpression#properties}; null if it has none
     * @param known whether the values are known; otherwise they may be any, or missing
     */
    public record Entity(IntPredicate bears, IntFunction<NumberValue> value, boolean known) {}

    /** Positive if it holds for an entity, negative if it does not, 0 if that is unknown. */
    @FunctionalInterface
    public interface Condition {
        int of(Entity entity);
    }

    /** A number, or null for none. */
    @FunctionalInterface
    private interface Operand {
        NumberValue of(Entity entity);
    }

    /**
     * Parses a filter.
     *
     * @param budget counts the filter
     * @param argument the argument's name, for messages
     * @param variable the name of an entity in the filter: n or r
     * @param parameters the values of parameters, by name
     * @throws ProximaException if the text is not a filter, or if it has a parameter without a value
     */
    public static FilterExpression parse(
            ArgumentBudget budget, String argument, String variable, String text, Map<String, ?> parameters) {
        if (text == null || text.isBlank()) {
            throw ProximaException.invalidArgument("`" + argument + "` can not be null or blank, but it was `"
                    + Shown.text(text) + "`. Give '*' for all.");
        }
        budget.take(argument, text.length(), ArgumentBudget.FILTER_BYTES);
        Parser parser = new Parser(budget, argument, variable, text, parameters);
        Condition condition = parser.all();
        return new FilterExpression(
                condition,
                List.copyOf(parser.names.keySet()),
                List.copyOf(parser.properties.keySet()),
                parser.termCount,
                (long) text.length() * ArgumentBudget.FILTER_BYTES + parser.listed * ArgumentBudget.NAME_BYTES);
    }

    /** Whether the filter selects an entity. */
    public boolean test(Entity entity) {
        return condition.of(entity) > UNKNOWN;
    }

    private static int truth(boolean holds) {
        return holds ? TRUE : FALSE;
    }

    /** A recursive descent parser. */
    private static final class Parser {
        private final ArgumentBudget budget;
        private final String argument;
        private final String variable;
        private final String text;
        private final Map<String, ?> parameters;
        private final Matcher tokens;
        private final Map<String, Integer> names = new LinkedHashMap<>();
        private final Map<String, Integer> properties = new LinkedHashMap<>();
        private int termCount;
        private long listed;

        /** The current token: a word, a number or a sign; null at the end. */
        private String token;

        private boolean quoted;
        private boolean number;
        private int start;
        private int depth;

        /** The last parameter, for messages. */
        private String parameter;

        Parser(ArgumentBudget budget, String argument, String variable, String text, Map<String, ?> parameters) {
            this.budget = budget;
            this.argument = argument;
            this.variable = variable;
            this.text = text;
            this.parameters = parameters;
            this.tokens = TOKEN.matcher(text);
            advance();
        }

        Condition all() {
            Condition condition = take("*") ? entity -> TRUE : or();
            if (token != null) {
                throw unexpected("the end");
            }
            return condition;
        }

        private Condition or() {
            return joined("OR", this::xor, Math::max);
        }

        private Condition xor() {
            return joined("XOR", this::and, (one, other) -> -one * other);
        }

        private Condition and() {
            return joined("AND", this::not, Math::min);
        }

        private Condition joined(String word, Supplier<Condition> operand, IntBinaryOperator join) {
            List<Condition> operands = new ArrayList<>(List.of(operand.get()));
            while (take(word)) {
                operands.add(operand.get());
            }
            return joined(operands, join);
        }

        /** Evaluates a list and not a tree, because chains may be long. */
        private static Condition joined(List<Condition> operands, IntBinaryOperator join) {
            Condition first = operands.get(0);
            Condition[] others = operands.subList(1, operands.size()).toArray(Condition[]::new);
            return others.length == 0
                    ? first
                    : entity -> {
                        int result = first.of(entity);
                        for (Condition other : others) {
                            result = join.applyAsInt(result, other.of(entity));
                        }
                        return result;
                    };
        }

        private Condition not() {
            if (++depth > MAX_DEPTH) {
                throw ProximaException.invalidArgument(
                        "`" + argument + "` is nested more than " + MAX_DEPTH + " deep. Simplify it.");
            }
            Condition condition;
            if (take("NOT")) {
                Condition negated = not();
                condition = entity -> -negated.of(entity);
            } else {
                condition = atom();
            }
            depth--;
            return condition;
        }

        private Condition atom() {
            if (take("(")) {
                Condition inner = or();
                require(")");
                return inner;
            }
            for (boolean constant : new boolean[] {true, false}) {
                if (take(constant ? "TRUE" : "FALSE")) {
                    termCount++;
                    return entity -> truth(constant);
                }
            }
            if (take("EXISTS")) {
                require("(");
                Condition present = present(operand(VALUE), true);
                require(")");
                return present;
            }
            if (!isVariable()) {
                return comparison(operand("`" + variable + ":` or `" + variable
                        + ".` and a name, a number, a parameter, NOT, TRUE, FALSE or `(`"));
            }
            advance();
            return take(":") ? joined(":", this::label, Math::min) : comparison(property());
        }

        private boolean isVariable() {
            return !quoted && variable.equals(token);
        }

        private Condition label() {
            int index = names.computeIfAbsent(name("a name"), added -> names.size());
            termCount++;
            return entity -> truth(entity.bears.test(index));
        }

        private Operand property() {
            if (!take(".")) {
                throw unexpected("`:` or `.`");
            }
            int index = properties.computeIfAbsent(name("a name"), added -> properties.size());
            termCount++;
            return entity -> entity.value.apply(index);
        }

        private String name(String wanted) {
            if (token == null || (!quoted && !Character.isLetter(token.codePointAt(0)) && token.charAt(0) != '_')) {
                throw unexpected(wanted);
            }
            String name = token;
            advance();
            return name;
        }

        private Condition comparison(Operand first) {
            if (take("IS")) {
                boolean wanted = take("NOT");
                require("NULL");
                return present(first, wanted);
            }
            if (take("IN")) {
                return contains(list(), first);
            }
            List<Condition> all = new ArrayList<>();
            Operand left = first;
            while (!quoted && token != null && COMPARISONS.containsKey(token)) {
                BiPredicate<NumberValue, NumberValue> holds = COMPARISONS.get(token);
                advance();
                Operand right = operand(VALUE);
                all.add(compared(left, holds, right));
                left = right;
            }
            if (all.isEmpty()) {
                throw unexpected("a comparison, IN or IS");
            }
            return joined(all, Math::min);
        }

        private static Condition present(Operand operand, boolean wanted) {
            return entity -> entity.known ? truth(operand.of(entity) != null == wanted) : UNKNOWN;
        }

        private static Condition compared(Operand left, BiPredicate<NumberValue, NumberValue> holds, Operand right) {
            return entity -> {
                NumberValue one = left.of(entity);
                NumberValue other = right.of(entity);
                return one == null || other == null ? UNKNOWN : truth(holds.test(one, other));
            };
        }

        private static Condition contains(Set<NumberValue> values, Operand element) {
            boolean certain = !values.contains(null);
            boolean empty = values.isEmpty();
            return entity -> {
                NumberValue value = element.of(entity);
                if (value == null) {
                    return empty ? FALSE : UNKNOWN;
                }
                return values.contains(value) ? TRUE : certain ? FALSE : UNKNOWN;
            };
        }

        private Set<NumberValue> list() {
            Set<NumberValue> values = new HashSet<>();
            if (take("$")) {
                Object given = parameter();
                if (!(given instanceof Collection<?>)) {
                    throw refused(given, "a LIST of INTEGER or FLOAT after IN");
                }
                for (Object element : budget.elements("parameters", given, ArgumentBudget.NAME_BYTES)) {
                    values.add(number(element));
                    listed++;
                }
                return values;
            }
            require("[");
            if (!take("]")) {
                do {
                    values.add(constant("a number or a parameter"));
                } while (take(","));
                require("]");
            }
            return values;
        }

        private Operand operand(String wanted) {
            if (isVariable()) {
                advance();
                return property();
            }
            NumberValue constant = constant(wanted);
            return entity -> constant;
        }

        private NumberValue constant(String wanted) {
            termCount++;
            if (take("NULL")) {
                return null;
            }
            if (take("$")) {
                return number(parameter());
            }
            String sign = take("-") ? "-" : "";
            if (!number) {
                throw unexpected(sign.isEmpty() ? wanted : "a number");
            }
            try {
                String digits = sign + token;
                NumberValue value = INTEGER.matcher(token).matches()
                        ? Values.longValue(Long.parseLong(digits))
                        : Values.doubleValue(Double.parseDouble(digits));
                if (!Double.isInfinite(value.doubleValue())) {
                    advance();
                    return value;
                }
            } catch (NumberFormatException e) {
                // more than 64 bits
            }
            throw unexpected("an INTEGER or FLOAT of 64 bits");
        }

        /** The value of a parameter whose sign was taken. */
        private Object parameter() {
            parameter = "the parameter `$" + Shown.text(token) + "` at character " + start;
            String name = name("the name of a parameter");
            if (!parameters.containsKey(name)) {
                throw ProximaException.invalidArgument(
                        "`" + argument + "` has " + parameter + ", but `parameters` has no value for it"
                                + SimilarNames.hint(name, parameters.keySet()) + ". Add it.");
            }
            return CypherTypes.value(parameters.get(name));
        }

        /** NaN counts as no value, as everywhere. */
        private NumberValue number(Object given) {
            if (given == null) {
                return null;
            }
            if (given instanceof Number value) {
                return Double.isNaN(value.doubleValue()) ? null : Values.numberValue(value);
            }
            throw refused(given, "INTEGER or FLOAT, or after IN a LIST of these");
        }

        private ProximaException refused(Object given, String wanted) {
            return ProximaException.invalidArgument("`" + argument + "` has " + parameter + ", which must be " + wanted
                    + ", but was " + Shown.value(given) + "."
                    + (given instanceof String || given instanceof Boolean ? " " + byOtherValues() : ""));
        }

        private boolean take(String wanted) {
            boolean there =
                    !quoted && token != null && token.toUpperCase(Locale.ROOT).equals(wanted);
            if (there) {
                advance();
            }
            return there;
        }

        private void require(String wanted) {
            if (!take(wanted)) {
                throw unexpected("`" + wanted + "`");
            }
        }

        private void advance() {
            budget.step();
            token = null;
            quoted = false;
            number = false;
            start = text.length();
            if (tokens.find()) {
                quoted = tokens.group("quoted") != null;
                number = tokens.group("number") != null;
                String group = quoted ? "quoted" : "plain";
                token = quoted ? tokens.group(group).replace("``", "`") : tokens.group(group);
                start = tokens.start(group);
            }
        }

        private ProximaException unexpected(String wanted) {
            String found = token == null ? "the end" : "`" + Shown.text(token) + "` at character " + (start + 1);
            boolean isOther = !quoted
                    && token != null
                    && wanted.contains("a number or")
                    && OTHER_VALUE.matcher(token).matches();
            return ProximaException.invalidArgument("`" + argument + "` is not a valid filter: expected " + wanted
                    + ", but found "
                    + found + " of `" + Shown.text(text) + "`. "
                    + (isOther
                            ? byOtherValues()
                            : "Filters are '*', or `" + variable + ":` and a "
                                    + (variable.equals("n") ? "label" : "type") + ", or comparisons of numbers as in `"
                                    + variable + ".score > 0.5`, combined by NOT, AND, XOR, OR and parentheses."));
        }

        /** How to select by a value that is not a number. */
        private String byOtherValues() {
            return variable.equals("n")
                    ? "To select by a text or a BOOLEAN, add the result of a condition as a number with"
                            + " `proxima.graph.nodeProperties.set`, as in `{swiss: toInteger(n.country = 'CH')}`."
                    : "To select by a text or a BOOLEAN, project the rows of a query with the function"
                            + " `proxima.graph.project`.";
        }
    }
}
