// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.driver;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * The argument of a kernel: one struct, passed by value. A launch names the fields in the order in which the struct declares
 * them, as a designated initializer of C++ does; a field of a nested struct counts as a field of the outer one. Tests compare
 * name, kind and offset of every field with the layout that the compiler chose.
 */
public final class KernelArguments {

    /** The type of a field. */
    public enum Kind {
        /** A device address, 0 for null. */
        PTR(Long.BYTES),
        /** A 64-bit integer. */
        U64(Long.BYTES),
        /** A 32-bit integer. */
        U32(Integer.BYTES),
        /** A 32-bit float. */
        F32(Float.BYTES);

        /** Size and alignment. */
        private final int bytes;

        Kind(int bytes) {
            this.bytes = bytes;
        }
    }

    /**
     * A field.
     *
     * @param offset in bytes, from the start of the struct
     */
    public record Field(String name, Kind kind, int offset) {}

    /** Maximum size of a struct here. CUDA accepts 4,096 bytes on every device. */
    private static final int MOST_BYTES = 512;

    private final ByteBuffer struct = ByteBuffer.allocate(MOST_BYTES).order(ByteOrder.nativeOrder());
    private final List<Field> fields = new ArrayList<>();
    private int alignment = 1;

    /** Appends a device address, 0 for null. */
    public KernelArguments pointer(String name, long address) {
        append(name, Kind.PTR).putLong(address);
        return this;
    }

    /** Appends a 64-bit integer. */
    public KernelArguments int64(String name, long value) {
        append(name, Kind.U64).putLong(value);
        return this;
    }

    /** Appends a 32-bit integer. */
    public KernelArguments int32(String name, int value) {
        append(name, Kind.U32).putInt(value);
        return this;
    }

    /** Appends a 32-bit float. */
    public KernelArguments float32(String name, float value) {
        append(name, Kind.F32).putFloat(value);
        return this;
    }

    /** The struct, positioned at the next field. */
    private ByteBuffer append(String name, Kind kind) {
        int offset = roundUp(struct.position(), kind.bytes);
        fields.add(new Field(name, kind, offset));
        alignment = Math.max(alignment, kind.bytes);
        return struct.position(offset);
    }

    private static int roundUp(int bytes, int multiple) {
        return (bytes + multiple - 1) / multiple * multiple;
    }

    /** The fields so far, by offset. */
    public List<Field> fields() {
        return Collections.unmodifiableList(fields);
    }

    /** The bytes of the struct, in native order, padding included. */
    public byte[] bytes() {
        return Arrays.copyOf(struct.array(), roundUp(struct.position(), alignment));
    }
}
