// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.catalog;

import io.proxima.concurrent.Closing;
import io.proxima.concurrent.Stop;
import io.proxima.plugin.ProximaException;
import io.proxima.plugin.config.Shown;
import io.proxima.plugin.config.SimilarNames;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * All projected graphs of this JVM. It is a static class and not a Neo4j component, because a component that is not
 * registered in time stops the whole server. {@link CatalogExtension} frees the graphs of a database that stops.
 * Thread-safe.
 */
public final class GraphCatalog {

    /** Maximum number of graphs of a user in a database. */
    static final int MOST_GRAPHS = 1_000;

    // changed under its own monitor, read without it
    private static final Map<GraphKey, GraphEntry> GRAPHS = new ConcurrentHashMap<>();

    // guarded by GRAPHS: the number of ends so far, and that of the last end of each user and database
    private static final Map<Owner, Long> ENDED = new HashMap<>();
    private static long ends;

    // changed under the monitor of GRAPHS, read without it: the last caller of each user name
    private static final Map<Owner, LastCaller> LAST_CALLERS = new ConcurrentHashMap<>();

    private GraphCatalog() {}

    /** The name of a user or the id of a database; two DBMS of a JVM may both have it. */
    private record Owner(Path dbms, Object nameOrId) {
        boolean owns(GraphKey key) {
            return dbms.equals(key.dbms()) && (nameOrId.equals(key.user()) || nameOrId.equals(key.database()));
        }
    }

    /** The id of a user after so many transactions of the system database. */
    private record LastCaller(String id, long changes) {}

    /**
     * The user and the database that access the catalog.
     *
     * @param dbms the caller's DBMS, see {@link GraphKey}
     * @param user the caller
     * @param admin whether the caller may see the graphs of all users of the DBMS
     * @param database the caller's database
     * @param databaseName the name of that database
     */
    public record Viewer(Path dbms, String user, boolean admin, UUID database, String databaseName) {
        /** The key of a graph that the viewer owns. */
        public GraphKey key(String name) {
            return new GraphKey(dbms, user, database, databaseName, name);
        }
    }

    /**
     * The addition of a graph, which a call has begun. Others may use its name meanwhile.
     *
     * @param key owner, database and name
     * @param replace whether the graph replaces an existing one of that name, atomically
     * @param refreshed the only graph that it may replace; null for any
     * @param endsBefore the number of ends of users and databases before it
     */
    public record Addition(GraphKey key, boolean replace, GraphEntry refreshed, long endsBefore) {}

    /**
     * Begins an addition before work is spent on the graph. It ends when its user is dropped or its database stops.
     *
     * @param replace whether to replace an existing graph of that name
     * @throws ProximaException if the name is in use and {@code replace} is false, or if the user has too many graphs
     */
    public static Addition begin(GraphKey key, boolean replace) {
        return begin(key, replace, null);
    }

    /**
     * Begins to replace a graph, and no other of its name.
     *
     * @throws ProximaException if the graph is not in the catalog any more
     */
    public static Addition beginRefresh(GraphEntry refreshed) {
        return begin(refreshed.key(), true, refreshed);
    }

    private static Addition begin(GraphKey key, boolean replace, GraphEntry refreshed) {
        synchronized (GRAPHS) {
            Addition addition = new Addition(key, replace, refreshed, ends);
            ProximaException refusal = refusal(addition);
            if (refusal != null) {
                throw refusal;
            }
            return addition;
        }
    }

    /**
     * Adds a graph.
     *
     * @param entry the catalog takes over its one reference, which is released here if the graph is refused
     * @param addition its addition
     * @throws ProximaException if the name is in use and must not be replaced, if the graph to be replaced was dropped
     *     or replaced since the addition began, if the user has too many graphs, if the addition has ended, or if the
     *     graph has changes that were rolled back
     */
    public static void add(GraphEntry entry, Addition addition) {
        put(entry, addition, null, null);
    }

    /**
     * Exchanges a refreshed graph for a version of it, as {@link #add}, unless the node properties of the graph have
     * changed meanwhile. Properties that calls still add to the graph are added to the version.
     *
     * @param had the node properties of the graph that the version has
     * @param reborn neo4jIds, ascending, of nodes that may be others than before
     * @return whether the version is in the catalog; otherwise it was released
     * @throws ProximaException as {@link #add}
     */
    public static boolean exchange(
            GraphEntry version, Addition addition, Map<String, NodeProperty> had, long[] reborn) {
        return put(version, addition, had, reborn);
    }

    private static boolean put(GraphEntry entry, Addition addition, Map<String, NodeProperty> had, long[] reborn) {
        ProximaException refusal = null;
        GraphEntry unused = entry;
        boolean accepted;
        synchronized (GRAPHS) {
            accepted = had == null || addition.refreshed().properties().equals(had);
            if (accepted) {
                refusal = entry.isRolledBack() ? rolledBack(entry.key()) : refusal(addition);
            }
            if (accepted && refusal == null) {
                unused = GRAPHS.put(entry.key(), entry);
                if (had != null) {
                    addition.refreshed().becomes(entry, reborn);
                }
            }
        }
        if (unused != null) {
            unused.close();
        }
        if (refusal != null) {
            throw refusal;
        }
        return accepted;
    }

