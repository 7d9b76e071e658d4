// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The part of the CUDA driver that Proxima uses, as interfaces, and their implementation by JCuda. Only
 * {@link io.proxima.backend.cuda.driver.JcudaDriver} refers to JCuda; it is linked only if the driver's library is
 * installed. Tests replace it by a fake that keeps device memory on the heap.
 */
package io.proxima.backend.cuda.driver;
