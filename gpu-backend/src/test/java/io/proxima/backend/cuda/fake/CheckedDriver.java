// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.fake;

import io.proxima.backend.cuda.driver.CudaException;
import io.proxima.backend.device.DeviceDriver;
import io.proxima.backend.device.KernelArguments;
import io.proxima.backend.device.KernelInterface;
import io.proxima.backend.device.run.DeviceProbe;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * Watches the use of a device: calls from threads that have not entered, memory used outside of what is allocated or
 * after it was freed, and anything left when the device is closed are errors. Lets calls fail when told to, as CUDA
 * does: a sticky error stays with the context until it is closed, every other one passes.
 */
public final class CheckedDriver implements DeviceDriver {

    /** Decides which calls fail. */
    @FunctionalInterface
    public interface Faults {
        /** None. */
        Faults NONE = call -> 0;

        /** The driver's code that a call fails with; 0 if it succeeds. */
        int of(String call);
    }

    private final DeviceDriver driver;
    private final Faults faults;
    private final ThreadLocal<Integer> depth = ThreadLocal.withInitial(() -> 0);

    // guarded by this
    private final TreeMap<Long, Long> blocks = new TreeMap<>();
    private final TreeMap<Long, Long> mapped = new TreeMap<>();
    private final Set<Object> handles = Collections.newSetFromMap(new IdentityHashMap<>());
    private boolean closed;
    // what the context has failed with; it can only be given up as a whole then
    private int broken;
    // whether a thread could enter when one tried last; else nothing can be freed
    private volatile boolean entered = true;

    public CheckedDriver(DeviceDriver driver) {
        this(driver, Faults.NONE);
    }

    public CheckedDriver(DeviceDriver driver, Faults faults) {
        this.driver = driver;
        this.faults = faults;
    }

    /** The same devices, each with a driver around its own. */
    public static DeviceProbe around(DeviceProbe probe, UnaryOperator<DeviceDriver> around) {
        List<DeviceProbe.Found> devices = probe.devices().stream()
                .map(found -> new DeviceProbe.Found(
                        found.ordinal(),
                        found.facts(),
                        found.driverVersion(),
                        found.reason(),
                        () -> around.apply(found.opening().get())))
                .toList();
        return new DeviceProbe(probe.driverVersion(), probe.reason(), devices, probe.remedies());
    }

    @Override
    public void enter() {
        entered = false;
        failIfToldTo("enter", 0);
        entered = true;
        driver.enter();
        depth.set(depth.get() + 1);
    }

    @Override
    public void leave() {
        requireEntered("leave");
        depth.set(depth.get() - 1);
        driver.leave();
        // which reports errors of earlier work
        failIfToldTo("leave", 0);
    }

    @Override
    public long freeBytes() {
        begin("freeBytes");
        return driver.freeBytes();
    }

    @Override
    public long allocate(long bytes) {
        begin("allocate");
        long address = driver.allocate(bytes);
        synchronized (this) {
            blocks.put(address, bytes);
        }
        return address;
    }

    @Override
    public void free(long address) {
        begin("free");
        forget(blocks, address);
        driver.free(address);
    }

    @Override
    public long allocateMapped(long bytes) {
        begin("allocateMapped");
        long address = driver.allocateMapped(bytes);
        synchronized (this) {
            mapped.put(address, bytes);
        }
        return address;
    }

    @Override
    public void freeMapped(long address) {
        begin("freeMapped");
        forget(mapped, address);
        driver.freeMapped(address);
    }

    private synchronized void forget(Map<Long, Long> allocated, long address) {
        if (allocated.remove(address) == null) {
            throw new AssertionError("freed twice or never allocated: address=" + address);
        }
    }

    @Override
    public ByteBuffer allocateHost(int bytes) {
        begin("allocateHost");
        return opened(driver.allocateHost(bytes));
    }

    @Override
    public long deviceAddress(ByteBuffer host) {
        begin("deviceAddress", host);
        return driver.deviceAddress(host);
    }

    @Override
    public void freeHost(ByteBuffer host) {
        closed(host);
        begin("freeHost");
        driver.freeHost(host);
    }

    @Override
    public void copyToDevice(long to, ByteBuffer from, long bytes) {
        begin("copyToDevice", from);
        if (!contains(mapped, to, bytes)) {
            requireAllocated(to, bytes);
        }
        driver.copyToDevice(to, from, bytes);
    }

