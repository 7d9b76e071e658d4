// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.memory.HeapPart;
import io.proxima.memory.HeapShortageException;
import io.proxima.plugin.memory.HeapLedger.Holding;
import io.proxima.plugin.memory.HeapLedger.Promise;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeapLedgerTest {

    private static final long MIB = 1 << 20;

    private final FakeHeap heap = new FakeHeap();
    private final HeapLedger ledger = heap.ledger();

    @Test
    void shouldNotPassTwoCallsThatFitOneAfterTheOtherOnly() {
        for (double share : new double[] {1, 0.9}) {
            Promise first = ledger.reserve(share, 600 * MIB);
            assertThatThrownBy(() -> ledger.reserve(share, 600 * MIB))
                    .isInstanceOf(HeapShortageException.class)
                    .hasMessageStartingWith("Procedure was blocked since maximum estimated memory (600 MiB) exceeds"
                            + " current free memory")
                    .hasMessageContaining("running calls have reserved 600 MiB")
                    .hasMessageContaining("'sudo: true'");
            first.close();
            ledger.reserve(share, 600 * MIB).close();
        }
        assertThat(ledger.promised()).isZero();
    }

    @Test
    void shouldCheckEachCallAgainstTheShareOfItsServer() {
        try (Promise ofOne = ledger.reserve(0.5, 400 * MIB);
                Promise ofAnother = ledger.open(0.8)) {
            assertThatThrownBy(() -> ledger.reserve(0.5, 200 * MIB))
                    .hasMessageContaining("server.proxima.heap_share=0.5")
                    .hasMessageContaining("running calls have reserved 400 MiB");
            ofAnother.require(200 * MIB);
            assertThatThrownBy(() -> ofAnother.require(500 * MIB)).hasMessageContaining("heap_share=0.8");
            assertThatThrownBy(() -> ofOne.grow(1)).hasMessageContaining("heap_share=0.5");
        }
    }

    @Test
    void shouldCountThePromiseOfACallThatOverridesTheCheck() {
        Promise promise = ledger.open(1);
        promise.override();
        promise.require(FakeHeap.MAX * 2);
        assertThat(ledger.open(1).free()).isEqualTo(-FakeHeap.MAX);
        assertThatThrownBy(() -> ledger.reserve(1, 1)).hasMessageContaining("(0 Bytes)");
        promise.close();
        promise.close();
        assertThat(ledger.open(1).free()).isEqualTo(FakeHeap.MAX);
    }

    @Test
    void shouldReleaseEverythingAlthoughTheHeapIsExhausted() {
        AtomicInteger free = new AtomicInteger(4);
        HeapLedger small = new HeapLedger(FakeHeap.MAX, () -> 0, () -> {
            if (free.getAndDecrement() <= 0) {
                throw new OutOfMemoryError("none left");
            }
            return 0;
        });
        Promise promise = small.reserve(1, 100 * MIB);
        Holding holding = small.hold();
        holding.set(parts(2));
        assertThatThrownBy(() -> holding.set(parts(3))).isInstanceOf(OutOfMemoryError.class);
        assertThat(small.held()).isEqualTo(200 * MIB);
        holding.close();
        promise.close();
        assertThat(small.held()).isZero();
        assertThat(small.promised()).isZero();
    }

    /** An iterator or a lambda would be too much for a heap that is full. */
    @Test
    void shouldCloseAHoldingWithoutAllocations() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().getId();
        long taken = 0;
        // the first time, classes are loaded
        for (int time = 0; time < 2; time++) {
            Holding holding = ledger.hold();
            holding.set(List.of(new HeapPart(new Object(), 100), new HeapPart(new Object(), 100)));
            long before = threads.getThreadAllocatedBytes(thread);
            holding.close();
            taken = threads.getThreadAllocatedBytes(thread) - before;
        }
        assertThat(taken).isZero();
        assertThat(ledger.held()).isZero();
    }

    private static List<HeapPart> parts(int count) {
        return Stream.generate(() -> new HeapPart(new Object(), 100 * MIB))
                .limit(count)
                .toList();
    }

    @Test
    void shouldKeepTheHeapOfArgumentsBesideEveryStep() {
        try (Promise promise = ledger.open(1)) {
            promise.grow(100 * MIB);
            promise.require(300 * MIB);
            promise.require(200 * MIB);
            assertThat(ledger.promised()).isEqualTo(300 * MIB);
            try (HeapLedger.Holding made = ledger.hold()) {
                promise.handOver(made, List.of(new HeapPart(new Object(), 250 * MIB)));
                assertThat(ledger.promised()).isEqualTo(100 * MIB);
            }
            assertThatThrownBy(() -> promise.grow(FakeHeap.MAX)).isInstanceOf(HeapShortageException.class);
            assertThat(promise.bytes()).isEqualTo(100 * MIB);
        }
        assertThat(ledger.promised()).isZero();
    }

    @Test
    void shouldKeepAPromiseAsItWasWhenItCannotGrow() {
        try (Promise promise = ledger.reserve(1, 400 * MIB);
                Promise other = ledger.reserve(1, 500 * MIB)) {
            assertThatThrownBy(() -> promise.grow(101 * MIB)).isInstanceOf(HeapShortageException.class);
            assertThat(promise.bytes()).isEqualTo(400 * MIB);
            promise.grow(100 * MIB);
            other.require(100 * MIB);
            promise.require(800 * MIB);
        }
        assertThat(ledger.promised()).isZero();
    }

    @Test
    void shouldHandOverWhatStaysWithoutAGapAndWithoutCountingTwice() {
        Promise promise = ledger.reserve(1, 700 * MIB);
        Holding graph = ledger.hold();
        HeapPart ids = new HeapPart(new Object(), 200 * MIB);
        HeapPart edges = new HeapPart(new Object(), 300 * MIB);
        promise.handOver(graph, List.of(ids, edges));
        assertThat(promise.bytes()).isEqualTo(200 * MIB);
        assertThat(ledger.held()).isEqualTo(500 * MIB);
        assertThat(ledger.open(1).free()).isEqualTo(300 * MIB);
        promise.close();
        assertThat(ledger.open(1).free()).isEqualTo(500 * MIB);

        Holding part = ledger.hold();
        part.set(List.of(ids, new HeapPart(new Object(), 10 * MIB)));
        assertThat(ledger.held()).isEqualTo(510 * MIB);
        graph.close();
        assertThat(ledger.held()).isEqualTo(210 * MIB);
        graph.set(List.of(edges));
        assertThat(ledger.held()).isEqualTo(210 * MIB);
        part.close();
        part.close();
        assertThat(ledger.held()).isZero();
    }

    @Test
    void shouldCountAllThatIsInUseBeforeTheFirstCollection() {
        heap.used = 300 * MIB;
        assertThat(ledger.open(1).free()).isEqualTo(700 * MIB);
    }

    @Test
    void shouldNotTakeAGraphForPartOfTheRestBeforeOrAfterItIsDropped() {
        heap.collect(100 * MIB);
        Object array = new Object();
        Holding graph = ledger.hold();
        try (Promise promise = ledger.reserve(1, 800 * MIB)) {
            // while it is made, and promised
            heap.collect(500 * MIB);
            assertThat(ledger.open(1).free()).isEqualTo(100 * MIB);
            promise.handOver(graph, List.of(new HeapPart(array, 600 * MIB)));
        }
        heap.collect(700 * MIB);
        assertThat(ledger.open(1).free()).isEqualTo(300 * MIB);
        graph.close();
        assertThat(ledger.open(1).free()).isEqualTo(900 * MIB);
        // a collection of the young generation does not find it
        heap.collect(700 * MIB);
        assertThat(ledger.open(1).free()).isEqualTo(900 * MIB);
        // others grow by 50 beside it
        heap.collect(750 * MIB);
        assertThat(ledger.open(1).free()).isEqualTo(850 * MIB);
        heap.collect(150 * MIB);
        assertThat(ledger.open(1).free()).isEqualTo(850 * MIB);
        assertThat(array).isNotNull();
    }

    @Test
    void shouldSeeTheRestOfTheServerGrowAndShrink() {
        heap.collect(100 * MIB);
        heap.collect(400 * MIB);
        assertThat(ledger.open(1).free()).isEqualTo(600 * MIB);
        Promise running = ledger.reserve(1, 200 * MIB);
        // at most 200 of it are the call's
        heap.collect(700 * MIB);
        assertThat(ledger.open(1).free()).isEqualTo(300 * MIB);
        running.close();
        heap.collect(150 * MIB);
        assertThat(ledger.open(1).free()).isEqualTo(850 * MIB);
        heap.used = 120 * MIB;
        assertThat(ledger.open(1).free()).isEqualTo(880 * MIB);
    }

    @Test
    void shouldNotTakeGarbageOfAnEndedCallForPartOfTheRestAndNoMoreThanThat() {
        heap.collect(100 * MIB);
        Promise call = ledger.reserve(1, 500 * MIB);
        heap.collect(400 * MIB);
        call.close();
        // what the call had at the collection before may still lie in the old generation
        heap.collect(400 * MIB);
        assertThat(ledger.open(1).free()).isGreaterThanOrEqualTo(900 * MIB - 300 * MIB);
        heap.collect(600 * MIB);
        assertThat(ledger.open(1).free()).isLessThanOrEqualTo(700 * MIB);
    }

    @Test
    void shouldNotBeFooledByGarbageOfThisJvm() {
        assertThat(ManagementFactory.getRuntimeMXBean().getInputArguments()).contains("-XX:+DisableExplicitGC");
        long max = Runtime.getRuntime().maxMemory();
        long[] graph = new long[(int) Math.min(Integer.MAX_VALUE / 2, max / 10 * 6 / Long.BYTES)];
        graph[5] = 1;
        assertThat(graph[5]).isEqualTo(1);
        graph = null;
        HeapLedger ledger = HeapLedger.ofThisJvm();
        // a collection that ended while the array was alive counts it until the next ones
        long allocated = 0;
        while (ledger.open(1).free() < max / 2 && allocated < 20 * max) {
            byte[] young = new byte[1 << 18];
            allocated += young.length;
        }
        ledger.reserve(1, max / 2).close();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void shouldNeverPromiseMoreThanThereIs(long seed) {
        int threads = 2 + (int) (seed % 7);
        double share = seed % 2 == 0 ? 1 : 0.1 + seed / 25.0;
        FakeHeap jvm = new FakeHeap();
        HeapLedger shared = jvm.ledger();
        jvm.collect(100 * MIB);
        // what grows is taken for garbage
        jvm.used = FakeHeap.MAX;
        long limit = Math.min((long) (share * FakeHeap.MAX), FakeHeap.MAX - 100 * MIB);
        AtomicLong taken = new AtomicLong();
        AtomicInteger passed = new AtomicInteger();
        Workers.run(threads, Stop.NEVER, (worker, stop) -> {
            Random random = new Random(seed + worker);
            List<Holding> graphs = new ArrayList<>();
            List<Long> sizes = new ArrayList<>();
            for (int call = 0; call < 200; call++) {
                long wanted = 1L + random.nextInt((int) (600 * MIB));
                try (Promise promise = shared.reserve(share, wanted)) {
                    passed.incrementAndGet();
                    assertThat(taken.addAndGet(wanted)).isLessThanOrEqualTo(limit);
                    long more = random.nextInt((int) (50 * MIB));
                    try {
                        promise.grow(more);
                        assertThat(taken.addAndGet(more)).isLessThanOrEqualTo(limit);
                    } catch (HeapShortageException e) {
                        more = 0;
                    }
                    long kept = random.nextBoolean() ? 0 : random.nextInt((int) wanted);
                    if (kept > 0) {
                        Holding graph = shared.hold();
                        promise.handOver(graph, List.of(new HeapPart(new Object(), kept)));
                        graphs.add(graph);
                        sizes.add(kept);
                    }
                    taken.addAndGet(kept - wanted - more);
                } catch (HeapShortageException e) {
                    if (!graphs.isEmpty()) {
                        taken.addAndGet(-sizes.remove(0));
                        graphs.remove(0).close();
                    }
                }
            }
            for (Holding graph : graphs) {
                taken.addAndGet(-sizes.remove(0));
                graph.close();
            }
        });
        assertThat(passed.get()).isPositive();
        assertThat(shared.promised()).isZero();
        assertThat(shared.held()).isZero();
        assertThat(shared.open(share).free()).isEqualTo(limit);
    }
}
