// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.fake;

import static io.proxima.backend.cuda.driver.KernelConstants.CONTROL_BYTES;
import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.cuda.fake.FakeDriver.FakeDevice;
import io.proxima.backend.device.KernelArguments;
import io.proxima.backend.device.KernelInterface.Field;
import io.proxima.backend.device.KernelInterface.Kind;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.IntPages;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.Map;
import java.util.stream.IntStream;

/** The fields of the argument of one launch on a fake device, read by their names. */
class FakeArguments {

    /** Where kernels keep in a control block what a pause leaves: RunContext of persistent.cuh. */
    static final int SAVED_OFFSET = 56;

    private final Map<String, Field> byName;
    private final ByteBuffer struct;
    final FakeDevice device;

    FakeArguments(FakeDevice device, KernelArguments arguments) {
        this.device = device;
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

    final IntBuffer ints(long address, long count) {
        return device.memory(address, count * Integer.BYTES).asIntBuffer();
    }

    final LongBuffer longs(long address, long count) {
        return device.memory(address, count * Long.BYTES).asLongBuffer();
    }

    /** The control block, which the launch before, or the host, has left zeroed. */
    final ByteBuffer zeroedControl(long control) {
        ByteBuffer block = device.memory(control, CONTROL_BYTES);
        for (int i = 0; i < CONTROL_BYTES; i++) {
            assertThat(block.get(i)).as("control block, byte %d", i).isZero();
        }
        return block;
    }

    final DoubleBuffer doubles(long address, long count) {
        return device.memory(address, count * Double.BYTES).asDoubleBuffer();
    }

    final int[] array(String name, int length) {
        int[] values = new int[length];
        ints(pointer(name), length).get(values);
        return values;
    }

    final long[] longArray(String name, int length) {
        long[] values = new long[length];
        longs(pointer(name), length).get(values);
        return values;
    }

    static int[] array(IntPages pages) {
        return IntStream.range(0, (int) pages.length()).map(pages::get).toArray();
    }

    final void store(String name, int... values) {
        ints(pointer(name), values.length).put(0, values);
    }

    final void store(String name, long... values) {
        longs(pointer(name), values.length).put(0, values);
    }

    /** The lists of so many slots. */
    final Csc lists(String pointers, String indices, int n) {
        return lists(longArray(pointers, n + 1), indices, n);
    }

    final Csc lists(long[] pointers, String indices, int n) {
        int[] rows = array(indices, (int) pointers[pointers.length - 1]);
        return new Csc(pointers, IntPages.ofArray(rows), false);
    }
}
