// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.fake;

import static io.proxima.backend.cuda.driver.KernelConstants.CONTROL_LEVEL_OFFSET;
import static io.proxima.backend.cuda.driver.KernelConstants.NEAR_FAR_SHARED_BYTES;
import static io.proxima.backend.cuda.driver.KernelConstants.NEAR_FAR_STATE_BYTES;
import static io.proxima.backend.cuda.driver.KernelConstants.NEAR_FAR_WIDE_SHARED_BYTES;
import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.cuda.driver.DeviceDriver;
import io.proxima.backend.cuda.driver.KernelArguments;
import io.proxima.backend.cuda.fake.FakeDriver.FakeDevice;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.function.DoubleBinaryOperator;
import java.util.function.IntToDoubleFunction;

/** What near_far.cu promises, in plain Java: the costs, on arguments that are what the kernel needs. */
final class FakeNearFarKernel extends FakeArguments {

    private final boolean wide;
    private final boolean doubles;

    private FakeNearFarKernel(FakeDevice device, String entry, KernelArguments arguments) {
        super(device, arguments);
        this.wide = entry.contains("f64_f");
        this.doubles = entry.contains("f64_f64");
    }

    static boolean knows(String entry) {
        return entry.matches("near_far_(u32_u32|f64_f32|f64_f64)_grid");
    }

    static void run(String entry, FakeDevice device, DeviceDriver.Shape shape, KernelArguments arguments) {
        new FakeNearFarKernel(device, entry, arguments).search(shape);
    }

    private void search(DeviceDriver.Shape shape) {
        int n = int32("n");
        int source = int32("source");
        assertThat(source).isBetween(0, n - 1);
        assertThat(shape.cooperative()).isTrue();
        assertThat(shape.sharedBytes()).isEqualTo(wide ? NEAR_FAR_WIDE_SHARED_BYTES : NEAR_FAR_SHARED_BYTES);
        LongBuffer pointers = longs(pointer("ptrs"), n + 1L);
        IntBuffer indices = ints(pointer("idx"), pointers.get(n));
        IntToDoubleFunction weights = weights(pointers.get(n));
        for (String queue : new String[] {"nearA", "nearB", "farA", "farB"}) {
            ints(pointer(queue), n);
        }
        for (String edges : new String[] {"edgesA", "edgesB"}) {
            longs(pointer(edges), n);
        }
        for (String bits : new String[] {"nearBitsA", "nearBitsB", "farBits"}) {
            ints(pointer(bits), (n + 127L) / 128 * 4);
        }
        ByteBuffer state = device.memory(pointer("state"), NEAR_FAR_STATE_BYTES);
        for (int i = 0; i < NEAR_FAR_STATE_BYTES; i++) {
            assertThat(state.get(i)).isZero();
        }
        long width = int64("width");
        assertThat(wide ? Double.longBitsToDouble(width) : width).isPositive();
        assertThat(wide || width <= 0xffffffffL).isTrue();
        assertThat(pointer("report")).isNotZero();

        double[] costs =
                costs(pointers, indices, weights, n, source, wide ? Double::sum : FakeNearFarKernel::sumOf32Bits);
        for (int v = 0; v < n; v++) {
            if (wide) {
                device.memory(pointer("costs"), (long) n * Double.BYTES)
                        .asDoubleBuffer()
                        .put(v, costs[v]);
            } else {
                ints(pointer("costs"), n).put(v, costs[v] == Double.POSITIVE_INFINITY ? -1 : (int) (long) costs[v]);
            }
        }
        zeroedControl(pointer("control")).putInt(CONTROL_LEVEL_OFFSET, 1);
    }

    private IntToDoubleFunction weights(long entries) {
        long at = pointer("weights");
        if (at == 0) {
            assertThat(wide).isFalse();
            return entry -> 1;
        }
        if (!wide) {
            IntBuffer integers = ints(at, entries);
            return entry -> Integer.toUnsignedLong(integers.get(entry));
        }
        ByteBuffer memory = device.memory(at, entries * (doubles ? Double.BYTES : Float.BYTES));
        if (doubles) {
            return memory.asDoubleBuffer()::get;
        }
        FloatBuffer floats = memory.asFloatBuffer();
        return floats::get;
    }

    /** As the kernel adds costs of 32 bits: a sum that does not fit wraps. */
    private static double sumOf32Bits(double cost, double weight) {
        return Integer.toUnsignedLong((int) ((long) cost + (long) weight));
    }

    private static double[] costs(
            LongBuffer pointers,
            IntBuffer indices,
            IntToDoubleFunction weights,
            int n,
            int source,
            DoubleBinaryOperator plus) {
        double[] costs = new double[n];
        Arrays.fill(costs, Double.POSITIVE_INFINITY);
        costs[source] = 0;
        ArrayDeque<Integer> queue = new ArrayDeque<>();
        boolean[] waits = new boolean[n];
        queue.add(source);
        while (!queue.isEmpty()) {
            int vertex = queue.remove();
            waits[vertex] = false;
            for (int i = (int) pointers.get(vertex); i < pointers.get(vertex + 1); i++) {
                double cost = plus.applyAsDouble(costs[vertex], weights.applyAsDouble(i));
                int row = indices.get(i);
                if (cost < costs[row]) {
                    costs[row] = cost;
                    if (!waits[row]) {
                        waits[row] = true;
                        queue.add(row);
                    }
                }
            }
        }
        return costs;
    }
}
