// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.fake;

import static io.proxima.backend.cuda.driver.KernelConstants.CONTROL_BYTES;
import static io.proxima.backend.cuda.driver.KernelConstants.CONTROL_PAUSED_OFFSET;
import static io.proxima.backend.cuda.driver.KernelConstants.CONTROL_RESUMES_OFFSET;

import io.proxima.backend.cuda.driver.CudaException;
import io.proxima.backend.cuda.driver.Driver;
import io.proxima.backend.cuda.driver.JcudaDriver;
import io.proxima.backend.cuda.driver.ShippedKernels;
import io.proxima.backend.device.DeviceDriver;
import io.proxima.backend.device.DeviceFacts;
import io.proxima.backend.device.KernelArguments;
import io.proxima.backend.device.KernelInterface;
import io.proxima.backend.device.LaunchPolicy;
import io.proxima.backend.papers.bvss.TextbookBvss;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.regex.Pattern;

/**
 * A driver with devices that are host memory: counts bytes, runs the kernels through {@link FakeKernels} at once, and
 * fails when told to. It fails a test that launches what the compiled kernels would not take, {@link KernelInterface}.
 * Thread-safe.
 */
public final class FakeDriver implements Driver {

    private static final int INVALID_VALUE = 1;
    private static final long FIRST_ADDRESS = 1L << 40;
    private static final Pattern SEARCHES =
            Pattern.compile("(ms)?bfs_|near_far_|betweenness_(plain|scaled)|components_afforest");

    private final List<FakeDevice> opened = Collections.synchronizedList(new ArrayList<>());
    private final int version;
    private final List<DeviceFacts> facts;
    private volatile int refusal;
    private volatile long heldByOthers;
    private volatile CheckedDriver.Faults faults = CheckedDriver.Faults.NONE;

    public FakeDriver(int version, DeviceFacts... facts) {
        this.version = version;
        this.facts = List.of(facts);
    }

    /** One Hopper with so much memory. */
    public static FakeDriver hopper(long totalBytes) {
        return new FakeDriver(13_000, hopperFacts(totalBytes));
    }

    /** Several Hoppers with so much memory each. */
    public static FakeDriver hoppers(int count, long totalBytes) {
        DeviceFacts[] facts = new DeviceFacts[count];
        Arrays.fill(facts, hopperFacts(totalBytes));
        return new FakeDriver(13_000, facts);
    }

    public static DeviceFacts hopperFacts(long totalBytes) {
        return new DeviceFacts("Fake H200", 9, 0, 4, true, 227 << 10, totalBytes);
    }

    @Override
    public int version() {
        return version;
    }

    @Override
    public int deviceCount() {
        return facts.size();
    }

    @Override
    public DeviceFacts facts(int ordinal) {
        return facts.get(ordinal);
    }

    /** No device can be opened, as the driver fails with this code. */
    public void refuseToOpen(int code) {
        refusal = code;
    }

    /** Memory that other processes take of each device that is opened from now on. */
    public void holdByOthers(long bytes) {
        heldByOthers = bytes;
    }

    /** These calls find no memory from now on. */
    public void refuse(String call) {
        fail(any -> any.equals(call) ? CudaException.OUT_OF_MEMORY : 0);
    }

    @Override
    public DeviceDriver open(int ordinal) {
        if (refusal != 0) {
            throw new CudaException("cuDevicePrimaryCtxRetain", refusal, "CUDA_ERROR_" + refusal);
        }
        FakeDevice device = new FakeDevice(facts.get(ordinal).totalBytes());
        device.holdByOthers(heldByOthers);
        opened.add(device);
        return new CheckedDriver(device, call -> {
            int code = faults.of(call);
            return code == 0 ? device.faults.of(call) : code;
        });
    }

    /** Lets calls fail from now on, on all devices. */
    public void fail(CheckedDriver.Faults chosen) {
        faults = chosen;
    }

    /** How many devices were opened so far. */
    public int openedCount() {
        return opened.size();
    }

    /** The device opened last. */
    public FakeDevice device() {
        return opened.get(opened.size() - 1);
    }

    /** The device with this number in the order in which devices were opened. */
    public FakeDevice device(int opening) {
        return opened.get(opening);
    }

    /** A device. */
    public static final class FakeDevice implements DeviceDriver {

