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
/**
 * Runs on a device, from the call to arrays on the heap: the levels of one search, the distances of many, and sums over
 * all vertices.
 *
 * <p>{@link io.proxima.backend.cuda.run.CudaGraph} is a graph on one device, {@link
 * io.proxima.backend.cuda.run.GroupGraph} a graph on several. The group chooses a device for each run, or shares the
 * sources of a run among all: {@code SourceRanges} deals them, {@code FarnessSums} and {@code GroupDistances} merge the
 * results, and {@code DeviceSums} and {@code DeviceBatches} are the parts of one device.
 */
package io.proxima.backend.cuda.run;
