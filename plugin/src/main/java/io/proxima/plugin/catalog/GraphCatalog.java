/*
 * Copyright 2026 The Proxima authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.proxima.plugin.catalog;

import io.proxima.plugin.ProximaException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * All projected graphs of this JVM. It is static and no component of Neo4j's, because a component that is not registered
 * in time stops the whole server; {@link CatalogExtension} frees the graphs of a database that stops. Thread-safe.
 */
public final class GraphCatalog {

    private static final Map<GraphKey, GraphEntry> GRAPHS = new ConcurrentHashMap<>();

    private GraphCatalog() {}

    /**
     * Who looks, and from where.
     *
     * @param user the caller
     * @param admin whether the caller may see everyone's graphs
     * @param database the caller's database
     * @param databaseName that database's name
     */
    public record Viewer(String user, boolean admin, UUID database, String databaseName) {
        /** The key of the viewer's own graph of that name. */
        public GraphKey key(String name) {
            return new GraphKey(user, database, databaseName, name);
        }
    }

    /**
     * Checks that a name is free, before work is spent on it.
     *
     * @throws ProximaException if it is not
     */
    public static void requireFree(GraphKey key) {
        if (GRAPHS.containsKey(key)) {
            throw alreadyExists(key);
        }
    }

    /**
     * Takes a graph in.
     *
     * @param entry with the one reference that becomes the catalog's; released here if it is refused
     * @param replace whether a graph of that name gives way, at once and without a moment in which neither is there
     * @throws ProximaException if the name was taken meanwhile and {@code replace} is false
     */
    public static void add(GraphEntry entry, boolean replace) {
        GraphEntry before = replace ? GRAPHS.put(entry.key(), entry) : GRAPHS.putIfAbsent(entry.key(), entry);
        if (before == null) {
            return;
        }
        if (replace) {
            before.release();
        } else {
            entry.release();
            throw alreadyExists(entry.key());
        }
    }

    /** Whether the viewer has a graph of that name; graphs of others do not count. */
    public static boolean exists(Viewer viewer, String name) {
        return GRAPHS.containsKey(viewer.key(name));
    }

    /**
     * Takes a reference on a graph for a run. An admin may use the graph of another user if no own one has that name.
     *
     * @param viewer who runs
     * @param name the graph's name
     * @return the entry, to be released by the caller
     * @throws ProximaException if the viewer sees no such graph, or an admin sees several
     */
    public static GraphEntry acquire(Viewer viewer, String name) {
        while (true) {
            GraphEntry entry = find(viewer, name);
            if (entry == null) {
                throw doNotExist(List.of(name), viewer.databaseName());
            }
            if (entry.acquire()) {
                return entry;
            }
            // dropped between the look-up and here: look again
        }
    }

    /** The graphs that the viewer sees, of all databases, by database, name and user. */
    public static List<GraphEntry> list(Viewer viewer) {
        return select(entry -> viewer.admin() || entry.key().user().equals(viewer.user()));
    }

    /** The graphs of all users and databases, in the same order. */
    public static List<GraphEntry> all() {
        return select(entry -> true);
    }

    /** The graph of the viewer's database that the viewer means by that name, null if there is none. */
    public static GraphEntry find(Viewer viewer, String name) {
        GraphEntry own = GRAPHS.get(viewer.key(name));
        return own != null ? own : findAmong(viewer, name, key -> key.database().equals(viewer.database()));
    }

    /** The same on a database of another name; names of databases are case-insensitive. */
    public static GraphEntry findOn(Viewer viewer, String databaseName, String name) {
        return findAmong(viewer, name, key -> key.databaseName().equalsIgnoreCase(databaseName.strip()));
    }

    private static GraphEntry findAmong(Viewer viewer, String name, Predicate<GraphKey> onDatabase) {
        List<GraphEntry> candidates = list(viewer).stream()
                .filter(entry -> entry.key().name().equals(name) && onDatabase.test(entry.key()))
                .toList();
        List<GraphEntry> own = candidates.stream()
                .filter(entry -> entry.key().user().equals(viewer.user()))
                .toList();
        List<GraphEntry> meant = own.isEmpty() ? candidates : own;
        if (meant.size() > 1) {
            throw ProximaException.failed("Multiple graphs that match '" + name + "' are found from the users "
                    + meant.stream().map(entry -> entry.key().user()).toList()
                    + ". Give the `username` of the one that is meant.");
        }
        return meant.isEmpty() ? null : meant.get(0);
    }

    /**
     * Takes a graph out of the catalog; its memory is freed when the runs on it have ended.
     *
     * @return whether it was there
     */
    public static boolean drop(GraphEntry entry) {
        boolean dropped = GRAPHS.remove(entry.key(), entry);
        if (dropped) {
            entry.release();
        }
        return dropped;
    }

    /** Drops all graphs of a database, whoever owns them. */
    public static void dropDatabase(UUID database) {
        select(entry -> entry.key().database().equals(database)).forEach(GraphCatalog::drop);
    }

    /** Drops all graphs of a user, of all databases. */
    public static void dropUser(String user) {
        select(entry -> entry.key().user().equals(user)).forEach(GraphCatalog::drop);
    }

    /** The error for graphs that are not there, all of them named. */
    public static ProximaException doNotExist(List<String> names, String databaseName) {
        String quoted = names.stream().map(name -> "`" + name + "`").collect(Collectors.joining(", "));
        return ProximaException.failed(
                (names.size() == 1 ? "Graph with name " + quoted + " does" : "Graphs with names " + quoted + " do")
                        + " not exist on database `" + databaseName + "`. "
                        + (names.size() == 1 ? "It" : "They") + " might exist on another database.");
    }

    private static ProximaException alreadyExists(GraphKey key) {
        return ProximaException.failed("A graph with name '" + key.name() + "' already exists.");
    }

    private static List<GraphEntry> select(Predicate<GraphEntry> wanted) {
        return GRAPHS.values().stream()
                .filter(wanted)
                .sorted(Comparator.comparing((GraphEntry entry) -> entry.key().databaseName())
                        .thenComparing(entry -> entry.key().name())
                        .thenComparing(entry -> entry.key().user()))
                .toList();
    }
}
