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
package io.proxima.backend.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.cuda.FakeDriver.FakeDevice;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;

/** The arguments of one launch on a fake device, read in their order. */
abstract class FakeArguments {

    /** Where kernels keep in a control block what a pause leaves: RunControl of persistent.cuh. */
    static final int SAVED_OFFSET = 56;

    final FakeDevice device;
    private final Object[] arguments;
    private int next;

    FakeArguments(FakeDevice device, Object[] arguments) {
        this.device = device;
        this.arguments = arguments;
    }

    /** How many have been read. */
    final int read() {
        return next;
    }

    final long address() {
        return (Long) arguments[next++];
    }

    final int number() {
        return (Integer) arguments[next++];
    }

    final float real() {
        return (Float) arguments[next++];
    }

    final IntBuffer ints(long address, long count) {
        return device.memory(address, count * Integer.BYTES).asIntBuffer();
    }

    final LongBuffer longs(long address, long count) {
        return device.memory(address, count * Long.BYTES).asLongBuffer();
    }

    /** The control block, which the host has zeroed. */
    final ByteBuffer zeroedControl(long control) {
        ByteBuffer block = device.memory(control, MemoryPlan.CONTROL_BYTES);
        for (int i = 0; i < MemoryPlan.CONTROL_BYTES; i++) {
            assertThat(block.get(i)).as("control block, byte %d", i).isZero();
        }
        return block;
    }

    final int[] array(long address, int length) {
        int[] values = new int[length];
        ints(address, length).get(values);
        return values;
    }

    /** The neighbours of all slots. */
    final FakeManyKernels.Lists lists(long pointersAt, long indicesAt, int n) {
        long[] pointers = new long[n + 1];
        longs(pointersAt, n + 1L).get(pointers);
        return new FakeManyKernels.Lists(pointers, array(indicesAt, (int) pointers[n]));
    }

    /** A 64-bit sum a slot; null if they are not wanted. */
    final ByteBuffer sums(long address, int n) {
        return address == 0 ? null : device.memory(address, (long) n * Long.BYTES);
    }
}
