// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.neo4j.internal.kernel.api.connectioninfo.ClientConnectionInfo;
import org.neo4j.internal.kernel.api.security.AccessMode;
import org.neo4j.internal.kernel.api.security.AdminAccessMode;
import org.neo4j.internal.kernel.api.security.AuthSubject;
import org.neo4j.internal.kernel.api.security.AuthenticationResult;
import org.neo4j.internal.kernel.api.security.PermissionState;
import org.neo4j.internal.kernel.api.security.SecurityContext;
import org.neo4j.kernel.api.KernelTransaction;
import org.neo4j.kernel.impl.coreapi.InternalTransaction;

/** Users of the test database: each is a name and an access mode, set on the transaction as the server would set it. */
public final class TestUsers {

    private TestUsers() {}

    /** An administrator. */
    public static SecurityContext admin(String name) {
        return user(name, AccessMode.Static.FULL, Set.of("admin"));
    }

    /** A user with some rights. */
    public static SecurityContext user(String name, AccessMode mode, Set<String> roles) {
        return new WithRoles(new User(name), mode, roles);
    }

    /** Runs a query without parameters. */
    public static List<Map<String, Object>> run(SecurityContext user, String query) {
        return run(user, query, Map.of());
    }

    /** Runs a query in a transaction of a user and returns all rows. */
    public static List<Map<String, Object>> run(SecurityContext user, String query, Map<String, Object> parameters) {
        try (InternalTransaction transaction = begin(user)) {
            List<Map<String, Object>> rows = TestDbms.rows(transaction.execute(query, parameters));
            transaction.commit();
            return rows;
        }
    }

    /** Begins a transaction of a user. */
    public static InternalTransaction begin(SecurityContext user) {
        return TestDbms.database().beginTransaction(KernelTransaction.Type.EXPLICIT, user);
    }

    private record User(String name) implements AuthSubject {
        @Override
        public AuthenticationResult getAuthenticationResult() {
            return AuthenticationResult.SUCCESS;
        }

        @Override
        public boolean hasUsername(String username) {
            return name.equals(username);
        }

        @Override
        public String executingUser() {
            return name;
        }
    }

    private static final class WithRoles extends SecurityContext {
        private final Set<String> roles;

        WithRoles(AuthSubject subject, AccessMode mode, Set<String> roles) {
            super(subject, mode, ClientConnectionInfo.EMBEDDED_CONNECTION, "neo4j");
            this.roles = roles;
        }

        @Override
        public Set<String> roles() {
            return roles;
        }

        @Override
        public PermissionState allowExecuteAdminProcedure(int procedureId) {
            return PermissionState.fromAllowList(roles.contains("admin"));
        }

        @Override
        public SecurityContext withMode(AccessMode other) {
            return new WithRoles(subject(), other, roles);
        }

        @Override
        public SecurityContext withMode(AdminAccessMode other) {
            return this;
        }
    }
}