        private final long totalBytes;
        // of the device and of the host as the device sees it
        private final TreeMap<Long, ByteBuffer> blocks = new TreeMap<>();
        private final IdentityHashMap<ByteBuffer, Long> hostBlocks = new IdentityHashMap<>();
        private final List<String> launches = new ArrayList<>();
        // by the addresses of their marks, from the kernel that sees the lists to those that only count
        final Map<Long, TextbookBvss> sliceSets = new ConcurrentHashMap<>();
        private long nextAddress = FIRST_ADDRESS;
        private long heldByOthers;
        private long usedBytes;
        private long mostUsedBytes;
        private long mappedBytes;
        private long uploadedBytes;
        private final AtomicLong relaxations = new AtomicLong();
        private volatile Consumer<String> onLaunch = entry -> {};
        private volatile BooleanSupplier marksReached = () -> true;
        private volatile ToDoubleFunction<String> launchTime = entry -> 0;
        private volatile double clock;
        private Thread launching;
        private boolean closed;
        private volatile Predicate<String> pauses = entry -> false;
        private volatile CheckedDriver.Faults faults = CheckedDriver.Faults.NONE;
        private long tokens;
        // of launches that have paused, by their control blocks
        private final Map<Long, Paused> paused = new HashMap<>();

        /** What a launch that has paused was, and what it has left in its control block. */
        private record Paused(String entry, ByteBuffer arguments, long token) {}

        FakeDevice(long totalBytes) {
            this.totalBytes = totalBytes;
        }

        /** Bytes allocated now. */
        public synchronized long usedBytes() {
            return usedBytes;
        }

        /** The most bytes that were allocated at once. */
        public synchronized long mostUsedBytes() {
            return mostUsedBytes;
        }

        /** Begins anew with {@link #mostUsedBytes}. */
        public synchronized void forgetMostUsed() {
            mostUsedBytes = usedBytes;
        }

        /** Bytes copied to the device so far. */
        public synchronized long uploadedBytes() {
            return uploadedBytes;
        }

        /** The edges that weighted searches have relaxed so far. */
        public long relaxations() {
            return relaxations.get();
        }

        void relaxed(long edges) {
            relaxations.addAndGet(edges);
        }

        /** Lets calls on this device fail from now on. */
        public void fail(CheckedDriver.Faults chosen) {
            faults = chosen;
        }

        /** The next launch fails with this code of the driver. */
        public void failLaunch(int code) {
            AtomicBoolean failed = new AtomicBoolean();
            fail(call -> call.equals("launch") && !failed.getAndSet(true) ? code : 0);
        }

        /** Is told the entry of every kernel before it runs. */
        public void onLaunch(Consumer<String> listener) {
            onLaunch = listener;
        }

        /** Says how long kernels take from now on, by their entries, instead of no time. */
        public void time(ToDoubleFunction<String> millis) {
            launchTime = millis;
        }

        /** Is asked from now on whether a mark is reached, by those who do not wait for it. */
        public void reachMarks(BooleanSupplier reached) {
            marksReached = reached;
        }

        /**
         * Is asked from now on whether a launch of a kernel with a control block pauses; then it leaves all of its work
         * to the next one. Not to be asked for while another launch is in flight.
         */
        public void pauseLaunches(Predicate<String> decision) {
            pauses = decision;
        }

        /**
         * Lets every second launch of a search pause, by a seed; kernels that only prepare a graph do not pause.
         * Launches last so long that none is begun behind them, as behind those that are told to pause.
         */
        public void pauseSearches(long seed) {
            Random pauses = new Random(seed);
            time(entry -> LaunchPolicy.MILLIS_OF_A_BATCH_IN_FLIGHT + 1);
            pauseLaunches(entry -> SEARCHES.matcher(entry).lookingAt() && pauses.nextBoolean());
        }

        /** Launches that have paused and were not resumed. */
        public synchronized int pausedLaunches() {
            return paused.size();
        }

        /** Memory that other processes take. */
        public synchronized void holdByOthers(long bytes) {
            heldByOthers = bytes;
        }

        public synchronized List<String> launches() {
            return List.copyOf(launches);
        }

        public synchronized boolean isClosed() {
            return closed;
        }

        @Override
        public void enter() {
            // any thread may use host memory
        }

        @Override
        public void leave() {
            // nothing was entered
        }

        @Override
        public synchronized long freeBytes() {
            return totalBytes - heldByOthers - usedBytes;
        }

