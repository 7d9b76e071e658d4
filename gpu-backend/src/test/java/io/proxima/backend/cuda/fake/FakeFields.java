// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.fake;

import io.proxima.backend.device.KernelArguments;
import io.proxima.backend.device.KernelInterface.Field;
import io.proxima.backend.device.KernelInterface.Kind;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;

/** What a kernel finds in the bytes that it gets, by the names of the fields. */
class FakeFields {

    private final Map<String, Field> byName;
    private final ByteBuffer struct;

    FakeFields(KernelArguments arguments) {
        byName = arguments.entry().argument().fields();
        struct = ByteBuffer.wrap(arguments.bytes()).order(ByteOrder.nativeOrder());
    }

    final boolean has(String name) {
        return byName.containsKey(name);
    }

    final long pointer(String name) {
        return struct.getLong(offset(name, Kind.PTR));
    }

    final long int64(String name) {
        return struct.getLong(offset(name, Kind.U64));
    }

    final int int32(String name) {
        return struct.getInt(offset(name, Kind.U32));
    }

    private int offset(String name, Kind kind) {
        Field field = byName.get(name);
        if (field == null || field.kind() != kind) {
            throw new AssertionError("no " + kind + " " + name + " among " + byName);
        }
        return field.offset();
    }
}
