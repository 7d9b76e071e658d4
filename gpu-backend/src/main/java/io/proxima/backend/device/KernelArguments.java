// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device;

import io.proxima.backend.device.KernelInterface.Entry;
import io.proxima.backend.device.KernelInterface.Field;
import io.proxima.backend.device.KernelInterface.Kind;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Set;
import java.util.TreeSet;

/**
 * A kernel and its argument: one struct, passed by value, whose fields are set by name in any order. Their offsets and
 * types come from the compiled kernel.
 */
public final class KernelArguments {

    private final Entry entry;
    private final ByteBuffer struct;
    private final Set<String> unset;

    /** The argument of an entry, with no field set. */
    KernelArguments(Entry entry) {
        this.entry = entry;
        this.struct = ByteBuffer.allocate(entry.argument().bytes()).order(ByteOrder.nativeOrder());
        this.unset = new TreeSet<>(entry.argument().fields().keySet());
    }

    public Entry entry() {
        return entry;
    }

    /** Sets a device address, 0 for null, or an integer. */
    public KernelArguments set(String name, long value) {
        Field field = field(name);
        switch (field.kind()) {
            case PTR, U64 -> struct.putLong(field.offset(), value);
            case U32 -> struct.putInt(field.offset(), Math.toIntExact(value));
            case F32 -> throw new IllegalArgumentException(name + " of " + entry.name() + " is a float");
        }
        return this;
    }

    /** Sets a float. */
    public KernelArguments set(String name, float value) {
        Field field = field(name);
        if (field.kind() != Kind.F32) {
            throw new IllegalArgumentException(name + " of " + entry.name() + " is no float");
        }
        struct.putFloat(field.offset(), value);
        return this;
    }

    /** Sets the arrays of a layout that the kernel takes, in an allocation at a device address. */
    public KernelArguments set(ArrayLayout arrays, long at) {
        arrays.names().stream()
                .filter(entry.argument().fields()::containsKey)
                .forEach(name -> set(name, arrays.addressOf(name, at)));
        return this;
    }

    private Field field(String name) {
        Field field = entry.argument().fields().get(name);
        if (field == null) {
            throw new IllegalArgumentException(entry.name() + " takes no " + name);
        }
        unset.remove(name);
        return field;
    }

    /**
     * The struct, in native order.
     *
     * @throws IllegalStateException if a field is not set
     */
    public byte[] bytes() {
        if (!unset.isEmpty()) {
            throw new IllegalStateException(entry.name() + " wants " + unset);
        }
        return struct.array();
    }
}
