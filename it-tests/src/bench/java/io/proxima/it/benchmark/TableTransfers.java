// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.benchmark;

import io.proxima.it.Cypher;
import io.proxima.it.Prints;
import io.proxima.it.ServerJmx;
import io.proxima.it.server.Installation;
import io.proxima.it.server.ServerProcess;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;
import javax.management.JMException;
import javax.management.ObjectName;
import org.neo4j.driver.Record;
import org.neo4j.driver.Result;
import org.neo4j.driver.Session;
import org.neo4j.driver.SessionConfig;

/**
 * A property of many nodes over Bolt, as rows and as columns in turn: with the drivers of the option {@code --drivers}.
 * {@code JavaScript} needs what {@code npm ci --prefix it-tests/src/test/js} installs, {@code Python} an interpreter
 * {@code --python} with neo4j, pandas and pyarrow. The times end when the client has all values: in Java the bytes, in
 * JavaScript a table, in Python a DataFrame.
 */
@Prints
final class TableTransfers {

    static final String HEADER = "rows,key,client,form,medianMillis,times,serverAllocatedBytes";

    private static final int ROUNDS = 5;
    private static final int FETCH_SIZE = 16;
    private final ServerProcess server;
    private final Cypher cypher;
    private final ServerJmx jmx;
    private final Map<String, Client> clients;

    private TableTransfers(ServerProcess server, ServerJmx jmx, Map<String, String> options) {
        this.server = server;
        this.cypher = new Cypher(server.driver());
        this.jmx = jmx;
        this.clients = new LinkedHashMap<>(Map.<String, Client>of(
                "Java",
                this::java,
                "JavaScript",
                (query, form) -> script(new Script("node", "src/test/js/transfers.mjs"), query, form),
                "Python",
                (query, form) -> script(
                        new Script(options.get("python"), "src/bench/python/outside.py", "frame"), query, form)));
        clients.keySet().retainAll(List.of(options.get("drivers").split(",", -1)));
    }

    /** A client, which reads the result of a query and returns the milliseconds. */
    private interface Client {
        double read(String query, String form);
    }

    /** Measures tables with so many rows each, and their elementIds in the largest one. */
    static List<String> measure(List<Integer> sizes, Map<String, String> options) throws IOException, JMException {
        Installation installation = Installation.built();
        List<String> csv = new ArrayList<>();
        int largest = sizes.stream().mapToInt(Integer::intValue).max().orElseThrow();
        try (ServerProcess server = BenchmarkGraph.server(
                                installation, installation.newHome("table-transfers"), options)
                        .start();
                ServerJmx jmx = new ServerJmx(server)) {
            TableTransfers transfers = new TableTransfers(server, jmx, options);
            System.out.println(BenchmarkGraph.versions(transfers.cypher));
            for (int size : sizes) {
                transfers.create(size);
                csv.addAll(transfers.measure(size, "nodeId"));
            }
            transfers.create(largest);
            csv.addAll(transfers.measure(largest, "elementId"));
        }
        return csv;
    }

    private void create(int size) {
        cypher.rows("CALL proxima.graph.drop('g', false)");
        long missing = size - (Long) cypher.value("MATCH (n) RETURN count(n)");
        cypher.rows(
                "UNWIND range(1, $missing) AS i CALL (i) { CREATE (:N) } IN TRANSACTIONS OF 100000 ROWS",
                "missing",
                Math.max(0, missing));
        cypher.rows(
                "MATCH (n) WITH n LIMIT $size WITH proxima.graph.project('g', n, null) AS g RETURN g.nodeCount",
                "size",
                size);
        cypher.rows("CALL proxima.closeness.mutate('g', {mutateProperty: 'score'})");
    }

    private List<String> measure(int size, String key) throws IOException, JMException {
        String rows = "CALL proxima.graph.nodeProperty.stream('g', 'score') YIELD nodeId, propertyValue RETURN "
                + (key.equals("nodeId") ? "nodeId" : "elementId(proxima.util.asNode(nodeId)) AS elementId")
                + ", propertyValue";
        String columns = "CALL proxima.graph.nodeProperties.arrow('g', 'score', {key: '" + key + "'})";
        List<String> csv = new ArrayList<>();
        for (Map.Entry<String, Client> client : clients.entrySet()) {
            double[][] millis = new double[2][ROUNDS];
            long[] allocated = new long[2];
            // the first round is not counted
            for (int round = -1; round < ROUNDS; round++) {
                for (int form = 0; form < 2; form++) {
                    long before = allocatedBytes();
                    double taken = client.getValue().read(form == 0 ? rows : columns, form == 0 ? "rows" : "columns");
                    allocated[form] = allocatedBytes() - before;
                    if (round >= 0) {
                        millis[form][round] = taken;
                    }
                }
            }
            for (int form = 0; form < 2; form++) {
                Arrays.sort(millis[form]);
                csv.add(String.format(
                        Locale.ROOT,
                        "%d,%s,%s,%s,%.1f,%s,%d",
                        size,
                        key,
                        client.getKey(),
                        form == 0 ? "rows" : "columns",
                        millis[form][ROUNDS / 2],
                        DoubleStream.of(millis[form])
                                .mapToObj(one -> String.format(Locale.ROOT, "%.1f", one))
                                .reduce((a, b) -> a + " " + b)
                                .orElseThrow(),
                        allocated[form]));
                System.out.println(csv.get(csv.size() - 1));
            }
            System.out.printf(
                    Locale.ROOT,
                    "%d %s, %s: columns are %.1f times as fast%n",
                    size,
                    key,
                    client.getKey(),
                    millis[0][ROUNDS / 2] / millis[1][ROUNDS / 2]);
        }
        return csv;
    }

    /** What the threads of the server have allocated. */
    private long allocatedBytes() throws IOException, JMException {
        ObjectName threads = new ObjectName("java.lang:type=Threading");
        Object ids = jmx.beans().getAttribute(threads, "AllThreadIds");
        long[] allocated = (long[])
                jmx.beans().invoke(threads, "getThreadAllocatedBytes", new Object[] {ids}, new String[] {"[J"});
        return LongStream.of(allocated).filter(bytes -> bytes > 0).sum();
    }

    private double java(String query, String form) {
        long start = System.nanoTime();
        SessionConfig config = form.equals("rows")
                ? SessionConfig.defaultConfig()
                : SessionConfig.builder().withFetchSize(FETCH_SIZE).build();
        double sum = 0;
        try (Session session = cypher.driver().session(config)) {
            Result result = session.run(query);
            while (result.hasNext()) {
                Record row = result.next();
                sum += form.equals("rows") ? row.get(1).asDouble() : row.get(0).asByteArray().length;
            }
        }
        if (sum < 0) {
            throw new IllegalStateException("no values");
        }
        return BenchmarkGraph.millisSince(start);
    }

    private double script(Script script, String query, String form) {
        return Double.parseDouble(script.lines(server.boltUri(), ServerProcess.PASSWORD, form, query)
                .get(0));
    }
}
