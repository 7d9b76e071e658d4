// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

import java.util.List;

/**
 * The result of a calibration.
 *
 * @param device the name of the device, as in {@link BackendInfo}
 * @param numbers all tuning parameters, changed or not
 * @param kept whether the parameters are saved for the next start of the server
 */
public record Calibration(String device, List<TunedNumber> numbers, boolean kept) {

    /**
     * A tuning parameter.
     *
     * @param name the name shown to users
     * @param unit of the values
     * @param before the value before the calibration
     * @param after the value from now on
     * @param description one sentence
     */
    public record TunedNumber(String name, String unit, double before, double after, String description) {}
}
