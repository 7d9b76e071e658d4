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
package io.proxima.projection.file;

/** A file of a graph cannot be read or written. The message names the file, what is wrong and what to do. */
public final class GraphFileException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Why a file cannot be used. */
    public enum Reason {
        /** It does not begin as a file of a graph does. */
        NOT_A_GRAPH_FILE,
        /** It has a version or a byte order that this version of Proxima does not read. */
        UNKNOWN_FORMAT,
        /** It has been truncated, or a checksum or an invariant does not hold. */
        DAMAGED,
        /** The file system failed. */
        FILE_SYSTEM
    }

    private final Reason reason;

    GraphFileException(Reason reason, String message, Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    /** Why the file cannot be used. */
    public Reason reason() {
        return reason;
    }
}
