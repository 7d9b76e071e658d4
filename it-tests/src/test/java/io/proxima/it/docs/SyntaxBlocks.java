// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.docs;

import io.proxima.it.Cypher;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How a page of the manual shows a procedure or a function to be called, in a block that is not run:
 *
 * <pre>
 * CALL proxima.name(argument :: TYPE, argument = default :: TYPE)
 * YIELD column, column
 *
 * proxima.name(argument :: TYPE) :: TYPE
 * </pre>
 *
 * A block may show several, with an empty line between them.
 */
final class SyntaxBlocks {

    private static final Pattern BLOCK = Pattern.compile("(?ms)(^\\[source,cypher[^\\n]*\\n)?^----\\n(.*?)\\n----$");
    private static final Pattern PROCEDURE =
            Pattern.compile("(?s)CALL (proxima\\.[\\w.]+)\\((.*)\\)\\s+YIELD ([\\w,\\s]+)");
    private static final Pattern FUNCTION = Pattern.compile("(?s)(proxima\\.[\\w.]+)\\((.*)\\) :: (\\S+)");
    private static final Pattern SERVED = Pattern.compile("(proxima\\.[\\w.]+)\\((.*?)\\) :: (.*)");

    private SyntaxBlocks() {}

    /** What is called. */
    enum Kind {
        PROCEDURE,
        FUNCTION
    }

    /**
     * A signature.
     *
     * @param arguments with names, defaults and types, as the server shows them
     * @param result the names of a procedure's columns in order, or the type of a function
     */
    record Syntax(Kind kind, String name, String arguments, List<String> result) {

        /** A procedure and a function may have the same name. */
        private String key() {
            return kind + " " + name;
        }
    }

    /** The signatures that a page shows, each under its kind and name. */
    static Map<String, Syntax> in(String page) {
        Map<String, Syntax> shown = new TreeMap<>();
        Matcher block = BLOCK.matcher(page);
        while (block.find()) {
            if (block.group(1) != null) {
                continue;
            }
            for (String part : block.group(2).split("\\n\\s*\\n", -1)) {
                Syntax syntax = parse(part.strip());
                if (syntax != null) {
                    shown.put(syntax.key(), syntax);
                }
            }
        }
        return shown;
    }

    private static Syntax parse(String part) {
        Matcher procedure = PROCEDURE.matcher(part);
        // an example of a call gives values instead of types
        if (procedure.matches()
                && (procedure.group(2).isBlank() || procedure.group(2).contains("::"))) {
            return new Syntax(
                    Kind.PROCEDURE,
                    procedure.group(1),
                    oneLine(procedure.group(2)),
                    Arrays.asList(oneLine(procedure.group(3)).split(", ?", -1)));
        }
        Matcher function = FUNCTION.matcher(part);
        return function.matches()
                ? new Syntax(
                        Kind.FUNCTION,
                        function.group(1),
                        oneLine(function.group(2)),
                        List.of(oneLine(function.group(3))))
                : null;
    }

    /** The signatures of all that a server has of Proxima, each under its kind and name. */
    static Map<String, Syntax> served(Cypher cypher) {
        Map<String, Syntax> served = new TreeMap<>();
        for (Map<String, Object> row : cypher.rows("SHOW PROCEDURES YIELD name, signature, returnDescription"
                + " WHERE name STARTS WITH 'proxima.'"
                + " RETURN signature, [column IN returnDescription | column.name] AS columns")) {
            Matcher signature = served((String) row.get("signature"));
            List<String> columns =
                    ((List<?>) row.get("columns")).stream().map(String::valueOf).toList();
            Syntax syntax = new Syntax(Kind.PROCEDURE, signature.group(1), oneLine(signature.group(2)), columns);
            served.put(syntax.key(), syntax);
        }
        for (Map<String, Object> row : cypher.rows(
                "SHOW FUNCTIONS YIELD name, signature WHERE name STARTS WITH 'proxima.' RETURN signature")) {
            Matcher signature = served((String) row.get("signature"));
            Syntax syntax = new Syntax(
                    Kind.FUNCTION, signature.group(1), oneLine(signature.group(2)), List.of(signature.group(3)));
            served.put(syntax.key(), syntax);
        }
        return served;
    }

    private static Matcher served(String signature) {
        Matcher matcher = SERVED.matcher(signature);
        if (!matcher.matches()) {
            throw new AssertionError("Not a signature: " + signature);
        }
        return matcher;
    }

    /** The server shows text without the quotes that the manual gives it. */
    private static String oneLine(String text) {
        return text.replace("'", "").strip().replaceAll("\\s+", " ");
    }
}
