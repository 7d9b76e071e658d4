// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.catalog;

import org.neo4j.graphdb.GraphDatabaseService;
import org.neo4j.graphdb.Label;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.Transaction;

/** The users in the database {@code system}, which every server of a cluster has. */
public final class SystemUsers {

    static final Label USER = Label.label("User");
    static final String NAME = "name";

    private SystemUsers() {}

    /**
     * The id of the present user of a name. A user who is dropped and created again has another one.
     *
     * @param system the database {@code system}
     * @return empty if there is no such user, for example because an external identity provider knows it
     */
    public static String idOf(GraphDatabaseService system, String name) {
        try (Transaction transaction = system.beginTx()) {
            Node user = transaction.findNode(USER, NAME, name);
            return user == null ? "" : String.valueOf(user.getProperty("id", ""));
        }
    }
}
