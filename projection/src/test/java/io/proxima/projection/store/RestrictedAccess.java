// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.store;

import static org.neo4j.configuration.GraphDatabaseSettings.DEFAULT_DATABASE_NAME;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import org.neo4j.internal.kernel.api.connectioninfo.ClientConnectionInfo;
import org.neo4j.internal.kernel.api.security.AccessMode;
import org.neo4j.internal.kernel.api.security.AuthSubject;
import org.neo4j.internal.kernel.api.security.SecurityContext;

/** Access modes that differ from another one in some rights, as those of roles of the enterprise edition do. */
public final class RestrictedAccess {

    /** In place of a token: whether all are allowed. */
    private static final int ANY = -1;

    private RestrictedAccess() {}

    /** Answers the questions to a mode or another object; null for the answer of the object itself. */
    public interface Answers {
        Object answer(String method, Object... given);
    }

    /** A mode with other answers to some questions. */
    public static AccessMode changed(AccessMode mode, Answers answers) {
        return changed(AccessMode.class, mode, answers);
    }

    /** An object with other answers to some questions. */
    public static <T> T changed(Class<T> type, T object, Answers answers) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, given) -> {
                    Object answer = answers.answer(method.getName(), given);
                    try {
                        return answer == null ? method.invoke(object, given) : answer;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    /** A user who may read what is left of the mode READ. */
    static SecurityContext reader(Answers answers) {
        return new SecurityContext(
                AuthSubject.ANONYMOUS,
                changed(AccessMode.Static.READ, answers),
                ClientConnectionInfo.EMBEDDED_CONNECTION,
                DEFAULT_DATABASE_NAME);
    }

    /** Hides the nodes with a label and the relationships of a type. */
    public static Answers hiding(int label, int type) {
        return (method, given) -> switch (method) {
            case "allowsTraverseAllLabels", "allowsTraverseAllRelTypes", "allowsTraverseAllNodesWithLabel" -> false;
            case "disallowsTraverseLabel" -> (int) given[0] == label;
            case "allowsTraverseNode" ->
                Arrays.stream((int[]) given[0]).noneMatch(borne -> borne == label || borne == ANY);
            case "allowsTraverseRelType" -> (int) given[0] != type && (int) given[0] != ANY;
            case "disallowsTraverseRelType" -> (int) given[0] == type;
            default -> null;
        };
    }
}