        @Override
        public synchronized long allocate(long bytes) {
            if (bytes <= 0) {
                throw new CudaException("cuMemAlloc", INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE");
            }
            requireNoKernelOfAnother("cuMemAlloc");
            if (bytes > freeBytes()) {
                throw new CudaException("cuMemAlloc", CudaException.OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY");
            }
            byte[] block = new byte[(int) bytes];
            Arrays.fill(block, (byte) 0xa5);
            usedBytes += bytes;
            mostUsedBytes = Math.max(mostUsedBytes, usedBytes);
            return place(ByteBuffer.wrap(block));
        }

        /** Returns the address of a block, with a gap behind it, so that no access runs over into the next unseen. */
        private long place(ByteBuffer block) {
            long address = nextAddress;
            nextAddress += (block.capacity() + 511L) / 256 * 256;
            blocks.put(address, block.order(ByteOrder.nativeOrder()));
            return address;
        }

        /** CUDA would wait for the kernel. */
        private void requireNoKernelOfAnother(String call) {
            if (launching != null && launching != Thread.currentThread()) {
                throw new AssertionError(call + " would wait for the kernel of another thread: " + launching);
            }
        }

        @Override
        public synchronized void free(long address) {
            requireNoKernelOfAnother("cuMemFree");
            usedBytes -= blocks.remove(address).capacity();
        }

        /** Bytes of page-locked host memory allocated for kernels now. */
        public synchronized long mappedBytes() {
            return mappedBytes;
        }

        @Override
        public synchronized long allocateMapped(long bytes) {
            if (bytes <= 0) {
                throw new CudaException("cuMemHostAlloc", INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE");
            }
            requireNoKernelOfAnother("cuMemHostAlloc");
            mappedBytes += bytes;
            return place(ByteBuffer.allocate((int) bytes));
        }

        @Override
        public synchronized void freeMapped(long address) {
            requireNoKernelOfAnother("cuMemFreeHost");
            mappedBytes -= blocks.remove(address).capacity();
        }

        @Override
        public synchronized ByteBuffer allocateHost(int bytes) {
            ByteBuffer host = ByteBuffer.allocateDirect(bytes);
            hostBlocks.put(host, place(host));
            return host;
        }

        @Override
        public synchronized long deviceAddress(ByteBuffer host) {
            return hostBlocks.get(host);
        }

        @Override
        public synchronized void freeHost(ByteBuffer host) {
            blocks.remove(hostBlocks.remove(host));
        }

        @Override
        public synchronized void copyToDevice(long to, ByteBuffer from, long bytes) {
            memory(to, bytes).put(0, from, 0, (int) bytes);
            uploadedBytes += bytes;
        }

        @Override
        public synchronized void copyToHost(ByteBuffer to, long from, long bytes) {
            to.put(0, memory(from, bytes), 0, (int) bytes);
        }

        @Override
        public synchronized void fill(long address, byte value, long bytes) {
            ByteBuffer memory = memory(address, bytes);
            for (int i = 0; i < bytes; i++) {
                memory.put(i, value);
            }
        }

        @Override
        public Mark createMark() {
            return new FakeMark();
        }

        @Override
        public KernelInterface kernels() {
            return ShippedKernels.INTERFACE;
        }

        @Override
        public Remedies remedies() {
            return JcudaDriver.REMEDIES;
        }

        @Override
        public Module load(String module) {
            return new FakeModule(module);
        }

        @Override
        public void launch(Function function, Shape shape, KernelArguments arguments) {
            checkAddresses(arguments);
            String entry = arguments.entry().name();
            synchronized (this) {
                launches.add(entry);
                launching = Thread.currentThread();
            }
            try {
                onLaunch.accept(entry);
                if (!leavesToTheNext(entry, arguments)) {
                    FakeKernels.run(entry, this, shape, arguments);
                    leave(arguments);
                }
            } finally {
                synchronized (this) {
                    launching = null;
                }
            }
        }

        /** Fails unless addresses are of memory that the device can reach now, and numbers are not. */
        private void checkAddresses(KernelArguments arguments) {
            ByteBuffer values = ByteBuffer.wrap(arguments.bytes()).order(ByteOrder.nativeOrder());
            arguments.entry().argument().fields().forEach((name, field) -> {
                boolean isPointer = field.kind() == KernelInterface.Kind.PTR;
                if (isPointer || field.kind() == KernelInterface.Kind.U64) {
                    long value = values.getLong(field.offset());
                    if (isPointer ? value != 0 && !isAllocated(value) : isAllocated(value)) {
                        throw new AssertionError(String.format(
                                "%s: wanted %s as %s, given %s%d",
                                arguments.entry().name(),
                                isPointer ? "an address" : "a number",
                                name,
                                isPointer ? "" : "the address ",
                                value));
                    }
                }
            });
        }

        /** Pauses a launch, or takes one up that has paused. */
        private boolean leavesToTheNext(String entry, KernelArguments arguments) {
            FakeArguments fields = new FakeArguments(this, arguments);
            if (!fields.has("report")) {
                return false;
            }
            long control = fields.pointer("control");
            boolean pausesNow = pauses.test(entry);
            synchronized (this) {
                ByteBuffer block = memory(control, CONTROL_BYTES);
                if (block.getInt(CONTROL_RESUMES_OFFSET) != 0) {
                    Paused before = paused.remove(control);
                    if (before == null
                            || !before.entry().equals(entry)
                            || !before.arguments().equals(ByteBuffer.wrap(arguments.bytes()))
                            || block.getLong(FakeArguments.SAVED_OFFSET) != before.token()
                            || block.getInt(CONTROL_PAUSED_OFFSET) != 0) {
                        throw new AssertionError("resumes what has not paused, or not as it was left: " + entry);
                    }
                    for (int i = 0; i < CONTROL_BYTES; i++) {
                        block.put(i, (byte) 0);
                    }
                }
                if (pausesNow) {
                    long token = ++tokens;
                    paused.put(control, new Paused(entry, ByteBuffer.wrap(arguments.bytes()), token));
                    block.putLong(FakeArguments.SAVED_OFFSET, token);
                    block.putInt(CONTROL_PAUSED_OFFSET, 1);
                    report(fields);
                }
                return pausesNow;
            }
        }

        /** As leave_grid of persistent.cuh, in a launch that has not paused. */
        private synchronized void leave(KernelArguments arguments) {
            FakeArguments fields = new FakeArguments(this, arguments);
            if (fields.has("report")) {
                report(fields);
                fill(fields.pointer("control"), (byte) 0, CONTROL_BYTES);
            }
            clock += launchTime.applyAsDouble(arguments.entry().name());
        }

        private void report(FakeArguments fields) {
            memory(fields.pointer("report"), CONTROL_BYTES)
                    .put(0, memory(fields.pointer("control"), CONTROL_BYTES), 0, CONTROL_BYTES);
        }

        @Override
        public synchronized void close() {
            closed = true;
            // the context takes its memory with it
            blocks.clear();
            hostBlocks.clear();
            mappedBytes = 0;
        }

        /** Whether an address lies in a block, or behind its last byte as an array without entries may. */
        private synchronized boolean isAllocated(long address) {
            Map.Entry<Long, ByteBuffer> block = blocks.floorEntry(address);
            return block != null && address <= block.getKey() + block.getValue().capacity();
        }

        /**
         * Memory of the device, or of the host as the device sees it; it must lie in one block as a whole, unless it is
         * empty.
         */
        synchronized ByteBuffer memory(long address, long bytes) {
            if (bytes == 0) {
                return ByteBuffer.allocate(0);
            }
            Map.Entry<Long, ByteBuffer> block = blocks.floorEntry(address);
            if (block == null
                    || address + bytes > block.getKey() + block.getValue().capacity()) {
                throw new CudaException(
                        "access to " + bytes + " bytes at " + address, 700, "CUDA_ERROR_ILLEGAL_ADDRESS");
            }
            int offset = (int) (address - block.getKey());
            return block.getValue().slice(offset, (int) bytes).order(ByteOrder.nativeOrder());
        }

        private final class FakeMark implements Mark {
            private double at;

            @Override
            public void put() {
                // all work is done when it is begun
                at = clock;
            }

            @Override
            public boolean reached() {
                return marksReached.getAsBoolean();
            }

            @Override
            public void await() {
                // reached already
            }

            @Override
            public float millisSince(Mark earlier) {
                return (float) (at - ((FakeMark) earlier).at);
            }

            @Override
            public void close() {
                // holds nothing
            }
        }
    }

    private record FakeModule(String name) implements DeviceDriver.Module {
        @Override
        public DeviceDriver.Function function(String entry) {
            if (!ShippedKernels.INTERFACE.entry(entry).module().equals(name)) {
                throw new AssertionError("no entry " + entry + " in the module " + name);
            }
            return (threads, sharedBytes) -> 2;
        }

        @Override
        public void close() {
            // holds nothing
        }
    }
}
