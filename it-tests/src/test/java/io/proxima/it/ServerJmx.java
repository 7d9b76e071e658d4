// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import io.proxima.it.server.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** A server's JVM as jconsole sees it. */
public final class ServerJmx implements AutoCloseable {

    private final JMXConnector connector;
    private final MBeanServerConnection beans;

    @SuppressWarnings("BanJNDI") // the address is that of a process of this test on this host
    public ServerJmx(ServerProcess server) {
        try {
            VirtualMachine machine = VirtualMachine.attach(String.valueOf(server.pid()));
            try {
                connector = JMXConnectorFactory.connect(new JMXServiceURL(machine.startLocalManagementAgent()));
                beans = connector.getMBeanServerConnection();
            } finally {
                machine.detach();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (AttachNotSupportedException e) {
            throw new IllegalStateException(e);
        }
    }

    public MBeanServerConnection beans() {
        return beans;
    }

    /** An attribute of one of Proxima's beans. */
    public Object attribute(String type, String attribute) throws JMException, IOException {
        return beans.getAttribute(new ObjectName("io.proxima:type=" + type), attribute);
    }

    @Override
    public void close() {
        Unchecked.run(connector::close);
    }
}
