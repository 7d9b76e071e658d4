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
import java.util.stream.Stream;
import org.neo4j.graphdb.Result;
import org.neo4j.procedure.Description;
import org.neo4j.procedure.Mode;
import org.neo4j.procedure.Name;
import org.neo4j.procedure.NotThreadSafe;
import org.neo4j.procedure.Procedure;

/** Describes the procedures and functions. */
public final class HelpProcedure extends ProximaProcedure {

    private static final String PREFIX = "proxima.";
    private static final String LISTED =
            " YIELD name, description, signature, returnDescription WHERE name STARTS WITH '" + PREFIX + "' RETURN *";

    /** Required by Neo4j. */
    public HelpProcedure() {}

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

    /** Describes procedures and functions. */
    @Procedure(name = "proxima.help", mode = Mode.READ)
    @Help(example = "CALL proxima.help('closeness')")
    @NotThreadSafe
    @Description("Returns the procedures and functions whose names contain a text, with signature, configuration keys,"
            + " example and page of the manual. For names of GDS and APOC, it returns what to call instead.")
    public Stream<HelpRow> help(
            @Name(
                            value = "name",
                            defaultValue = "",
                            description = "A full name or a part of it, in any case; all if empty.")
                    String name) {
        return answer(caller -> {
            if (name == null) {
                throw ProximaException.invalidArgument("`name` can not be null. Give a part of a name, or '' for all.");
            }
            String part = name.strip().toLowerCase(Locale.ROOT).replaceFirst("^gds\\.", PREFIX);
            List<HelpRow> rows = new ArrayList<>();
            collect(caller, false, part, rows);
            collect(caller, true, part, rows);
            rows.sort(Comparator.comparing(HelpRow::name));
            OtherNames.answers(part, rows.isEmpty()).forEach(rows::add);
            return rows.stream();
        });
    }

    /** Adds the procedures or functions that Neo4j lists for the caller. */
    private static void collect(Caller caller, boolean functions, String part, List<HelpRow> rows) {
        try (Result listed =
                caller.transaction().execute((functions ? "SHOW FUNCTIONS" : "SHOW PROCEDURES") + LISTED)) {
            while (listed.hasNext()) {
                Map<String, Object> row = listed.next();
                String name = (String) row.get("name");
                Declared declared = Declared.of(name, functions);
                if (declared != null && name.toLowerCase(Locale.ROOT).contains(part)) {
                    rows.add(row(caller, row, declared, functions, part.isEmpty()));
                }
            }
        }
    }

    /** The row of a procedure or function. In the list of all, keys would hide the names of the others. */
    private static HelpRow row(
            Caller caller, Map<String, Object> listed, Declared declared, boolean isFunction, boolean listsAll) {
        String name = declared.name();
        Map<String, List<KeyRead>> keys = listsAll ? Map.of() : declared.keys(caller);
        List<Map<String, Object>> shown = new ArrayList<>();
        keys.forEach((argument, ofArgument) -> ofArgument.forEach(key -> shown.add(shown(argument, key))));
        return new HelpRow(
                isFunction ? "function" : "procedure",
                name,
                (String) listed.get("description"),
                listsAll ? "" : (String) listed.get("signature"),
                shown,
                listsAll ? "CALL proxima.help('" + name + "')" : declared.example(keys.values(), columns(listed)),
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
