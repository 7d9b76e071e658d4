// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.csc;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.projection.csc.CscBuilder.Built;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * A change of few entries of graphs over the same vertices: the entries of some pairs of vertices are replaced,
 * vertices are added and left out. The remaining entries are copied, most of them in long runs.
 *
 * @param vertexCount the new number of vertices
 * @param renumbered for each old vertex its new number, ascending, {@link #GONE} if it is left out; null if all keep
 *     theirs
 * @param places the new number of each vertex of {@code replaced}, strictly ascending
 * @param replaced the pairs whose entries are replaced, each in both directions; pairs of vertices that are not new
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record CscPatch(int vertexCount, int[] renumbered, int[] places, Csc replaced) {

    /** The number of a vertex that is left out. */
    public static final int GONE = -1;

    /** Stands for the place of a vertex that is not among those of {@code replaced}. */
    private static final int NO_PLACE = -1;

    private static final int PLACES_AT_ONCE = 1 << 6;

    /** A row after all vertices. */
    private static final int END = Integer.MAX_VALUE;

    /**
     * The changed graph.
     *
     * @param graph the graph before; all of its weights have the same lists
     * @param fresh the new entries, over the vertices of {@code replaced}: those of replaced pairs and of new vertices.
     *     All of its weights have the same lists
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    public Built apply(Built graph, Built fresh, int concurrency, Stop stop) {
        boolean symmetric = fresh.graph().isSymmetric();
        if (graph.weights().isEmpty()) {
            return new Built(new Csc(columns(graph.graph(), fresh.graph(), concurrency, stop), symmetric), List.of());
        }
        Columns lists = columns(together(graph.weights()), together(fresh.weights()), concurrency, stop);
        Columns distinct = isDistinct(graph) && isDistinct(fresh)
                ? lists
                : columns(graph.graph(), fresh.graph(), concurrency, stop);
        // as many entries as distinct ones: none is parallel
        Columns shared = distinct.entryCount() == lists.entryCount() ? distinct : lists;
        return new Built(
                new Csc(distinct, symmetric),
                lists.values().stream()
                        .map(values -> new WeightedCsc(shared, values))
                        .toList());
    }

    private static boolean isDistinct(Built graph) {
        return graph.weights().get(0).entryCount() == graph.graph().entryCount();
    }

    private static Columns together(List<WeightedCsc> weights) {
        WeightedCsc first = weights.get(0);
        if (weights.stream().anyMatch(other -> other.rowIndices() != first.rowIndices())) {
            throw new IllegalArgumentException("the weights of a graph must have the same lists");
        }
        return CscOperations.joined(weights);
    }

    private Columns columns(Columns before, Columns fresh, int concurrency, Stop stop) {
        return new Work(before, fresh, stop).columns(concurrency);
    }

    /** The work on one graph. */
    private final class Work {
        private final Columns before;
        private final Columns fresh;
        private final Stop stop;

        /** For each new vertex its old number, or {@link #GONE}; null if all vertices keep their numbers. */
        private final int[] oldVertex;

        private final boolean anyGone;

        Work(Columns before, Columns fresh, Stop stop) {
            this.before = before;
            this.fresh = fresh;
            this.stop = stop;
            if (renumbered == null) {
                oldVertex = null;
                anyGone = false;
                return;
            }
            PacedStop paced = new PacedStop(stop);
            boolean gone = false;
            oldVertex = new int[vertexCount];
            Arrays.fill(oldVertex, GONE);
            for (int vertex = 0; vertex < renumbered.length; vertex++) {
                paced.worked(1);
                if (renumbered[vertex] == GONE) {
                    gone = true;
                } else {
                    oldVertex[renumbered[vertex]] = vertex;
                }
            }
            anyGone = gone;
        }

        Columns columns(int concurrency) {
            long[] pointers = renumbered == null ? moved(concurrency) : counted(concurrency);
            int shift = before.rowIndices().pageShift();
            IntPages rows = IntPages.allocate(pointers[vertexCount], shift);
            List<DoublePages> values = Stream.generate(() -> DoublePages.allocate(pointers[vertexCount], shift))
                    .limit(before.values().size())
                    .toList();
            Columns after = new Columns(pointers, rows, values);
            Workers.forRanges(
                    concurrency,
                    vertexCount,
                    Columns.COLUMNS_AT_ONCE,
                    stop,
                    (worker, from, to) -> fill(after, (int) from, (int) to));
            return after;
        }

        /** The new column pointers if all vertices keep their numbers: those before, moved by what the places gain. */
        private long[] moved(int concurrency) {
            long[] degrees = new long[places.length];
            Workers.forRanges(concurrency, places.length, PLACES_AT_ONCE, stop, (worker, from, to) -> {
                PacedStop paced = new PacedStop(stop);
                for (int place = (int) from; place < to; place++) {
                    degrees[place] = degree(places[place], place, paced);
                }
            });
            long[] pointers = new long[vertexCount + 1];
            int column = 0;
            for (int place = 0; place < places.length; place++) {
                move(pointers, column, places[place]);
                column = places[place] + 1;
                pointers[column] = pointers[column - 1] + degrees[place];
            }
            move(pointers, column, vertexCount);
            return pointers;
        }

        /** Sets the ends of columns that do not change; those of added vertices are empty. */
        private void move(long[] pointers, int from, int to) {
            long[] old = before.columnPointers();
            int last = Math.min(to, before.vertexCount());
            long gained = from < last ? pointers[from] - old[from] : 0;
            for (int start = from; start < last; start += Columns.COLUMNS_AT_ONCE) {
                stop.check();
                int end = (int) Math.min((long) start + Columns.COLUMNS_AT_ONCE, last);
                for (int column = start + 1; column <= end; column++) {
                    pointers[column] = old[column] + gained;
                }
            }
            int first = Math.max(from, last);
            Arrays.fill(pointers, first + 1, Math.max(first, to) + 1, pointers[first]);
        }

        private long[] counted(int concurrency) {
            long[] pointers = new long[vertexCount + 1];
            Workers.forRanges(concurrency, vertexCount, Columns.COLUMNS_AT_ONCE, stop, (worker, from, to) -> {
                PacedStop paced = new PacedStop(stop);
                int place = placeFrom((int) from);
                for (int column = (int) from; column < to; column++) {
                    paced.worked(1);
                    boolean isPlace = place < places.length && places[place] == column;
                    pointers[column + 1] = degree(column, isPlace ? place : NO_PLACE, paced);
                    place += isPlace ? 1 : 0;
                }
            });
            CscAssembly.sumUp(pointers, stop);
            return pointers;
        }

        private int placeFrom(int column) {
            int found = Arrays.binarySearch(places, column);
            return found < 0 ? -found - 1 : found;
        }

        private int old(int column) {
            return oldVertex != null ? oldVertex[column] : column < before.vertexCount() ? column : GONE;
        }

        private int oldDegree(int column) {
            int old = old(column);
            return old == GONE ? 0 : before.degree(old);
        }

        /**
         * The new number of entries of a column.
         *
         * @param place the vertex among those of {@code replaced}, or {@link #NO_PLACE}
         */
        private long degree(int column, int place, PacedStop paced) {
            long degree = anyGone ? keptDegree(column, paced) : oldDegree(column);
            if (place == NO_PLACE) {
                return degree;
            }
            for (long pair = replaced.columnStart(place); pair < replaced.columnEnd(place); pair++) {
                paced.worked(2 * Integer.SIZE);
                int row = old(row(replaced, pair));
                degree -= before.firstEntry(old(column), row + 1) - before.firstEntry(old(column), row);
            }
            return degree + fresh.degree(place);
        }

        private int row(Columns ofPlaces, long entry) {
            return places[ofPlaces.rowIndices().get(entry)];
        }

        private long keptDegree(int column, PacedStop paced) {
            int old = old(column);
            long kept = 0;
            for (long entry = old == GONE ? 0 : before.columnStart(old);
                    old != GONE && entry < before.columnEnd(old);
                    entry++) {
                paced.worked(1);
                kept += renumbered[before.rowIndices().get(entry)] == GONE ? 0 : 1;
            }
            return kept;
        }

        private void fill(Columns after, int from, int to) {
            PacedStop paced = new PacedStop(stop);
            int place = placeFrom(from);
            for (int column = from; column < to; ) {
                boolean isPlace = place < places.length && places[place] == column;
                if (isPlace) {
                    merge(column, place++, after, paced);
                    column++;
                } else if (renumbered != null) {
                    put(renumbered(column, paced), after, column);
                    column++;
                } else {
                    int end = Math.min(place < places.length ? Math.min(places[place], to) : to, before.vertexCount());
                    if (end > column) {
                        copy(after, column, end);
                    }
                    // columns of added vertices that are no place are empty
                    column = Math.max(end, column + 1);
                }
            }
        }

        /** Copies columns that do not change. */
        private void copy(Columns after, int from, int to) {
            long start = before.columnStart(from);
            copy(before, start, after, after.columnStart(from), before.columnStart(to) - start);
        }

        private void copy(Columns from, long start, Columns after, long at, long count) {
            after.rowIndices().copy(from.rowIndices(), start, at, count, stop);
            for (int kind = 0; kind < after.values().size(); kind++) {
                after.values().get(kind).copy(from.values().get(kind), start, at, count, stop);
            }
        }

        private void put(CscAssembly.Range list, Columns after, int column) {
            after.rowIndices().put(after.columnStart(column), list.rows, list.length, stop);
            for (int kind = 0; kind < list.values.length; kind++) {
                after.values().get(kind).put(after.columnStart(column), list.values[kind], list.length, stop);
            }
        }

        /** The entries of a column whose rows are not left out. */
        private CscAssembly.Range renumbered(int column, PacedStop paced) {
            int degree = oldDegree(column);
            CscAssembly.Range list = new CscAssembly.Range(column, column + 1, degree);
            list.allocate(degree, before.values().size());
            if (degree == 0) {
                return list;
            }
            before.copyColumn(old(column), list);
            list.length = 0;
            for (int i = 0; i < degree; i++) {
                paced.worked(1);
                int row = renumbered[list.rows[i]];
                if (row != GONE) {
                    list.add(row, list.values, i);
                }
            }
            return list;
        }

        /** Leaves out the replaced entries of a column, and adds the new ones. */
        private void merge(int column, int place, Columns after, PacedStop paced) {
            if (renumbered == null && column < before.vertexCount()) {
                merge(before, column, column, place, after, paced);
                return;
            }
            CscAssembly.Range list = renumbered(column, paced);
            Columns kept = new Columns(
                    new long[] {0, list.length},
                    IntPages.ofArray(list.rows),
                    Stream.of(list.values).map(DoublePages::ofArray).toList());
            merge(kept, 0, column, place, after, paced);
        }

        /** The kept entries lie in few long runs, which are found by binary search: the lists of hubs are long. */
        private void merge(Columns kept, int from, int column, int place, Columns after, PacedStop paced) {
            long entry = kept.columnStart(from);
            long at = after.columnStart(column);
            long pair = replaced.columnStart(place);
            long next = fresh.columnStart(place);
            while (true) {
                paced.worked(2 * Integer.SIZE);
                int out = pair < replaced.columnEnd(place) ? row(replaced, pair) : END;
                int in = next < fresh.columnEnd(place) ? row(fresh, next) : END;
                // parallel entries may be added after the end of a run
                long end = Math.max(entry, kept.firstEntry(from, Math.min(out, in)));
                copy(kept, entry, after, at, end - entry);
                at += end - entry;
                entry = end;
                if (out == END && in == END) {
                    return;
                }
                if (out <= in) {
                    entry = kept.firstEntry(from, out + 1);
                    pair++;
                } else {
                    after.rowIndices().set(at, in);
                    for (int kind = 0; kind < after.values().size(); kind++) {
                        DoublePages added = fresh.values().get(kind);
                        after.values().get(kind).set(at, added.get(next));
                    }
                    at++;
                    next++;
                }
            }
        }
    }
}
