// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.csc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.concurrent.Workers;
import io.proxima.projection.EdgeList;
import io.proxima.projection.TestGraphs;
import java.lang.management.ManagementFactory;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CscTest {

    /** Heap of small objects. */
    private static final long SLACK = 1 << 18;

    @Test
    void shouldTakeEightBytesAVertexAndFourAnEntry() {
        Csc csc = TestGraphs.rmat(12, 8, 1).toCsc(Orientation.UNDIRECTED, 2, Stop.NEVER);

        long entries = 0;
        for (int page = 0;
                page < IntPages.pageCount(csc.entryCount(), csc.rowIndices().pageShift());
                page++) {
            entries += csc.rowIndices().page(page).length;
        }
        assertThat(entries).isEqualTo(csc.entryCount());
        assertThat(csc.columnPointers()).hasSize(4096 + 1);
        assertThat(csc.bytes()).isEqualTo(8 * (4096L + 1) + 4 * csc.entryCount());
        assertThat(csc.bytes()).isEqualTo(Csc.bytes(4096, csc.entryCount()));
    }

    /** One range has all vertices, so that one of many threads builds it. */
    @Test
    void shouldBuildFewEdgesOfManyVerticesInTheEstimatedHeap() {
        int vertices = (1 << 22) + 1;
        EdgeList edges = new EdgeList(vertices);
        // a long list that has to be sorted
        for (int target = 1 << 14; target > 0; target--) {
            edges.add(0, target);
        }
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long most = CscBuilder.memory(vertices, Orientation.NATURAL, 32, edges.edgeCount(), 0)
                .built()
                .maxBytes();
        long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());

        Csc csc = edges.toCsc(Orientation.NATURAL, 32, Stop.NEVER);

        long taken = threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
        assertThat(csc.entryCount()).isEqualTo(edges.edgeCount());
        assertThat(taken).isLessThan(most + SLACK);
        assertThat(most).isLessThan(2 * csc.bytes());
    }

    @Test
    void shouldCountTheTransposedFormMadeOnDemand() {
        Csc csc = TestGraphs.path(5).toCsc(Orientation.NATURAL, 1, Stop.NEVER);
        long own = csc.bytes();

        csc.transposed(1, Stop.NEVER);
        assertThat(csc.bytes()).isEqualTo(2 * own);
        assertThat(csc.transposed(1, Stop.NEVER).bytes()).isEqualTo(2 * own);
    }

    @Test
    void shouldRepresentMoreThanTwoToThe31Entries() {
        long entries = 5_000_000_000L;

        assertThat(IntPages.pageCount(entries, IntPages.DEFAULT_PAGE_SHIFT)).isEqualTo(38);
        assertThat(IntPages.pageCount(1L << 36, IntPages.DEFAULT_PAGE_SHIFT)).isEqualTo(512);
        assertThat(Csc.bytes(3_000_000, entries)).isEqualTo(20_024_000_008L);
        Csc csc = new Csc(new long[] {0, 0, 4_000_000_000L, entries}, IntPages.ofArray(new int[0]), false);
        assertThat(csc.entryCount()).isEqualTo(entries);
        assertThat(csc.columnStart(2)).isEqualTo(4_000_000_000L);
        assertThat(csc.degree(2)).isEqualTo(1_000_000_000);
    }

    @Test
    void shouldFindOutThatItIsSymmetric() {
        Csc both = TestGraphs.of(4, "0>1 1>0 1>2 2>1 3>0 0>3").toCsc(Orientation.NATURAL, 1, Stop.NEVER);
        long bytes = both.bytes();
        assertThat(both.isSymmetric()).isFalse();

        assertThat(both.transposed(2, Stop.NEVER)).isSameAs(both);

        assertThat(both.isSymmetric()).isTrue();
        assertThat(both.bytes()).isEqualTo(bytes);
        Csc oneMissing = TestGraphs.of(3, "0>1 1>0 1>2").toCsc(Orientation.NATURAL, 1, Stop.NEVER);
        assertThat(oneMissing.transposed(2, Stop.NEVER)).isNotSameAs(oneMissing);
        assertThat(oneMissing.isSymmetric()).isFalse();
    }

    @Test
    void shouldMakeTheTransposedFormOnceForManyThreads() {
        Csc csc = TestGraphs.rmat(10, 8, 3).toCsc(Orientation.NATURAL, 1, Stop.NEVER);
        Set<Csc> made = ConcurrentHashMap.newKeySet();

        Workers.run(8, Stop.NEVER, (worker, stop) -> made.add(csc.transposed(2, stop)));

        assertThat(made).hasSize(1);
    }

    @Test
    void shouldKeepNothingOfAStoppedTransposition() {
        Csc csc = TestGraphs.rmat(14, 8, 3).toCsc(Orientation.NATURAL, 1, Stop.NEVER);
        long bytes = csc.bytes();

        assertThatThrownBy(() -> csc.transposed(2, () -> true)).isInstanceOf(StoppedException.class);
        assertThatThrownBy(() -> csc.transposed(1, afterAsking(30))).isInstanceOf(StoppedException.class);

        assertThat(csc.bytes()).isEqualTo(bytes);
        csc.transposed(2, Stop.NEVER).validate(1, Stop.NEVER);
    }

    @Test
    void shouldStopABuildAtEveryStage() {
        EdgeList edges = TestGraphs.rmat(12, 16, 5);
        AtomicInteger asked = new AtomicInteger();
        edges.toCsc(Orientation.UNDIRECTED, 1, () -> asked.incrementAndGet() < 0);

        for (int times = 0; times < asked.get(); times++) {
            int limit = times;
            assertThatThrownBy(() -> edges.toCsc(Orientation.UNDIRECTED, 1, afterAsking(limit)))
                    .as("stop after asking %d of %d times", limit, asked.get())
                    .isInstanceOf(StoppedException.class);
        }
    }

    @Test
    void shouldLetAWaitingThreadStopAlone() {
        OnDemand<String> value = new OnDemand<>();
        CountDownLatch making = new CountDownLatch(1);
        CountDownLatch finish = new CountDownLatch(1);
        AtomicInteger stopped = new AtomicInteger();

        Workers.run(2, Stop.NEVER, (worker, stop) -> {
            if (worker == 0) {
                value.get(stop, () -> {
                    making.countDown();
                    await(finish);
                    return "made";
                });
            } else {
                await(making);
                try {
                    value.get(() -> true, () -> "not wanted");
                } catch (StoppedException e) {
                    stopped.incrementAndGet();
                }
                finish.countDown();
            }
        });

        assertThat(stopped).hasValue(1);
        assertThat(value.peek()).isEqualTo("made");
    }

    @Test
    void shouldNameTheColumnThatBreaksAnInvariant() {
        assertInvalid(new long[] {0, 2, 2}, new int[] {1, 1}, "column=0, index=1, row=1, previous=1");
        assertInvalid(new long[] {0, 1, 1}, new int[] {0}, "a column must not list itself: column=0");
        assertInvalid(new long[] {0, 1, 1}, new int[] {2}, "row=2");
        assertInvalid(new long[] {0, 1, 0}, new int[] {1}, "must not decrease: column=1");
        assertInvalid(new long[] {0, 0, 2}, new int[] {0}, "last=2, rowIndices=1");
        Csc halved = new Csc(new long[] {0, 1, 1}, IntPages.ofArray(new int[] {1}), true);
        assertThatThrownBy(() -> halved.validate(1, Stop.NEVER))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("column=0, row=1");
    }

    @Test
    void shouldRefuseVerticesThatAreNotThere() {
        assertThatThrownBy(() -> new EdgeList(2).add(0, 2)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> new EdgeList(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new CscBuilder(Integer.MAX_VALUE, Orientation.NATURAL, 1, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("vertexCount=2147483647");
    }

    private static void assertInvalid(long[] columnPointers, int[] rowIndices, String message) {
        Csc csc = new Csc(columnPointers, IntPages.ofArray(rowIndices), false);
        assertThatThrownBy(() -> csc.validate(1, Stop.NEVER))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(message);
    }

    private static Stop afterAsking(int times) {
        AtomicInteger asked = new AtomicInteger();
        return () -> asked.incrementAndGet() > times;
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
