// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.help;

import io.proxima.plugin.ProximaException;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.call.Help;
import io.proxima.plugin.call.ProximaProcedure;
import io.proxima.plugin.config.ConfigReader.KeyRead;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.neo4j.graphdb.Result;
import org.neo4j.procedure.Description;
import org.neo4j.procedure.Mode;
import org.neo4j.procedure.Name;
import org.neo4j.procedure.NotThreadSafe;
import org.neo4j.procedure.Procedure;

/** Lists and describes the procedures and functions. */
public final class HelpProcedure extends ProximaProcedure {

    private static final String PREFIX = "proxima.";
    private static final String FUNCTION = "function";
    private static final String A_PART = "A full name or a part of it, in any case; all if empty.";
    private static final String LISTED =
            " YIELD name, description, signature, returnDescription WHERE name STARTS WITH '" + PREFIX + "' RETURN *";

    /** A procedure or function, or what to call instead of another. */
    public record HelpRow(
            @Description("'procedure', 'function', or 'hint' for a name that Proxima does not have.")
            String type,

            @Description("The full name.") String name,

            @Description("What it returns; for a hint what to call instead.")
            String description,

            @Description("The arguments and columns with their Cypher types.")
            String signature,

            @Description("For each configuration key a `MAP` with `argument`, `key`, `type`, `default` and `meaning`.")
            List<Map<String, Object>> keys,

            @Description("A query that calls it.") String example,
            @Description("The page of the manual.") String manual) {}

    /** A procedure or function. */
    public record ListRow(
            @Description("The full name.") String name,
            @Description("What it returns.") String description,

            @Description("The arguments and columns with their Cypher types.")
            String signature,

            @Description("'procedure' or 'function'.") String type) {}

    /** A procedure or function, and what Neo4j shows of it. */
    private record Listed(Declared declared, String type, Map<String, Object> shown) {
        String text(String column) {
            return (String) shown.get(column);
        }
    }

    /** Describes procedures and functions. */
    @Procedure(name = "proxima.help", mode = Mode.READ)
    @Help(example = "CALL proxima.help('closeness')")
    @NotThreadSafe
    @Description("Returns the procedures and functions whose names contain a text, with signature, configuration keys,"
            + " example and page of the manual. For names of GDS and APOC, it returns what to call instead.")
    public Stream<HelpRow> help(@Name(value = "name", defaultValue = "", description = A_PART) String name) {
        return answer(caller -> {
            String part = part(name);
            List<HelpRow> rows = new ArrayList<>();
            listed(caller, part).forEach(listed -> rows.add(row(caller, listed, part.isEmpty())));
            Set<String> words = new TreeSet<>();
            if (rows.isEmpty()) {
                listed(caller, PREFIX)
                        .forEach(listed ->
                                words.addAll(List.of(listed.declared.name().split("\\.", -1))));
            }
            OtherNames.answers(part, words).forEach(rows::add);
            return rows.stream();
        });
    }

    /** Lists procedures and functions. */
    @Procedure(name = "proxima.list", mode = Mode.READ)
    @Help(page = "help", example = "CALL proxima.list('closeness')")
    @NotThreadSafe
    @Description("Returns the procedures and functions whose names contain a text, with description and signature.")
    public Stream<ListRow> list(@Name(value = "name", defaultValue = "", description = A_PART) String name) {
        return answer(caller -> listed(caller, part(name)).stream()
                .map(listed -> new ListRow(
                        listed.declared.name(), listed.text("description"), listed.text("signature"), listed.type)));
    }

    /** The text that names contain, in lower case. */
    private static String part(String name) {
        if (name == null) {
            throw ProximaException.invalidArgument("`name` can not be null. Give a part of a name, or '' for all.");
        }
        return name.strip().toLowerCase(Locale.ROOT).replaceFirst("^gds\\.", PREFIX);
    }

    /** The procedures and functions that Neo4j lists for the caller, by name. */
    private static List<Listed> listed(Caller caller, String part) {
        List<Listed> all = new ArrayList<>();
        for (String type : List.of("procedure", FUNCTION)) {
            try (Result shown = caller.transaction().execute("SHOW " + type + "S" + LISTED)) {
                while (shown.hasNext()) {
                    Map<String, Object> row = shown.next();
                    String name = (String) row.get("name");
                    Declared declared = Declared.of(name, type.equals(FUNCTION));
                    if (declared != null && name.toLowerCase(Locale.ROOT).contains(part)) {
                        all.add(new Listed(declared, type, row));
                    }
                }
            }
        }
        all.sort(Comparator.comparing(listed -> listed.declared.name()));
        return all;
    }

    /** The row of a procedure or function. In the list of all, keys would hide the names of the others. */
    private static HelpRow row(Caller caller, Listed listed, boolean listsAll) {
        Declared declared = listed.declared;
        Map<String, List<KeyRead>> keys = listsAll ? Map.of() : declared.keys(caller);
        List<Map<String, Object>> shown = new ArrayList<>();
        keys.forEach((argument, ofArgument) -> ofArgument.forEach(key -> shown.add(shown(argument, key))));
        return new HelpRow(
                listed.type,
                declared.name(),
                listed.text("description"),
                listsAll ? "" : listed.text("signature"),
                shown,
                listsAll
                        ? "CALL proxima.help('" + declared.name() + "')"
                        : declared.example(keys.values(), columns(listed.shown)),
                declared.page());
    }

    private static Map<String, Object> shown(String argument, KeyRead read) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("argument", argument);
        shown.put("key", read.key().name());
        shown.put("type", read.type());
        shown.put("default", read.defaultValue());
        shown.put("meaning", read.key().meaning());
        return shown;
    }

    private static List<String> columns(Map<String, Object> listed) {
        // that of a function is a text
        return listed.get("returnDescription") instanceof List<?> columns
                ? columns.stream()
                        .map(column -> (String) ((Map<?, ?>) column).get("name"))
                        .toList()
                : List.of();
    }
}
