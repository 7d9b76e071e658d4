// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.file;

import io.proxima.projection.GraphFingerprint;
import io.proxima.projection.file.ExportedGraph.Origin;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * The header of an exported graph, read from any file system.
 *
 * @param origin where the graph comes from
 * @param fingerprint the fingerprint of the edges
 * @param nodeCount number of vertices
 * @param relationshipCount directed edges over all types
 * @param bytes bytes of the file
 * @param digest SHA-256 of the header, in hexadecimal. The header has the checksums of all bytes after it, so that
 *     different digests are different files, even if they contain equal edges
 */
public record GraphFileHeader(
        Origin origin, GraphFingerprint fingerprint, int nodeCount, long relationshipCount, long bytes, String digest) {

    /**
     * Reads and checks a header.
     *
     * @param name the name of the file, for messages
     * @param fileBytes the true length of the file
     * @param file the file from its start on; not closed
     * @throws GraphFileException if the file cannot be used, with the reason
     */
    public static GraphFileHeader read(String name, long fileBytes, InputStream file) {
        Header.Refusal refusal = (reason, what) -> GraphFile.refused(name, reason, what);
        try {
            byte[] start = file.readNBytes(Header.FIXED_BYTES);
            if (start.length < Header.FIXED_BYTES) {
                throw refusal.of(GraphFileException.Reason.NOT_A_GRAPH_FILE, "it has only " + start.length + " bytes");
            }
            byte[] whole = Arrays.copyOf(start, Header.headerBytes(littleEndian(start), fileBytes, refusal));
            int missing = whole.length - start.length;
            if (file.readNBytes(whole, start.length, missing) < missing) {
                throw new EOFException("end of file in the header");
            }
            Header header = Header.decoded(littleEndian(whole), fileBytes, refusal);
            return new GraphFileHeader(
                    header.origin(),
                    header.fingerprint(),
                    header.nodeCount(),
                    header.relationshipCount(),
                    header.fileBytes(),
                    digest(ByteBuffer.wrap(whole)));
        } catch (IOException e) {
            throw GraphFile.failed(name, "read", e);
        }
    }

    /** The digest of an encoded header. */
    static String digest(ByteBuffer encoded) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(encoded.duplicate().rewind());
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    private static ByteBuffer littleEndian(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
