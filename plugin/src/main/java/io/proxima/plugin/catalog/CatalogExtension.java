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
package io.proxima.plugin.catalog;

import java.util.UUID;
import org.neo4j.kernel.extension.ExtensionFactory;
import org.neo4j.kernel.extension.ExtensionType;
import org.neo4j.kernel.extension.context.ExtensionContext;
import org.neo4j.kernel.internal.GraphDatabaseAPI;
import org.neo4j.kernel.lifecycle.Lifecycle;
import org.neo4j.kernel.lifecycle.LifecycleAdapter;

/** Frees the graphs of a database that stops, be it alone, before it is dropped, or with the whole server. */
public final class CatalogExtension extends ExtensionFactory<CatalogExtension.Dependencies> {

    /** What Neo4j injects. */
    public interface Dependencies {
        /** The database that the extension belongs to. */
        GraphDatabaseAPI graphDatabaseAPI();
    }

    /** For the service loader. */
    public CatalogExtension() {
        super(ExtensionType.DATABASE, "proxima-catalog");
    }

    @Override
    public Lifecycle newInstance(ExtensionContext context, Dependencies dependencies) {
        UUID database =
                dependencies.graphDatabaseAPI().databaseId().databaseId().uuid();
        return new LifecycleAdapter() {
            @Override
            public void stop() {
                GraphCatalog.dropDatabase(database);
            }
        };
    }
}
