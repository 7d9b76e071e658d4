// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device;

import java.nio.ByteBuffer;

/**
 * One call of the driver that submits work, or several that only query. A call that reports an error has submitted nothing,
 * so it may be repeated. Two submitting calls need two instances, so that work is never submitted twice.
 *
 * @param <T> what the call returns
 */
sealed interface DriverCall<T> {

    /** Calls the driver. */
    T on(DeviceDriver driver);

    /** Records a mark. */
    record Put(DeviceDriver.Mark mark) implements DriverCall<Void> {
        @Override
        public Void on(DeviceDriver driver) {
            mark.put();
            return null;
        }
    }

    /** Sets bytes of device memory. */
    record Fill(long address, byte value, long bytes) implements DriverCall<Void> {
        @Override
        public Void on(DeviceDriver driver) {
            driver.fill(address, value, bytes);
            return null;
        }
    }

    /** Copies the start of page-locked memory to the device. */
    record CopyToDevice(long to, ByteBuffer from, long bytes) implements DriverCall<Void> {
        @Override
        public Void on(DeviceDriver driver) {
            driver.copyToDevice(to, from, bytes);
            return null;
        }
    }

    /** Copies from the device to the start of page-locked memory. */
    record CopyToHost(ByteBuffer to, long from, long bytes) implements DriverCall<Void> {
        @Override
        public Void on(DeviceDriver driver) {
            driver.copyToHost(to, from, bytes);
            return null;
        }
    }

    /** Finds a kernel, whose module is loaded at the first call. */
    record Find(Device device, KernelInterface.Entry entry) implements DriverCall<DeviceDriver.Function> {
        @Override
        public DeviceDriver.Function on(DeviceDriver driver) {
            return device.code().function(entry);
        }
    }

    /** Sizes a grid by the number of blocks that can be resident. */
    record Size(Device device, DeviceDriver.Function function, int threads, Grid grid)
            implements DriverCall<DeviceDriver.Shape> {
        @Override
        public DeviceDriver.Shape on(DeviceDriver driver) {
            int resident = function.blocksPerMultiprocessor(threads, grid.sharedBytes());
            int blocks = grid.blocks(threads, resident, device.facts().multiprocessors());
            return new DeviceDriver.Shape(blocks, threads, grid.sharedBytes(), grid.cooperative());
        }
    }

    /** Launches a kernel, in steps if there are any. */
    record Launch(DeviceDriver.Function function, DeviceDriver.Shape shape, KernelArguments arguments, int steps)
            implements DriverCall<Void> {
        @Override
        public Void on(DeviceDriver driver) {
            if (steps == 0) {
                driver.launch(function, shape, arguments);
            } else {
                driver.launchSteps(function, shape, arguments, steps);
            }
            return null;
        }
    }
}
