// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.config;

import io.proxima.plugin.ProximaException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A filter of nodes by labels, or of relationships by types, in GDS's syntax: {@code *} for all, or {@code n:Label} and
 * {@code r:TYPE} combined by NOT, AND, XOR, OR and parentheses, in this order of precedence. {@code n:A:B} requires
 * both.
 *
 * @param condition evaluates a predicate of names for an entity
 * @param names all names in the filter, in order
 * @param termCount the maximum number of names that {@link #test} looks up; a name counts as often as it occurs
 */
public record FilterExpression(Predicate<Predicate<String>> condition, Set<String> names, int termCount) {

    // possessive and anchored, because a gap may have millions of characters: a search would take their square
    private static final Pattern TOKEN =
            Pattern.compile("\\G\\s*+(?:(\\p{L}[\\p{L}\\p{N}_]*|_[\\p{L}\\p{N}_]*)|`((?:[^`]|``)++)`|([:()*])|(\\S))");

    private static final int MAX_DEPTH = 100;

    /**
     * Parses a filter.
     *
     * @param budget counts the filter
     * @param argument the argument's name, for messages
     * @param variable the name of an entity in the filter: n or r
     * @throws ProximaException if the text is not a filter
     */
    public static FilterExpression parse(ArgumentBudget budget, String argument, String variable, String text) {
        if (text == null || text.isBlank()) {
            throw ProximaException.invalidArgument("`" + argument + "` can not be null or blank, but it was `"
                    + Shown.text(text) + "`. Give '*' for all.");
        }
        budget.take(argument, text.length(), ArgumentBudget.FILTER_BYTES);
        Parser parser = new Parser(budget, argument, variable, text);
        return new FilterExpression(parser.all(), parser.names, parser.termCount);
    }

    /** Whether the filter selects an entity that bears these names. */
    public boolean test(Predicate<String> bears) {
        return condition.test(bears);
    }

    /** A recursive descent parser. */
    private static final class Parser {
        private final ArgumentBudget budget;
        private final String argument;
        private final String variable;
        private final String text;
        private final Matcher tokens;
        private final Set<String> names = new LinkedHashSet<>();
        private int termCount;

        /** The current token: a word or a sign; null at the end. */
        private String token;

        private boolean quoted;
        private int start;
        private int depth;

        Parser(ArgumentBudget budget, String argument, String variable, String text) {
            this.budget = budget;
            this.argument = argument;
            this.variable = variable;
            this.text = text;
            this.tokens = TOKEN.matcher(text);
            advance();
        }

        Predicate<Predicate<String>> all() {
            Predicate<Predicate<String>> condition = take("*") ? bears -> true : or();
            if (token != null) {
                throw unexpected("the end");
            }
            return condition;
        }

        private Predicate<Predicate<String>> or() {
            return joined("OR", this::xor, operands -> operands.anyMatch(holds -> holds));
        }

        private Predicate<Predicate<String>> xor() {
            return joined(
                    "XOR",
                    this::and,
                    operands -> operands.filter(holds -> holds).count() % 2 == 1);
        }

        private Predicate<Predicate<String>> and() {
            return joined("AND", this::not, Parser::every);
        }

        /** Evaluates a list and not a tree, because chains may be long. */
        private Predicate<Predicate<String>> joined(
                String word, Supplier<Predicate<Predicate<String>>> operand, Predicate<Stream<Boolean>> join) {
            List<Predicate<Predicate<String>>> operands = new ArrayList<>(List.of(operand.get()));
            while (take(word)) {
                operands.add(operand.get());
            }
            return operands.size() == 1
                    ? operands.get(0)
                    : bears -> join.test(operands.stream().map(one -> one.test(bears)));
        }

        private static boolean every(Stream<Boolean> operands) {
            return operands.allMatch(holds -> holds);
        }

        private Predicate<Predicate<String>> not() {
            if (++depth > MAX_DEPTH) {
                throw ProximaException.invalidArgument(
                        "`" + argument + "` is nested more than " + MAX_DEPTH + " deep. Simplify it.");
            }
            Predicate<Predicate<String>> condition = take("NOT") ? not().negate() : atom();
            depth--;
            return condition;
        }

        private Predicate<Predicate<String>> atom() {
            if (take("(")) {
                Predicate<Predicate<String>> inner = or();
                require(")");
                return inner;
            }
            for (boolean constant : new boolean[] {true, false}) {
                if (take(constant ? "TRUE" : "FALSE")) {
                    termCount++;
                    return bears -> constant;
                }
            }
            if (quoted || !variable.equals(token)) {
                throw unexpected("`" + variable + ":` and a name, NOT, TRUE, FALSE or `(`");
            }
            advance();
            require(":");
            return joined(":", this::name, Parser::every);
        }

        private Predicate<Predicate<String>> name() {
            if (token == null || (!quoted && !Character.isLetter(token.charAt(0)) && token.charAt(0) != '_')) {
                throw unexpected("a name");
            }
            String name = token;
            names.add(name);
            termCount++;
            advance();
            return bears -> bears.test(name);
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
            start = text.length();
            if (tokens.find()) {
                quoted = tokens.group(2) != null;
                int group = tokens.group(1) != null ? 1 : quoted ? 2 : tokens.group(3) != null ? 3 : 4;
                token = quoted ? tokens.group(2).replace("``", "`") : tokens.group(group);
                start = tokens.start(group);
            }
        }

        private ProximaException unexpected(String wanted) {
            String found = token == null ? "the end" : "`" + Shown.text(token) + "` at character " + (start + 1);
            return ProximaException.invalidArgument(
                    "`" + argument + "` is not a valid filter: expected " + wanted + ", but found "
                            + found + " of `" + Shown.text(text) + "`. Filters are '*', or `" + variable + ":` and a "
                            + (variable.equals("n") ? "label" : "type")
                            + ", combined by NOT, AND, XOR, OR and parentheses. They cannot refer to properties.");
        }
    }
}
