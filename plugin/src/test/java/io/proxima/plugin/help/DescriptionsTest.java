// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.help;

import static io.proxima.plugin.TestDbms.run;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * What SHOW PROCEDURES and SHOW FUNCTIONS tell people; it-tests compare it, as a server gives it, with a golden file.
 */
class DescriptionsTest {

    private static final String PROCEDURES = "SHOW PROCEDURES YIELD name, mode, signature, description,"
            + " argumentDescription, returnDescription WHERE name STARTS WITH 'proxima.'"
            + " RETURN mode, signature, description, argumentDescription + returnDescription AS fields ORDER BY name";
    private static final String FUNCTIONS = "SHOW FUNCTIONS YIELD name, signature, description, argumentDescription"
            + " WHERE name STARTS WITH 'proxima.' RETURN 'FUNCTION' AS mode, signature, description,"
            + " argumentDescription AS fields ORDER BY name";

    @Test
    void shouldDescribeEveryProcedureArgumentAndColumn() {
        for (Map<String, Object> row : all()) {
            assertThat((String) row.get("description"))
                    .as("%s", row.get("signature"))
                    .endsWith(".");
            for (Object field : (List<?>) row.get("fields")) {
                Map<?, ?> described = (Map<?, ?>) field;
                // Neo4j shows "name :: TYPE" where no description was given
                assertThat((String) described.get("description"))
                        .as("%s of %s", described.get("name"), row.get("signature"))
                        .isNotBlank()
                        .doesNotContain(" :: ANY")
                        .doesNotStartWith(described.get("name") + " ::");
            }
        }
    }

    private static List<Map<String, Object>> all() {
        List<Map<String, Object>> rows = run(PROCEDURES);
        rows.addAll(run(FUNCTIONS));
        return rows;
    }
}
