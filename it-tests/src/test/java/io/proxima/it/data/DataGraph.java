// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.data;

import io.proxima.projection.EdgeList;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.GZIPInputStream;

/** The real graphs that tests use; their sources are named in {@code graphs/SOURCES.md}. */
public enum DataGraph {
    AIRPORTS,
    EGO_FACEBOOK,
    AS_CAIDA,
    CA_CONDMAT,
    EMAIL_ENRON,
    CIT_HEPTH;

    private static final Map<DataGraph, EdgeList> READ = new ConcurrentHashMap<>();

    /** Its edges, which are read once. */
    public EdgeList read() {
        return READ.computeIfAbsent(
                this,
                graph -> graph == AIRPORTS
                        ? Airports.routes()
                        : read("/graphs/" + label().replace('_', '-') + ".txt.gz"));
    }

    /**
     * Reads two node numbers a line, counted from 1. Lines that begin with # are comments, the first of which names the
     * node count, as in {@code # name: 4039 nodes, ...}.
     */
    private static EdgeList read(String resource) {
        List<String> lines = lines(resource);
        EdgeList edges = new EdgeList(Integer.parseInt(lines.get(0).replaceFirst("^#.*: (\\d+) nodes.*$", "$1")));
        for (String line : lines) {
            if (!line.startsWith("#")) {
                String[] pair = line.strip().split("\\s+", -1);
                edges.add(Integer.parseInt(pair[0]) - 1, Integer.parseInt(pair[1]) - 1);
            }
        }
        return edges;
    }

    /** The lines of a gzipped resource. */
    static List<String> lines(String resource) {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(
                new GZIPInputStream(DataGraph.class.getResourceAsStream(resource)), StandardCharsets.UTF_8))) {
            return in.lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The label of its nodes in a database that holds several. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The type of its relationships in a database that holds several. */
    public String type() {
        return name() + "_LINK";
    }

    /** Whether exact closeness of it takes a library without bit-parallel searches seconds. */
    public boolean isLarge() {
        return this == EMAIL_ENRON || this == CIT_HEPTH;
    }
}