    /** Why a graph cannot be added; null if it can. */
    private static ProximaException refusal(Addition addition) {
        GraphKey key = addition.key();
        if (ENDED.getOrDefault(new Owner(key.dbms(), key.user()), 0L) > addition.endsBefore()) {
            return ProximaException.failed(
                    "The user `" + key.user() + "` was dropped, replaced or renamed before the graph '" + key.name()
                            + "' was complete, so it is not kept.");
        }
        if (ENDED.getOrDefault(new Owner(key.dbms(), key.database()), 0L) > addition.endsBefore()) {
            return ProximaException.failed("The database `" + key.databaseName() + "` was stopped before the graph '"
                    + key.name() + "' was complete, so it is not kept.");
        }
        if (addition.refreshed() != null && GRAPHS.get(key) != addition.refreshed()) {
            return gone(key, "the refreshed graph is");
        }
        if (GRAPHS.containsKey(key)) {
            return addition.replace()
                    ? null
                    : ProximaException.failed(
                            "A graph with name '" + key.name() + "' already exists. Drop it, or set `replace: true`.");
        }
        long graphs = GRAPHS.keySet().stream()
                .filter(other -> other.dbms().equals(key.dbms())
                        && other.database().equals(key.database())
                        && other.user().equals(key.user()))
                .count();
        return graphs < MOST_GRAPHS
                ? null
                : ProximaException.failed("The graph '" + key.name() + "' cannot be added, because its user has "
                        + graphs + " graphs in the database `" + key.databaseName() + "`; at most " + MOST_GRAPHS
                        + " are possible. Drop graphs that are not needed.");
    }

    private static ProximaException rolledBack(GraphKey key) {
        return ProximaException.failed("The transaction whose uncommitted changes the graph '" + key.name()
                + "' has was rolled back, so the graph is not kept.");
    }

    private static ProximaException gone(GraphKey key, String lost) {
        return ProximaException.failed("The graph `" + key.name() + "` was dropped or replaced during the call, so "
                + lost + " not kept. Repeat the call.");
    }

    /**
     * Adds node properties to a graph, all or none; if it was refreshed by merging, to its present version.
     *
     * @return the graph that has the properties now
     * @throws ProximaException if the graph is not in the catalog any more, or if one of the names is in use
     */
    public static GraphEntry addProperties(GraphEntry entry, Collection<NodeProperty> added, Stop stop) {
        GraphEntry reached = entry;
        Collection<NodeProperty> values = added;
        while (true) {
            GraphEntry present;
            long[] reborn;
            synchronized (GRAPHS) {
                present = GRAPHS.get(entry.key());
                reborn = present == null ? null : entry.rebornUntil(present);
                if (reborn == null) {
                    throw gone(entry.key(), "its new node properties are");
                }
                if (present == reached) {
                    present.addProperties(values);
                    return present;
                }
            }
            values = entry.carried(added, present.projection(), reborn, stop);
            reached = present;
        }
    }

    /**
     * Drops node properties of a graph; returns those that existed.
     *
     * @throws ProximaException if the graph is not in the catalog any more
     */
    public static List<NodeProperty> dropProperties(GraphEntry entry, Collection<String> names) {
        synchronized (GRAPHS) {
            if (GRAPHS.get(entry.key()) != entry) {
                throw gone(entry.key(), "the change of its node properties is");
            }
            return entry.dropProperties(names);
        }
    }

    /**
     * Drops the graphs with the changes of a transaction if it was rolled back. A live one stays, and is projected
     * again before the next call of its owner.
     */
    public static void dropRolledBack(TransactionEnd changes) {
        if (changes.outcome() != TransactionEnd.Outcome.ROLLED_BACK) {
            return;
        }
        List<GraphEntry> unused;
        synchronized (GRAPHS) {
            unused = remove(entry -> entry.details().changes() == changes && !entry.isLive());
        }
        close(unused);
    }

    /** Whether the viewer owns a graph of that name; graphs of other users are never considered. */
    public static boolean exists(Viewer viewer, String name) {
        return GRAPHS.containsKey(viewer.key(name));
    }

    /**
     * Acquires a reference to a graph for a run. An admin may use the graph of another user if none of their own has
     * that name.
     *
     * @param viewer the user of the graph
     * @param name the name of the graph
     * @return the entry, to be closed by the caller
     * @throws ProximaException if the viewer sees no such graph, or an admin sees several
     */
    public static GraphEntry acquire(Viewer viewer, String name) {
        while (true) {
            GraphEntry entry = find(viewer, name);
            if (entry == null) {
                throw doNotExist(viewer, List.of(name), viewer.databaseName());
            }
            if (entry.acquire()) {
                return entry;
            }
            // dropped after the look-up: look up again
        }
    }

    /** The graphs of all databases of the DBMS that the viewer may see, by database, name and user. */
    public static List<GraphEntry> list(Viewer viewer) {
        return select(entry -> sees(viewer, entry.key()));
    }

