/*
 * Copyright 2026 The Proxima authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
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