    @Override
    public void copyToHost(ByteBuffer to, long from, long bytes) {
        begin("copyToHost", to);
        requireAllocated(from, bytes);
        driver.copyToHost(to, from, bytes);
    }

    @Override
    public void fill(long address, byte value, long bytes) {
        begin("fill");
        requireAllocated(address, bytes);
        driver.fill(address, value, bytes);
    }

    @Override
    public Mark createMark() {
        begin("createMark");
        return opened(new CheckedMark(driver.createMark()));
    }

    @Override
    public KernelInterface kernels() {
        return driver.kernels();
    }

    @Override
    public Remedies remedies() {
        return driver.remedies();
    }

    @Override
    public Module load(String module) {
        begin("load");
        return opened(new CheckedModule(driver.load(module)));
    }

    @Override
    public void launch(Function function, Shape shape, KernelArguments arguments) {
        launch(shape, () -> driver.launch(function, shape, arguments));
    }

    @Override
    public void launchSteps(Function function, Shape shape, KernelArguments arguments, int steps) {
        launch(shape, () -> driver.launchSteps(function, shape, arguments, steps));
    }

    private void launch(Shape shape, Runnable launch) {
        begin("launch");
        if (shape.blocks() < 1) {
            throw new AssertionError("a grid without room: " + shape);
        }
        try {
            launch.run();
        } catch (CudaException e) {
            if (e.isSticky()) {
                breakDown(e.code());
            }
            throw e;
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                throw new AssertionError("closed twice");
            }
            closed = true;
        }
        driver.close();
        synchronized (this) {
            if (broken == 0 && entered && (!blocks.isEmpty() || !mapped.isEmpty() || !handles.isEmpty())) {
                throw new AssertionError(
                        "left on the device: " + blocks + ", " + mapped + " and " + handles.size() + " handles");
            }
        }
    }

    private synchronized <T> T opened(T handle) {
        handles.add(handle);
        return handle;
    }

    private synchronized void closed(Object handle) {
        if (!handles.remove(handle)) {
            throw new AssertionError("closed twice: " + handle);
        }
    }

    private synchronized void requireOpen(Object handle) {
        if (!handles.contains(handle)) {
            throw new AssertionError("used after it was closed: " + handle);
        }
    }

    private void begin(String call, Object handle) {
        begin(call);
        requireOpen(handle);
    }

    private void begin(String call) {
        requireEntered(call);
        int code;
        synchronized (this) {
            code = broken;
        }
        failIfToldTo(call, code);
    }

    private void failIfToldTo(String call, int before) {
        int code = before == 0 ? faults.of(call) : before;
        if (code != 0) {
            if (CudaException.isSticky(code)) {
                breakDown(code);
            }
            throw new CudaException(call, code, "CUDA_ERROR_" + code);
        }
    }

    private synchronized void breakDown(int code) {
        broken = code;
    }

    private void requireEntered(String call) {
        synchronized (this) {
            if (closed) {
                throw new AssertionError(call + " after the device was closed");
            }
        }
        if (depth.get() <= 0) {
            throw new AssertionError(call + " from a thread that has not entered: " + Thread.currentThread());
        }
    }

    private synchronized void requireAllocated(long address, long bytes) {
        if (!contains(blocks, address, bytes)) {
            throw new AssertionError("not allocated as a whole: address=" + address + ", bytes=" + bytes);
        }
    }

    private synchronized boolean contains(NavigableMap<Long, Long> allocated, long address, long bytes) {
        Map.Entry<Long, Long> block = allocated.floorEntry(address);
        return block != null && address + bytes <= block.getKey() + block.getValue();
    }

    private final class CheckedMark implements Mark {
        private final Mark mark;

        CheckedMark(Mark mark) {
            this.mark = mark;
        }

        @Override
        public void put() {
            begin("put", this);
            mark.put();
        }

        @Override
        public boolean reached() {
            begin("reached", this);
            return mark.reached();
        }

        @Override
        public void await() {
            begin("await", this);
            mark.await();
        }

        @Override
        public float millisSince(Mark earlier) {
            begin("millisSince", this);
            return mark.millisSince(((CheckedMark) earlier).mark);
        }

        @Override
        public void close() {
            closed(this);
            begin("close");
            mark.close();
        }
    }

    private final class CheckedModule implements Module {
        private final Module module;

        CheckedModule(Module module) {
            this.module = module;
        }

        @Override
        public Function function(String name) {
            begin("function", this);
            return module.function(name);
        }

        @Override
        public void close() {
            closed(this);
            begin("close");
            module.close();
        }
    }
}
