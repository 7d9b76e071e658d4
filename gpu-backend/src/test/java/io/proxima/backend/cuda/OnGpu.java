// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import net.jqwik.api.lifecycle.AddLifecycleHook;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/** The tests and properties of a class run on the device of this host, see {@link Gpu}, and may leave nothing on it. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@Tag("gpu")
@net.jqwik.api.Tag("gpu")
@ExtendWith(Gpu.DeviceTests.class)
@AddLifecycleHook(Gpu.DeviceTests.class)
public @interface OnGpu {}
