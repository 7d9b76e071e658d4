// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.file;

import io.proxima.projection.GraphFingerprint;
import io.proxima.projection.file.ExportedGraph.Origin;
import io.proxima.projection.file.ExportedGraph.TypeSchema;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;

/**
 * What the header of an exported graph states.
 *
 * @param origin where the graph comes from
 * @param fingerprint the fingerprint of the edges
 * @param nodeCount number of vertices
 * @param relationshipCount directed edges over all types
 * @param types the schema of each projected type
 * @param digest SHA-256 of the header, in hexadecimal. The header has the checksums of all bytes after it, so that
 *     different digests are different files, even if they contain equal edges
 */
public record GraphFileHeader(
        Origin origin,
        GraphFingerprint fingerprint,
        int nodeCount,
        long relationshipCount,
        Map<String, TypeSchema> types,
        String digest) {

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
}
