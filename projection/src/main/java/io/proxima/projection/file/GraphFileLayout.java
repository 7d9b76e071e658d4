// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.file;

import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.projection.GraphProjection;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.IntPages;
import io.proxima.projection.csc.WeightedCsc;
import io.proxima.projection.file.ExportedGraph.TypeSchema;
import io.proxima.projection.file.Header.Kind;
import io.proxima.projection.file.Header.Section;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** The header of a graph that is written, and the array of each of its sections. */
final class GraphFileLayout {

    /** Chunks between two flushes, so that the last one is short enough for a stop. */
    private static final int CHUNKS_PER_FLUSH = 256;

    private final List<Section> sections = new ArrayList<>();
    private final List<SectionArray> arrays = new ArrayList<>();
    private final IdentityHashMap<Object, Integer> known = new IdentityHashMap<>();
    private final List<Header.Topology> topologies = new ArrayList<>();
    private final Map<List<Integer>, Integer> topologyOfSections = new HashMap<>();
    private Header header;

    static GraphFileLayout of(ExportedGraph exported) {
        GraphFileLayout layout = new GraphFileLayout();
        layout.header = layout.headerOf(exported).laidOut();
        return layout;
    }

    Header header() {
        return header;
    }

    private Header headerOf(ExportedGraph exported) {
        GraphProjection graph = exported.graph();
        int nodeCount = graph.vertexCount();
        section(Kind.IDS, nodeCount, SectionArray.of(graph.idMap()));
        List<Header.Label> labels = new ArrayList<>();
        for (String label : graph.labels()) {
            long[] bits = graph.labelBits(label);
            labels.add(new Header.Label(
                    label, bits == null ? Header.NO_SECTION : section(Kind.LABEL, bits.length, SectionArray.of(bits))));
        }
        List<Header.Type> types = new ArrayList<>();
        for (String type : graph.types()) {
            Csc edges = graph.csc(type);
            int topology = topology(edges.columnPointers(), edges.rowIndices(), edges.isSymmetric());
            List<Header.Weights> weights = new ArrayList<>();
            TypeSchema schema = exported.types().get(type);
            for (String property : graph.properties(type)) {
                WeightedCsc weighted = graph.weighted(type, property);
                weights.add(new Header.Weights(
                        property,
                        schema.properties().get(property),
                        topology(weighted.columnPointers(), weighted.rowIndices(), false),
                        section(Kind.WEIGHTS, weighted.weights().length(), SectionArray.of(weighted.weights()))));
            }
            types.add(new Header.Type(type, schema.undirected(), topology, weights));
        }
        List<Header.Column> columns = new ArrayList<>();
        for (NodeColumn column : exported.columns()) {
            columns.add(new Header.Column(
                    column.name(),
                    column.labels(),
                    column.kind(),
                    column.noValue(),
                    section(Kind.VALUES, nodeCount, SectionArray.of(column))));
        }
        return new Header(
                exported.fingerprint(), nodeCount, sections, exported.origin(), labels, topologies, types, columns);
    }

    /** The number of the section of an array; arrays that several parts share are written once. */
    private int section(Kind kind, long length, SectionArray array) {
        return known.computeIfAbsent(array.array(), first -> {
            sections.add(Section.of(kind, length));
            arrays.add(array);
            return arrays.size() - 1;
        });
    }

    private int topology(long[] pointers, IntPages rows, boolean symmetric) {
        int ofPointers = section(Kind.POINTERS, pointers.length, SectionArray.of(pointers));
        int ofRows = section(Kind.ROWS, rows.length(), SectionArray.of(rows));
        return topologyOfSections.computeIfAbsent(List.of(ofPointers, ofRows), first -> {
            topologies.add(new Header.Topology(symmetric, ofPointers, ofRows));
            return topologies.size() - 1;
        });
    }

    void write(FileChannel channel, int concurrency, Stop stop, Progress progress) throws IOException {
        int headerBytes = header.encoded().limit();
        long most = Header.maxBytes(header.fileBytes());
        if (headerBytes > most) {
            throw new IOException("its labels, types and checksums take " + headerBytes + " bytes, but at most " + most
                    + " are possible");
        }
        for (int i = 0; i < arrays.size(); i++) {
            Section section = header.sections().get(i);
            SectionArray array = arrays.get(i);
            GraphFile.forChunks(section, concurrency, stop, (chunk, bytes, from, count) -> {
                array.toBytes().elements(from, count, bytes);
                section.checksums()[(int) chunk] = GraphFile.checksum(bytes);
                CompleteFile.writeFully(channel, bytes.rewind(), section.offset() + chunk * Header.CHUNK_BYTES);
                if (chunk % CHUNKS_PER_FLUSH == CHUNKS_PER_FLUSH - 1) {
                    channel.force(false);
                }
                progress.advance(bytes.limit());
            });
        }
        if (channel.size() < header.fileBytes()) {
            // the last sections are empty: the file still ends where they would begin
            CompleteFile.writeFully(channel, ByteBuffer.allocate(1), header.fileBytes() - 1);
        }
        CompleteFile.writeFully(channel, header.encoded(), 0);
    }
}
