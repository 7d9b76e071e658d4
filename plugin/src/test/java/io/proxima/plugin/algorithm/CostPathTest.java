// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.plugin.TestDbms;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.Path;
import org.neo4j.graphdb.Relationship;
import org.neo4j.graphdb.RelationshipType;

class CostPathTest {

    @Test
    void shouldBehaveAsARelationshipThatCannotBeChanged() {
        TestDbms.clear();
        TestDbms.run("CREATE (:N), (:N)");
        try (var transaction = TestDbms.database().beginTx()) {
            List<Node> nodes =
                    transaction.findNodes(() -> "N").stream().limit(2).toList();
            Relationship step = new PathStep(-1, RelationshipType.withName("PATH_3"), nodes.get(0), nodes.get(1), 2.5);
            Path path = new CostPath(nodes, List.of(step));
            assertThat(path.reverseRelationships()).containsExactly(step);
            assertThat(path.reverseNodes()).containsExactly(nodes.get(1), nodes.get(0));
            assertThat(path).containsExactly(nodes.get(0), step, nodes.get(1));
            assertThat(path.lastRelationship()).isSameAs(step);
            assertThat(new CostPath(nodes.subList(0, 1), List.of()).lastRelationship())
                    .isNull();
            assertThat(step.getNodes()).containsExactly(nodes.get(0), nodes.get(1));
            assertThat(step.getOtherNode(nodes.get(0))).isEqualTo(nodes.get(1));
            assertThat(step.getOtherNode(nodes.get(1))).isEqualTo(nodes.get(0));
            assertThat(step.getElementId()).isEqualTo("-1");
            assertThat(step.isType(() -> "PATH_3")).isTrue();
            assertThat(step.getAllProperties()).isEqualTo(Map.of("cost", 2.5));
            assertThat(step.getProperties("cost")).isEqualTo(Map.of("cost", 2.5));
            assertThat(step.getProperty("km", "none")).isEqualTo("none");
            assertThatThrownBy(() -> step.getProperty("km")).hasMessageContaining("km");
            assertThatThrownBy(step::delete).isInstanceOf(UnsupportedOperationException.class);
            assertThatThrownBy(() -> step.setProperty("cost", 1)).isInstanceOf(UnsupportedOperationException.class);
            assertThatThrownBy(() -> step.removeProperty("cost")).isInstanceOf(UnsupportedOperationException.class);
        }
    }
}
