// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.fake;

import static io.proxima.backend.cuda.driver.KernelConstants.CONTROL_LEVEL_OFFSET;
import static io.proxima.backend.cuda.driver.KernelConstants.XBFS_MOST_BLOCKS;
import static io.proxima.backend.cuda.driver.KernelConstants.XBFS_STATE_WORDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.cuda.driver.DeviceDriver;
import io.proxima.backend.cuda.driver.KernelArguments;
import io.proxima.backend.cuda.fake.FakeDriver.FakeDevice;
import java.nio.IntBuffer;
import java.util.Arrays;

/** What bfs_merrill.cu and bfs_xbfs.cu promise, in plain Java: a search of a textbook, on arguments that are what they need. */
final class FakeQueueKernels extends FakeArguments {

    private FakeQueueKernels(FakeDevice device, KernelArguments arguments) {
        super(device, arguments);
    }

    static boolean knows(String entry) {
        return entry.matches("bfs_merrill_(expand_contract|contract_expand|two_phase|hybrid)_grid|bfs_xbfs_grid");
    }

    static void run(String entry, FakeDevice device, DeviceDriver.Shape shape, KernelArguments arguments) {
        assertThat(shape.threads()).isEqualTo(512);
        assertThat(shape.cooperative()).isTrue();
        assertThat(shape.sharedBytes()).as("dynamic shared memory of " + entry).isZero();
        FakeQueueKernels kernel = new FakeQueueKernels(device, arguments);
        if (entry.equals("bfs_xbfs_grid")) {
            kernel.runXbfs(shape);
        } else {
            kernel.runMerrill(!entry.contains("contract_expand"), !entry.contains("expand_contract"));
        }
    }

    private void runMerrill(boolean queuesVertices, boolean queuesEdges) {
        int n = int32("n");
        FakeManyKernels.Lists out = lists(pointer("ptrs"), pointer("idx"), n);
        assertThat(pointer("levels") % 16).isZero();
        assertThat(pointer("mask") % 16).isZero();
        device.memory(pointer("mask"), (n + 127L) / 128 * 16);
        if (queuesVertices) {
            ints(pointer("vertices"), n);
        } else {
            assertThat(pointer("vertices")).isZero();
        }
        if (queuesEdges) {
            ints(pointer("edges"), out.pointers[n] + int32("sourceCount"));
        } else {
            assertThat(pointer("edges")).isZero();
        }
        search(out, n);
    }

    private void runXbfs(DeviceDriver.Shape shape) {
        int n = int32("n");
        FakeManyKernels.Lists out = lists(pointer("outPtrs"), pointer("outIdx"), n);
        FakeManyKernels.Lists in = lists(pointer("inPtrs"), pointer("inIdx"), n);
        assertThat(in.transposed().indices).isEqualTo(out.indices);
        assertThat(pointer("levels") % 16).isZero();
        for (String queue : new String[] {"endsA", "middleA", "endsB", "middleB"}) {
            ints(pointer(queue), n);
        }
        assertThat(shape.blocks()).isLessThanOrEqualTo(XBFS_MOST_BLOCKS);
        ints(pointer("blockCounts"), XBFS_MOST_BLOCKS);
        longs(pointer("state"), XBFS_STATE_WORDS);
        search(out, n);
    }

    private void search(FakeManyKernels.Lists out, int n) {
        longs(pointer("stopFlag"), 1);
        int[] sources = array(pointer("sources"), int32("sourceCount"));
        int[] targets = array(pointer("stopTargets"), int32("stopTargetCount"));
        int maxDepth = int32("maxDepth");
        assertThat(sources).isNotEmpty().doesNotHaveDuplicates();
        assertThat(int32("onlySource")).isEqualTo(sources[0]);
        IntBuffer levels = ints(pointer("levels"), n);
        for (int slot = 0; slot < n; slot++) {
            levels.put(slot, -1);
        }
        for (int source : sources) {
            levels.put(source, 0);
        }
        int[] frontier = sources;
        int level = 0;
        while (level != maxDepth && Arrays.stream(targets).noneMatch(target -> levels.get(target) >= 0)) {
            int[] found = new int[n];
            int count = 0;
            for (int slot : frontier) {
                for (long i = out.pointers[slot]; i < out.pointers[slot + 1]; i++) {
                    int neighbour = out.indices[(int) i];
                    if (levels.get(neighbour) < 0) {
                        levels.put(neighbour, level + 1);
                        found[count++] = neighbour;
                    }
                }
            }
            if (count == 0) {
                break;
            }
            frontier = Arrays.copyOf(found, count);
            level++;
        }
        zeroedControl(pointer("control")).putInt(CONTROL_LEVEL_OFFSET, level);
    }
}
