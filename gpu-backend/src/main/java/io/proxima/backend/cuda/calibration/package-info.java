// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/** Calibration: finds the best tuning parameters of a device by measuring on it. */
package io.proxima.backend.cuda.calibration;
