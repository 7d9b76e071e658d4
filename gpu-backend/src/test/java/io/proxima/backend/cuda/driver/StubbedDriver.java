// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.driver;

import io.proxima.backend.BackendInfo;
import io.proxima.backend.BackendSettings;
import io.proxima.backend.cuda.fake.CheckedDriver;
import io.proxima.backend.device.DeviceDriver;
import io.proxima.backend.device.DeviceFacts;
import io.proxima.backend.device.DriverException;
import io.proxima.backend.device.KernelInterface;
import io.proxima.backend.device.run.DeviceProbe;
import io.proxima.backend.select.TraversalBackends;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.util.List;

/** Runs in a JVM of its own, see {@link JcudaDriverTest}: prints what it finds. */
public final class StubbedDriver {

    private static final KernelInterface INTERFACE = KernelInterface.of(List.of(
            "entry stub store_sum - Sum",
            "struct Sum 16",
            "field Sum 0 ptr out",
            "field Sum 8 u32 a",
            "field Sum 12 u32 b",
            "entry stub store_scaled - Scaled",
            "struct Scaled 16",
            "field Scaled 0 ptr out",
            "field Scaled 8 u32 a",
            "field Scaled 12 f32 b"));

    private StubbedDriver() {}

    /** "list" prints the backends; "binding" calls each function of the binding. */
    public static void main(String[] args) {
        PrintStream out = System.out;
        if (args[0].equals("list")) {
            TraversalBackends backends = TraversalBackends.ofThisHost(BackendSettings.DEFAULTS);
            for (BackendInfo info : backends.list()) {
                out.println(info.name() + " | " + info.available() + " | " + info.reason());
            }
            out.println(
                    "auto | " + backends.select(TraversalBackends.Wanted.AUTO).remedy());
            return;
        }
        DeviceProbe.Found found = CudaProbe.ofThisHost().devices().get(0);
        DeviceFacts facts = found.facts();
        out.println(facts);
        CheckedDriver device = new CheckedDriver(found.opening().get());
        device.enter();
        out.println("free " + device.freeBytes());
        try {
            device.allocate(1L << 33);
        } catch (DriverException e) {
            out.println(e.getMessage());
        }
        long address = device.allocate(64);
        ByteBuffer host = device.allocateHost(64);
        out.println("mapped " + (device.deviceAddress(host) != 0));
        device.fill(address, (byte) 7, 64);
        host.putLong(0, 42);
        device.copyToDevice(address + 8, host, 8);
        host.putLong(0, 0);
        device.copyToHost(host, address, 24);
        out.println(host.getLong(0) == 0x0707070707070707L && host.getLong(8) == 42);
        for (long bytes : new long[] {1 << 20, 3L << 30, 5L << 30}) {
            // JCuda wraps blocks of page-locked memory into byte buffers, which are smaller than the last two
            long mapped = device.allocateMapped(bytes);
            host.putLong(0, bytes);
            device.copyToDevice(mapped + bytes - 8, host, 8);
            host.putLong(0, 0);
            device.copyToDevice(mapped + bytes - 16, host, 8);
            device.freeMapped(mapped);
            out.println("mapped " + bytes);
        }
        printFreedTwice(found.opening().get());
        try {
            device.allocateMapped(1L << 40);
        } catch (DriverException e) {
            out.println(e.getMessage());
        }
        DeviceDriver.Mark begin = device.createMark();
        DeviceDriver.Mark end = device.createMark();
        begin.put();
        DeviceDriver.Module module = device.load("permute");
        try {
            module.function("absent");
        } catch (DriverException e) {
            out.println(e.getMessage());
        }
        DeviceDriver.Function function = module.function("store_sum");
        out.println("blocks " + function.blocksPerMultiprocessor(256, 0) + " "
                + function.blocksPerMultiprocessor(256, 100 << 10));
        device.launch(
                function,
                new DeviceDriver.Shape(3, 64, 0, true),
                INTERFACE
                        .arguments("store_sum")
                        .set("out", address + 16)
                        .set("a", 5)
                        .set("b", 6));
        end.put();
        end.await();
        device.copyToHost(host, address, 24);
        out.println(host.getLong(16) + " " + end.reached() + " " + end.millisSince(begin));
        device.launch(
                function,
                new DeviceDriver.Shape(3, 64, 100 << 10, false),
                INTERFACE
                        .arguments("store_scaled")
                        .set("out", address + 16)
                        .set("a", 7)
                        .set("b", 0.5f));
        end.await();
        device.copyToHost(host, address, 24);
        out.println(host.getLong(16));
        begin.close();
        end.close();
        module.close();
        device.freeHost(host);
        device.free(address);
        device.leave();
        device.close();
        out.println("closed");
    }

    /** Frees mapped memory twice, which must leave the memory behind it alone. */
    private static void printFreedTwice(DeviceDriver device) {
        device.enter();
        long one = device.allocateMapped(4096);
        long other = device.allocateMapped(4096);
        device.freeMapped(Math.min(one, other));
        try {
            device.freeMapped(Math.min(one, other));
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage().replaceAll("\\d+", "A"));
        }
        device.freeMapped(Math.max(one, other));
        device.leave();
        device.close();
    }
}