    private static boolean sees(Viewer viewer, GraphKey key) {
        return key.dbms().equals(viewer.dbms()) && (viewer.admin() || key.user().equals(viewer.user()));
    }

    /** The graphs of all users, databases and DBMS, in the same order. */
    public static List<GraphEntry> all() {
        return select(entry -> true);
    }

    /** The graph of the viewer's database with that name, null if there is none. */
    public static GraphEntry find(Viewer viewer, String name) {
        GraphEntry own = GRAPHS.get(viewer.key(name));
        return own != null ? own : findAmong(viewer, name, key -> key.database().equals(viewer.database()));
    }

    /** The graph of another database with that name; names of databases are case-insensitive. */
    public static GraphEntry findOn(Viewer viewer, String databaseName, String name) {
        return findAmong(viewer, name, key -> key.databaseName().equalsIgnoreCase(databaseName));
    }

    private static GraphEntry findAmong(Viewer viewer, String name, Predicate<GraphKey> onDatabase) {
        List<GraphEntry> candidates = select(
                entry -> entry.key().name().equals(name) && onDatabase.test(entry.key()) && sees(viewer, entry.key()));
        List<GraphEntry> own = candidates.stream()
                .filter(entry -> entry.key().user().equals(viewer.user()))
                .toList();
        List<GraphEntry> meant = own.isEmpty() ? candidates : own;
        if (meant.size() > 1) {
            throw ProximaException.failed("Multiple graphs that match '" + name + "' are found from the users "
                    + meant.stream().map(entry -> entry.key().user()).toList()
                    + ". Set `username` to select one of them.");
        }
        return meant.isEmpty() ? null : meant.get(0);
    }

    /**
     * Removes a graph from the catalog; its memory is freed when the runs on it have ended.
     *
     * @return whether the graph was in the catalog
     */
    public static boolean drop(GraphEntry entry) {
        boolean dropped;
        synchronized (GRAPHS) {
            dropped = GRAPHS.remove(entry.key(), entry);
        }
        if (dropped) {
            entry.close();
        }
        return dropped;
    }

    /** Drops all graphs of a database, of all users, and ends the additions to it. */
    public static void dropDatabase(Path dbms, UUID database) {
        close(end(new Owner(dbms, database)));
    }

    /** Drops all graphs of a user, in all databases, and ends the additions of the user. */
    public static void dropUser(Path dbms, String user) {
        close(end(new Owner(dbms, user)));
    }

    /**
     * Records a user who calls. If another user had the name at its last call, drops the graphs of that one.
     *
     * @param changes number of transactions of the system database that have ended; the id is read again after the next
     * @param id reads the present id of the user, which an earlier or later user of the same name does not have
     */
    public static void dropGraphsOfFormerUser(Path dbms, String user, long changes, Supplier<String> id) {
        Owner owner = new Owner(dbms, user);
        LastCaller last = LAST_CALLERS.get(owner);
        if (last != null && last.changes() == changes) {
            return;
        }
        List<GraphEntry> unused = List.of();
        synchronized (GRAPHS) {
            // read here, because another call may have recorded a newer user meanwhile
            LastCaller present = new LastCaller(id.get(), changes);
            LastCaller former = LAST_CALLERS.put(owner, present);
            if (former != null && !former.id().equals(present.id())) {
                unused = end(owner);
            }
        }
        close(unused);
    }

    /** Removes graphs, and keeps calls that began before from adding others. */
    private static List<GraphEntry> end(Owner owner) {
        synchronized (GRAPHS) {
            ENDED.put(owner, ++ends);
            return remove(entry -> owner.owns(entry.key()));
        }
    }

    private static List<GraphEntry> remove(Predicate<GraphEntry> unwanted) {
        List<GraphEntry> unused = select(unwanted);
        unused.forEach(entry -> GRAPHS.remove(entry.key(), entry));
        return unused;
    }

    private static void close(List<GraphEntry> entries) {
        Closing.all(entries.iterator(), GraphEntry::close);
    }

    /**
     * The error for graphs that do not exist, with all their names.
     *
     * @param viewer the user, whose own graphs of similar names are named too
     */
    public static ProximaException doNotExist(Viewer viewer, List<String> names, String databaseName) {
        Set<String> unknown = new HashSet<>(names);
        List<String> own = GRAPHS.keySet().stream()
                .filter(key -> key.equals(viewer.key(key.name())) && !unknown.contains(key.name()))
                .map(GraphKey::name)
                .sorted()
                .toList();
        String quoted = Shown.joined(names, name -> "`" + Shown.text(name) + "`");
        return ProximaException.failed(
                (names.size() == 1 ? "Graph with name " + quoted + " does" : "Graphs with names " + quoted + " do")
                        + " not exist on database `" + databaseName + "`" + SimilarNames.hint(names.get(0), own) + ". "
                        + (names.size() == 1 ? "It" : "They")
                        + " might exist on another database: `proxima.graph.list` lists your graphs.");
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
