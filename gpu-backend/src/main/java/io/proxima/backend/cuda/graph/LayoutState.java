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
package io.proxima.backend.cuda.graph;

import java.util.Map;
import java.util.Set;

/**
 * What is known of a graph on a device before a run.
 *
 * @param isThere whether it has a layout that the run would take
 * @param ordered whether that is not the projection's order
 * @param symmetric whether it was known to be when the layout was made
 * @param mayBeSaved whether slice sets that were saved may be copied rather than built
 * @param figures what the making of its structures has told
 * @param findings what runs have found out
 * @param structures that lie on the device
 * @param refused spare structures for which there was too little memory, and is no more now
 * @param bytesInUse bytes of the structures that no other run could have now
 */
public record LayoutState(
        boolean isThere,
        boolean ordered,
        boolean symmetric,
        boolean mayBeSaved,
        Map<GraphSizes.Figure, Long> figures,
        Findings findings,
        Set<DeviceStructure<?>> structures,
        Set<DeviceStructure<?>> refused,
        long bytesInUse) {

    /** Of a graph that was never there. */
    public static LayoutState nowhere(boolean symmetric, boolean mayBeSaved) {
        return new LayoutState(false, false, symmetric, mayBeSaved, Map.of(), new Findings(), Set.of(), Set.of(), 0);
    }

    /** Whether all of these structures are resident. */
    public boolean has(Set<DeviceStructure<?>> asked) {
        return asked.stream().allMatch(structure -> structures.contains(structure.sharedBy(symmetric)));
    }
}
