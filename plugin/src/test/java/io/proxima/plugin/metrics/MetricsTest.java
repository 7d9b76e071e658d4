// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.metrics;

import static io.proxima.plugin.TestDbms.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.plugin.TestDbms;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.management.InstanceAlreadyExistsException;
import javax.management.JMX;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MetricsTest {

    private static final String PLATFORM = "io.proxima:*";

    private final MBeanServer beans = MBeanServerFactory.newMBeanServer();

    @BeforeEach
    void clear() {
        TestDbms.clear();
    }

    @BeforeEach
    void register() throws Exception {
        Metrics.register(beans, List::of);
        assertThat(names()).hasSize(4);
    }

    @Test
    void shouldLeaveNothingWhenOneNameIsTaken() throws Exception {
        MBeanServer other = MBeanServerFactory.newMBeanServer();
        ObjectName taken = new ObjectName("io.proxima:type=Writes");
        other.createMBean("javax.management.timer.Timer", taken);
        assertThatThrownBy(() -> Metrics.register(other, List::of)).isInstanceOf(InstanceAlreadyExistsException.class);
        assertThat(other.queryNames(new ObjectName(PLATFORM), null)).containsExactly(taken);
        other.unregisterMBean(taken);
        Metrics.register(other, List::of);
        assertThat(other.queryNames(new ObjectName(PLATFORM), null)).hasSize(4);
    }

    @Test
    void shouldBeReadOnlyAndReadableInEveryAttribute() throws Exception {
        for (ObjectName name : names()) {
            assertThat(beans.getMBeanInfo(name).getOperations()).as("%s", name).isEmpty();
            for (MBeanAttributeInfo attribute : beans.getMBeanInfo(name).getAttributes()) {
                assertThat(attribute.isWritable())
                        .as("%s of %s", attribute, name)
                        .isFalse();
                assertThat(beans.getAttribute(name, attribute.getName()))
                        .as("%s of %s", attribute, name)
                        .isNotNull();
            }
        }
    }

    @Test
    void shouldTellWhatRunsHaveDone() throws Exception {
        GraphsMXBean graphs = bean("Graphs", GraphsMXBean.class);
        JobsMXBean jobs = bean("Jobs", JobsMXBean.class);
        WritesMXBean writes = bean("Writes", WritesMXBean.class);
        run("CREATE (:N {i: 0})-[:R]->(:N {i: 1})");
        run("CALL proxima.graph.project('g', 'N', 'R')");
        assertThat(graphs.getGraphCount()).isEqualTo(1);
        assertThat(graphs.getHeapBytes())
                .isEqualTo(run("CALL proxima.graph.list() YIELD sizeInBytes")
                        .get(0)
                        .get("sizeInBytes"));
        assertThat(graphs.getResidentGraphCount()).isZero();
        assertThat(graphs.getDeviceBytes()).isZero();
        assertThat(graphs.getMappedBytes()).isZero();

        long finished = jobs.getFinishedCount();
        long failed = jobs.getFailedCount();
        long written = writes.getPropertiesWritten();
        long batches = writes.getBatches();
        run("MATCH (s {i: 0}) CALL proxima.bfs.write('g', {sourceNode: s, writeProperty: 'hops'})"
                + " YIELD nodePropertiesWritten RETURN *");
        assertThatThrownBy(() -> run("CALL proxima.closeness.stream('g', {nodeLabels: ['Nope']})"));
        assertThat(jobs.getFinishedCount()).isEqualTo(finished + 1);
        assertThat(jobs.getFailedCount()).isEqualTo(failed + 1);
        assertThat(jobs.getByName()).containsKeys("BFS", "Closeness", "Graph Projection");
        assertThat(jobs.getByName().get("BFS").finishedCount()).isPositive();
        assertThat(jobs.getRunningCount()).isZero();
        assertThat(jobs.getRunningHeapBytes()).isZero();
        assertThat(writes.getPropertiesWritten()).isEqualTo(written + 2);
        assertThat(writes.getBatches()).isEqualTo(batches + 1);
        run("CALL proxima.graph.drop('g')");
        assertThat(graphs.getGraphCount()).isZero();
    }

    @Test
    void shouldBeThereOnceForAllServersOfThisJvm(@TempDir Path home) throws Exception {
        try (TestDbms.Other second = TestDbms.Other.open(home, Map.of())) {
            MBeanServer platform = java.lang.management.ManagementFactory.getPlatformMBeanServer();
            assertThat(platform.queryNames(new ObjectName(PLATFORM), null)).hasSize(4);
            assertThat(second).isNotNull();
        }
    }

    private Set<ObjectName> names() throws Exception {
        return beans.queryNames(new ObjectName(PLATFORM), null);
    }

    private <T> T bean(String type, Class<T> shape) throws Exception {
        return JMX.newMXBeanProxy(beans, new ObjectName("io.proxima:type=" + type), shape);
    }
}
