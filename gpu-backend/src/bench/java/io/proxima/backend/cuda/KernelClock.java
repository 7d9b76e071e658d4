// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import io.proxima.backend.BackendSettings;
import io.proxima.backend.cuda.driver.CudaProbe;
import io.proxima.backend.cuda.fake.CheckedDriver;
import io.proxima.backend.device.DeviceDriver;
import io.proxima.backend.device.LaunchPolicy;
import io.proxima.backend.device.run.DeviceProbe;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/** Sums the times of the launches of one user, as a proxy between the backend and the driver. */
final class KernelClock {

    private double kernelMillis;
    private double launchMillis;
    private long launchedAt;

    /** Backends of this host's devices that this clock listens to. */
    CudaBackends backends() {
        DeviceProbe timed = timed(CudaProbe.ofThisHost());
        return FakeDevices.backends(() -> timed, LaunchPolicy.shipped(BackendSettings.DEFAULTS));
    }

    /** The same devices, listened to. */
    DeviceProbe timed(DeviceProbe probe) {
        return CheckedDriver.around(probe, driver -> timed(DeviceDriver.class, driver));
    }

    synchronized void reset() {
        kernelMillis = 0;
        launchMillis = 0;
    }

    /** Milliseconds of kernels since the reset, between events on the device. */
    synchronized double kernelMillis() {
        return kernelMillis;
    }

    /** Milliseconds since the reset from a launch to its outcome on the host. */
    synchronized double launchMillis() {
        return launchMillis;
    }

    private synchronized void launched() {
        launchedAt = System.nanoTime();
    }

    private synchronized void ended(float millis) {
        kernelMillis += millis;
        launchMillis += (System.nanoTime() - launchedAt) / 1e6;
    }

    private <T> T timed(Class<T> type, T target) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, new Timed(target)));
    }

    /** Passes all calls on. */
    private final class Timed implements InvocationHandler {

        private final Object target;

        Timed(Object target) {
            this.target = target;
        }

        @Override
        public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
            try {
                switch (method.getName()) {
                    case "createMark" -> {
                        return timed(DeviceDriver.Mark.class, (DeviceDriver.Mark) method.invoke(target, arguments));
                    }
                    case "millisSince" -> {
                        Timed earlier = (Timed) Proxy.getInvocationHandler(arguments[0]);
                        float millis = (float) method.invoke(target, earlier.target);
                        ended(millis);
                        return millis;
                    }
                    case "launch" -> launched();
                    default -> {
                        // not timed
                    }
                }
                return method.invoke(target, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }
    }
}
