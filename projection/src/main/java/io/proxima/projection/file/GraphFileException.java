// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.file;

import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.stream.Collectors;

/** A file of a graph cannot be read or written. The message names the file, what is wrong and what to do. */
public final class GraphFileException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    GraphFileException(String message, Throwable cause) {
        super(message, cause);
    }

    /** The file does not begin as a file of a graph does. */
    static GraphFileException notAGraph(String path, String what) {
        return new GraphFileException("The file " + path + " is not an exported graph: " + what + ".", null);
    }

    /** The file has been truncated, or a checksum or an invariant does not hold. */
    static GraphFileException damaged(String path, String what) {
        return new GraphFileException("The file " + path + " is damaged: " + what + ". Export the graph again.", null);
    }

    /** A name in the graph has half of a surrogate pair. */
    static GraphFileException notUnicode(String name) {
        String shown = name.codePoints()
                .mapToObj(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE
                        ? "\\u" + Integer.toHexString(c)
                        : Character.toString(c))
                .collect(Collectors.joining());
        return new GraphFileException(
                "The graph cannot be exported, because the name `" + shown
                        + "` is not valid Unicode. Project it with another name.",
                null);
    }

    /** The file system failed. */
    static GraphFileException failed(Object path, String how, Exception cause) {
        return new GraphFileException("The file " + path + " cannot be " + how + ": " + reason(cause) + ".", cause);
    }

    /** Why the file system failed, without the name of a Java class where there is another. */
    public static String reason(Exception failure) {
        if (failure instanceof NoSuchFileException) {
            return "there is no such file or folder";
        }
        if (failure instanceof AccessDeniedException) {
            return "the operating system does not permit it";
        }
        String reason = failure instanceof FileSystemException file ? file.getReason() : failure.getMessage();
        return reason == null ? failure.toString() : reason;
    }
}
