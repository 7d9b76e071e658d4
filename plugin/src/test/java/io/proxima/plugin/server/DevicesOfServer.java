// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.server;

import io.proxima.backend.BackendSettings;
import io.proxima.backend.select.TraversalBackends;
import io.proxima.plugin.TestDbms;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import org.neo4j.collection.Dependencies;
import org.neo4j.configuration.Config;
import org.neo4j.io.pagecache.PageCache;
import org.neo4j.kernel.internal.GraphDatabaseAPI;
import org.neo4j.kernel.lifecycle.Lifecycle;
import org.neo4j.logging.internal.LogService;
import org.neo4j.logging.internal.NullLogService;

/** The database of the tests as a server with other backends would have it, until this is closed. */
public final class DevicesOfServer implements AutoCloseable {

    private final Dependencies components = new Dependencies(TestDbms.database().getDependencyResolver());
    private final Lifecycle server;

    /** A server with these backends, which it closes. */
    public DevicesOfServer(TraversalBackends backends) throws Exception {
        server = components.satisfyDependency(new ServerExtension(new ServerExtension.Backends() {
                    @Override
                    TraversalBackends open(BackendSettings settings) {
                        return backends;
                    }
                })
                .newInstance(null, dependencies()));
        server.init();
    }

    /** The database, to whose callers the server has these backends. */
    public GraphDatabaseAPI database() {
        return (GraphDatabaseAPI) Proxy.newProxyInstance(
                DevicesOfServer.class.getClassLoader(),
                new Class<?>[] {GraphDatabaseAPI.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("getDependencyResolver")) {
                        return components;
                    }
                    try {
                        return method.invoke(TestDbms.database(), arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Override
    public void close() {
        try {
            server.shutdown();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static ServerExtension.Dependencies dependencies() {
        return new ServerExtension.Dependencies() {
            @Override
            public Config config() {
                return TestDbms.component(Config.class);
            }

            @Override
            public LogService logService() {
                return NullLogService.getInstance();
            }

            @Override
            public PageCache pageCache() {
                return TestDbms.component(PageCache.class);
            }
        };
    }
}
