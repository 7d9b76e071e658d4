// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.graph;

import io.proxima.plugin.ProximaException;
import io.proxima.plugin.write.CallingTransaction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.neo4j.graphdb.QueryExecutionException;
import org.neo4j.graphdb.Result;
import org.neo4j.kernel.api.query.ExecutingQuery;
import org.neo4j.kernel.impl.coreapi.InternalTransaction;
import org.neo4j.kernel.impl.util.DefaultValueMapper;

/**
 * The arguments of an aggregation function, taken from the text of the query. Cypher evaluates the arguments of an
 * aggregation with each row, and therefore not at all if there are no rows. Constants and parameters can be evaluated
 * anyway.
 *
 * @param graphName the first argument
 * @param configuration the fifth argument, an empty map if there is none
 */
record AggregationCall(Object graphName, Object configuration) {

    private static final int CONFIGURATION = 4;

    /**
     * Finds the call in the query that the transaction executes.
     *
     * @param function the function's full name
     * @throws ProximaException if there are several calls, or if the arguments depend on rows
     */
    static AggregationCall inQueryOf(InternalTransaction transaction, String function) {
        ExecutingQuery query = CallingTransaction.executingQuery(transaction.kernelTransaction());
        List<List<String>> calls = query == null ? List.of() : find(query.rawQueryText(), function);
        if (calls.size() != 1) {
            throw unknownName("there are " + calls.size() + " calls of `" + function + "` in the query");
        }
        List<String> arguments = calls.get(0);
        String configuration = arguments.size() > CONFIGURATION ? arguments.get(CONFIGURATION) : "{}";
        try (Result result = transaction.execute(
                "RETURN " + arguments.get(0) + " AS graphName, " + configuration + " AS configuration",
                parameters(transaction, query))) {
            Map<String, Object> row = result.next();
            return new AggregationCall(row.get("graphName"), row.get("configuration"));
        } catch (QueryExecutionException e) {
            throw unknownName("`graphName` or `configuration` is taken from the rows");
        }
    }

    /** The arguments of each call in a query, as text. */
    static List<List<String>> find(String query, String function) {
        // possessive, because each part of a gap would take a frame of the stack otherwise
        String gap = "(?:\\s|//[^\\n\\r]*+|/\\*.*?\\*/)";
        Matcher token = Pattern.compile(
                        "'(?:\\\\.|[^'\\\\])*+'|\"(?:\\\\.|[^\"\\\\])*+\"|`[^`]*+`|//[^\\n\\r]*+|/\\*.*?\\*/"
                                + "|(?<call>(?<![\\w.`$])(?<procedure>(?i:CALL)" + gap + "++)?"
                                + function.replace(".", gap + "*+\\." + gap + "*+") + gap
                                + "*+\\()|(?<bracket>[(\\[{}\\]),])",
                        Pattern.DOTALL)
                .matcher(query);
        List<List<String>> calls = new ArrayList<>();
        List<String> arguments = null;
        int depth = 0;
        int start = 0;
        while (token.find()) {
            if (arguments == null && token.group("call") != null && token.group("procedure") == null) {
                arguments = new ArrayList<>();
                calls.add(arguments);
                depth = 1;
                start = token.end();
            } else if (arguments != null && (token.group("call") != null || token.group("bracket") != null)) {
                char last = query.charAt(token.end() - 1);
                depth += "([{".indexOf(last) >= 0 ? 1 : last == ',' ? 0 : -1;
                if (depth == 0 || (depth == 1 && last == ',')) {
                    arguments.add(query.substring(start, token.start()));
                    start = token.end();
                }
                arguments = depth == 0 ? null : arguments;
            }
        }
        return calls;
    }

    private static Map<String, Object> parameters(InternalTransaction transaction, ExecutingQuery query) {
        Map<String, Object> parameters = new HashMap<>();
        DefaultValueMapper values = new DefaultValueMapper(transaction);
        query.rawQueryParameters().foreach((name, value) -> parameters.put(name, value.map(values)));
        return parameters;
    }

    private static ProximaException unknownName(String why) {
        return ProximaException.invalidArgument("The query has no rows, and " + why
                + ", so that the name of the empty graph is not known. Give `graphName` and `configuration` as constants or"
                + " parameters, in one call.");
    }
}
