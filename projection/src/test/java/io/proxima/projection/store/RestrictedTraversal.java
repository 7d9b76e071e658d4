// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.store;

import java.lang.reflect.Proxy;
import java.util.Arrays;
import org.neo4j.internal.kernel.api.security.AccessMode;

/**
 * The rights of a user who may read everything but one label and one relationship type, as an enterprise role would
 * give.
 */
public final class RestrictedTraversal {

    /** In place of a token: whether all are allowed. */
    private static final int ANY = -1;

    private RestrictedTraversal() {}

    static AccessMode hiding(int label, int type) {
        return hiding(label, type, AccessMode.Static.READ);
    }

    /** The rights of {@code rest}, but for nodes with the label and relationships of the type. */
    public static AccessMode hiding(int label, int type, AccessMode rest) {
        return (AccessMode) Proxy.newProxyInstance(
                RestrictedTraversal.class.getClassLoader(),
                new Class<?>[] {AccessMode.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "allowsTraverseAllLabels", "allowsTraverseAllRelTypes", "allowsTraverseAllNodesWithLabel" ->
                        false;
                    case "disallowsTraverseLabel" -> (int) arguments[0] == label;
                    case "allowsTraverseNode" ->
                        Arrays.stream((int[]) arguments[0]).noneMatch(borne -> borne == label || borne == ANY);
                    case "allowsTraverseRelType" -> (int) arguments[0] != type && (int) arguments[0] != ANY;
                    case "disallowsTraverseRelType" -> (int) arguments[0] == type;
                    default -> method.invoke(rest, arguments);
                });
    }
}
