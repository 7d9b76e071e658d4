// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.file;

import static io.proxima.projection.file.GraphFileException.failed;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.concurrent.Task;
import io.proxima.projection.IdMap;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Values of nodes from CSV files (RFC 4180, UTF-8 with or without a byte order mark), such as the results of a program
 * that has read an exported graph. The first record of each file names the columns. One of them is {@value #ID}; each
 * other one becomes a property. A field is an integer or a floating-point number of 64 bits, or empty for no value. A
 * column is of integers if all its fields are.
 */
public final class NodeValues {

    /** The column of the nodes. */
    public static final String ID = "elementId";

    /** Reading the files. */
    public static final Task READ = Task.of("Read values");

    private static final int INTEGER_DIGITS = 18;

    // possessive, because a field may have millions of digits: backtracking would take the square of their number
    private static final Pattern INTEGER = Pattern.compile("[+-]?[0-9]++");
    private static final Pattern FLOAT =
            Pattern.compile("NaN|-?Infinity|[+-]?([0-9]++\\.?[0-9]*+|\\.[0-9]++)([eE][+-]?[0-9]++)?");

    /** Maximum length of a field in a message. */
    private static final int SHOWN = 100;

    /** Maximum number of fields in a message. */
    private static final int MOST_SHOWN = 20;

    /** What readers give for bytes that are not UTF-8. */
    private static final char REPLACEMENT = '\uFFFD';

    private final IdMap ids;
    private final String elementIdPrefix;
    private final List<String> names;
    private final PacedStop stop;
    private final Progress progress;

    private final Map<String, NodeColumnBuilder> columns = new LinkedHashMap<>();
    private final BitSet seen;
    private long rowCount;

    private NodeValues(IdMap ids, String elementIdPrefix, List<String> names, Stop stop, Progress progress) {
        this.ids = ids;
        this.elementIdPrefix = elementIdPrefix;
        this.names = names;
        this.stop = new PacedStop(stop);
        this.progress = progress;
        seen = new BitSet(ids.size());
    }

    /**
     * The values.
     *
     * @param columns one for each property, for all projected labels that were given
     * @param rowCount the nodes of the files
     */
    public record Read(List<NodeColumn> columns, long rowCount) {}

    /**
     * Reads files.
     *
     * @param files at least one; all have the columns to read, in any order
     * @param ids the nodes of the graph
     * @param elementIdPrefix what the elementIds of the database begin with, before the id
     * @param labels the projected labels of the graph
     * @param names the columns to read, see {@link #names}
     * @throws GraphFileException if a file cannot be read, or has a field, a node or a column that is not as above; the
     *     message names file and line
     * @throws StoppedException if the stop was requested
     */
    public static Read read(
            List<Path> files,
            IdMap ids,
            String elementIdPrefix,
            Set<String> labels,
            List<String> names,
            Stop stop,
            Progress progress) {
        NodeValues values = new NodeValues(ids, elementIdPrefix, names, stop, progress);
        progress.beginTask(
                READ, files.stream().mapToLong(file -> file.toFile().length()).sum());
        files.forEach(values::read);
        return new Read(
                values.columns.entrySet().stream()
                        .map(column -> column.getValue().column(column.getKey(), labels))
                        .toList(),
                values.rowCount);
    }

    /** The heap that columns of so many nodes take, and reading them. */
    public static long heapBytes(int columns, int nodeCount) {
        return (long) columns * nodeCount * Long.BYTES + nodeCount / Byte.SIZE;
    }

    /** The names of the columns besides {@link #ID}, from the first record of a file. */
    public static List<String> names(Path file) {
        try (CsvReader<CsvRecord> records = strictReader().ofCsvRecord(file, StandardCharsets.UTF_8)) {
            var first = records.iterator();
            List<String> header = new ArrayList<>(header(file, first.hasNext() ? first.next() : null));
            header.remove(ID);
            return header;
        } catch (CsvParseException e) {
            throw noCsv(file, e);
        } catch (IOException | UncheckedIOException e) {
            throw failed(file, "read", e);
        }
    }

    /**
     * The names of the columns besides {@link #ID}, which are those of each file, in any order. Otherwise the values of
     * further columns would be left out without a word.
     *
     * @param files at least one
     * @throws GraphFileException if a file has no column {@link #ID}, or other columns than the first file
     */
    public static List<String> names(List<Path> files, Stop stop) {
        List<String> first = names(files.get(0));
        for (Path file : files.subList(1, files.size())) {
            stop.check();
            List<String> others = names(file);
            if (!Set.copyOf(others).equals(Set.copyOf(first))) {
                throw refused(
                        file,
                        1,
                        "besides `" + ID + "` it has the columns " + shown(others) + ", but the first file has "
                                + shown(first) + ". Name the columns to read, which all files must have");
            }
        }
        return first;
    }

    /** What other readers would take for something else is an error. */
    private static CsvReader.CsvReaderBuilder strictReader() {
        return CsvReader.builder().allowUnclosedQuote(false).detectBomHeader(true);
    }

    private static List<String> header(Path file, CsvRecord record) {
        List<String> header = record == null ? List.of() : record.getFields();
        if (!header.contains(ID)) {
            throw refused(
                    file,
                    1,
                    "the first line must name the columns, and one must be `" + ID + "`, but it has " + shown(header));
        }
        for (String name : header) {
            if (name.isBlank()) {
                throw refused(file, 1, "every column must have a name, but it has " + shown(header));
            }
            if (name.indexOf(REPLACEMENT) >= 0) {
                throw refused(
                        file,
                        1,
                        "the name of the column `" + shown(name) + "` is not in UTF-8. Write the file in UTF-8");
            }
        }
        if (new HashSet<>(header).size() < header.size()) {
            throw refused(file, 1, "the names of the columns must differ, but it has " + shown(header));
        }
        return header;
    }

    private void read(Path file) {
        try (CsvReader<CsvRecord> records =
                strictReader().ofCsvRecord(new Counted(Files.newInputStream(file)), StandardCharsets.UTF_8)) {
            NodeColumnBuilder[] ofField = null;
            int idField = 0;
            for (CsvRecord record : records) {
                if (ofField == null) {
                    List<String> header = header(file, record);
                    idField = header.indexOf(ID);
                    ofField = fields(file, header);
                } else {
                    row(file, record, idField, ofField);
                }
                stop.worked(record.getFieldCount());
            }
            if (ofField == null) {
                header(file, null);
            }
        } catch (CsvParseException e) {
            throw noCsv(file, e);
        } catch (IOException | UncheckedIOException e) {
            throw failed(file, "read", e);
        }
    }

    /** The values of each field; null for fields that are not read. */
    private NodeColumnBuilder[] fields(Path file, List<String> header) {
        if (names.isEmpty()) {
            throw refused(file, 1, "it must have a column besides `" + ID + "`, but has " + shown(header));
        }
        if (names.contains(ID) || !header.containsAll(names)) {
            throw refused(file, 1, "it must have the columns " + shown(names) + ", but has " + shown(header));
        }
        NodeColumnBuilder[] ofField = new NodeColumnBuilder[header.size()];
        for (int field = 0; field < ofField.length; field++) {
            String name = header.get(field);
            if (names.contains(name)) {
                ofField[field] = columns.computeIfAbsent(name, unused -> new NodeColumnBuilder(ids.size(), stop));
            }
        }
        return ofField;
    }

    private void row(Path file, CsvRecord record, int idField, NodeColumnBuilder[] ofField) {
        long line = record.getStartingLineNumber();
        int vertex = vertex(file, line, record.getField(idField));
        if (seen.get(vertex)) {
            throw refused(file, line, "the node " + shown(record.getField(idField)) + " is there twice");
        }
        seen.set(vertex);
        rowCount++;
        for (int field = 0; field < ofField.length; field++) {
            String text = record.getField(field);
            if (ofField[field] != null && !text.isEmpty() && !set(ofField[field], vertex, text)) {
                throw refused(
                        file,
                        line,
                        "a value must be an integer or a floating-point number of 64 bits, or empty, but one is `"
                                + shown(text) + "`");
            }
        }
    }

    /** Sets the value of a vertex; false if the text is none. */
    private static boolean set(NodeColumnBuilder column, int vertex, String text) {
        if (INTEGER.matcher(text).matches()) {
            try {
                return column.set(vertex, Long.parseLong(text));
            } catch (NumberFormatException e) {
                // more than 64 bits, which the order of the lines must not hide in a column of floating-point numbers
                return false;
            }
        }
        if (!FLOAT.matcher(text).matches()) {
            return false;
        }
        double value = Double.parseDouble(text);
        if (Double.isInfinite(value) && !text.endsWith("Infinity")) {
            return false;
        }
        column.set(vertex, value);
        return true;
    }

    /** The neo4jId of an elementId; -1 if it is none of the database. */
    public static long neo4jId(String elementId, String elementIdPrefix) {
        String id = elementId.startsWith(elementIdPrefix) ? elementId.substring(elementIdPrefix.length()) : "";
        return id.length() > INTEGER_DIGITS || id.isEmpty() || !id.chars().allMatch(c -> c >= '0' && c <= '9')
                ? -1
                : Long.parseLong(id);
    }

    private int vertex(Path file, long line, String elementId) {
        long id = neo4jId(elementId, elementIdPrefix);
        if (id < 0) {
            throw refused(
                    file,
                    line,
                    "`" + shown(elementId) + "` is not an elementId of this database; those begin with `"
                            + elementIdPrefix + "`");
        }
        int vertex = ids.toVertex(id);
        if (vertex == IdMap.ABSENT) {
            throw refused(file, line, "the node " + elementId + " is not in the graph");
        }
        return vertex;
    }

    /** A file of another kind may be one long line. */
    private static String shown(String field) {
        return field.length() <= SHOWN ? field : field.substring(0, SHOWN) + "…";
    }

    private static String shown(List<String> fields) {
        int others = fields.size() - MOST_SHOWN;
        return fields.stream().limit(MOST_SHOWN).map(NodeValues::shown).toList()
                + (others > 0 ? " and " + others + " more" : "");
    }

    private static RuntimeException noCsv(Path file, CsvParseException cause) {
        Throwable root = cause;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        if (root instanceof StoppedException stopped) {
            // of the input stream
            return stopped;
        }
        return new GraphFileException("The file " + file + " is not a CSV file: " + root.getMessage(), cause);
    }

    private static GraphFileException refused(Path file, long line, String what) {
        return new GraphFileException("The file " + file + " cannot be loaded: line " + line + ": " + what + ".", null);
    }

    /** Counts what has been read as progress. */
    private final class Counted extends FilterInputStream {
        Counted(InputStream in) {
            super(in);
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            int count = super.read(into, offset, length);
            // a record can be long
            stop.worked(Math.max(0, count));
            progress.advance(Math.max(0, count));
            return count;
        }
    }
}
