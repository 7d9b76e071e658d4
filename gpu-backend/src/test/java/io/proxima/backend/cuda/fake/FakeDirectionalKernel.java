// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.fake;

import static io.proxima.backend.cuda.driver.KernelConstants.CONTROL_LEVEL_OFFSET;
import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.cuda.driver.DeviceDriver;
import io.proxima.backend.cuda.driver.KernelArguments;
import io.proxima.backend.cuda.fake.FakeDriver.FakeDevice;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.stream.IntStream;

/** What bfs_directional.cu promises, in plain Java: a search of a textbook, on arguments that are what the kernel needs. */
final class FakeDirectionalKernel extends FakeArguments {

    private static final int HEADS = 4;
    private static final int LONG_LIST = 4096;

    private final boolean wide;

    private FakeDirectionalKernel(FakeDevice device, boolean wide, KernelArguments arguments) {
        super(device, arguments);
        this.wide = wide;
    }

    static boolean knows(String entry) {
        return entry.matches("bfs_directional_p(32|64)_grid");
    }

    static void run(String entry, FakeDevice device, DeviceDriver.Shape shape, KernelArguments arguments) {
        FakeDirectionalKernel kernel = new FakeDirectionalKernel(device, entry.contains("p64"), arguments);
        kernel.search(shape);
    }

    /** Lists of neighbours. */
    private final class Lists {
        private final long[] pointers;
        private final IntBuffer indices;

        Lists(long pointersAt, long indicesAt, int slots) {
            pointers = wide ? wide(longs(pointersAt, slots + 1L)) : narrow(ints(pointersAt, slots + 1L));
            assertThat(pointers[0]).isZero();
            indices = ints(indicesAt, pointers[slots]);
            for (int slot = 0; slot < slots; slot++) {
                assertThat(pointers[slot + 1]).isGreaterThanOrEqualTo(pointers[slot]);
                for (int i = 0; i < degree(slot); i++) {
                    assertThat(neighbour(slot, i)).isBetween(i == 0 ? 0 : neighbour(slot, i - 1) + 1, slots - 1);
                }
            }
        }

        int degree(int slot) {
            return (int) (pointers[slot + 1] - pointers[slot]);
        }

        int neighbour(int slot, int i) {
            return indices.get((int) pointers[slot] + i);
        }

        long entries() {
            return pointers[pointers.length - 1];
        }

        private boolean leads(int from, int to) {
            return IntStream.range(0, degree(from)).anyMatch(i -> neighbour(from, i) == to);
        }
    }

    private static long[] wide(LongBuffer from) {
        long[] pointers = new long[from.capacity()];
        from.get(pointers);
        return pointers;
    }

    private static long[] narrow(IntBuffer from) {
        return IntStream.range(0, from.capacity())
                .mapToLong(i -> Integer.toUnsignedLong(from.get(i)))
                .toArray();
    }

    private void search(DeviceDriver.Shape shape) {
        long outPointers = pointer("outPtrs");
        long outIndices = pointer("outIdx");
        long inPointers = pointer("inPtrs");
        long inIndices = pointer("inIdx");
        long heads = pointer("heads");
        assertThat(pointer("slotOf")).as("slots of the sources").isZero();
        long sourcesAt = pointer("sources");
        long targetsAt = pointer("stopTargets");
        long stopFlag = pointer("stopFlag");
        long levelsAt = pointer("levels");
        long[] bits = {pointer("visitedA"), pointer("visitedB")};
        long queue = pointer("queue");
        long queueEdges = pointer("queueEdges");
        long[] lists = {pointer("listA"), pointer("listB")};
        long control = pointer("control");
        int active = int32("active");
        int slots = int32("n");
        int sourceCount = int32("sourceCount");
        int targetCount = int32("stopTargetCount");
        int maxDepth = int32("maxDepth");
        int sharedWords = int32("sharedWords");
        float[] costs = {
            float32("pushEdge"), float32("headSlot"), float32("probe"), float32("listSlot"), float32("sweep")
        };
        float edgeDegree = float32("edgeDegree");

        assertThat(active).isBetween(0, slots);
        Lists out = new Lists(outPointers, outIndices, active);
        Lists in = new Lists(inPointers, inIndices, active);
        checkGraph(out, in, heads, active);
        int words = (active + 127) / 128 * 4;
        assertThat(shape.threads()).isEqualTo(512);
        assertThat(shape.cooperative()).isTrue();
        assertThat(sharedWords % 4).isZero();
        assertThat(sharedWords).isBetween(0, words);
        assertThat(shape.sharedBytes()).isEqualTo((wide ? 51_216 : 40_976) + 4 * sharedWords);
        for (float cost : costs) {
            assertThat(cost).isPositive();
        }
        double squares = IntStream.range(0, active)
                .mapToDouble(out::degree)
                .map(degree -> degree * degree)
                .sum();
        assertThat(edgeDegree).isEqualTo(out.entries() == 0 ? 0 : (float) (squares / out.entries()));
        for (long array : bits) {
            assertThat(array % 16).isZero();
            ints(array, words);
        }
        long queued = active + out.entries() / LONG_LIST;
        ints(queue, queued);
        device.memory(queueEdges, queued * (wide ? Long.BYTES : Integer.BYTES));
        for (long list : lists) {
            ints(list, active);
        }
        ints(stopFlag, 1);
        ByteBuffer block = zeroedControl(control);
        int[] sources = new int[sourceCount];
        ints(sourcesAt, sourceCount).get(sources);
        assertThat(int32("onlySource")).isEqualTo(sources[0]);
        int[] targets = new int[targetCount];
        ints(targetsAt, targetCount).get(targets);
        assertThat(Arrays.stream(sources).distinct().count())
                .as("sources without repeats")
                .isEqualTo(sourceCount);
        block.putInt(CONTROL_LEVEL_OFFSET, levels(out, active, ints(levelsAt, slots), sources, targets, maxDepth));
    }

    private void checkGraph(Lists out, Lists in, long headsAt, int active) {
        assertThat(in.entries()).isEqualTo(out.entries());
        int column = (active + 127) / 128 * 128;
        IntBuffer heads = ints(headsAt, (long) HEADS * column);
        for (int slot = 0; slot < active; slot++) {
            int to = slot;
            if (in.degree(to) > 0) {
                int from = in.neighbour(to, 0);
                assertThat(out.leads(from, to))
                        .as("an in-neighbour of slot %d has it as an out-neighbour", to)
                        .isTrue();
            }
            for (int h = 0; h < HEADS; h++) {
                assertThat(heads.get(h * column + slot)).isEqualTo(h < in.degree(slot) ? in.neighbour(slot, h) : -1);
            }
        }
    }

    private static int levels(Lists out, int active, IntBuffer levels, int[] sources, int[] targets, int maxDepth) {
        for (int slot = 0; slot < levels.capacity(); slot++) {
            levels.put(slot, -1);
        }
        for (int source : sources) {
            levels.put(source, 0);
        }
        int[] frontier = sources;
        int level = 0;
        while (level != maxDepth && Arrays.stream(targets).noneMatch(target -> levels.get(target) >= 0)) {
            int[] found = new int[levels.capacity()];
            int count = 0;
            for (int slot : frontier) {
                for (int i = 0; slot < active && i < out.degree(slot); i++) {
                    int neighbour = out.neighbour(slot, i);
                    if (levels.get(neighbour) < 0) {
                        levels.put(neighbour, level + 1);
                        found[count++] = neighbour;
                    }
                }
            }
            if (count == 0) {
                return level;
            }
            frontier = Arrays.copyOf(found, count);
            level++;
        }
        return level;
    }
}
