// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0

// Reads a table of the graph 'g', prints its columns as JSON, and loads one with other values as the properties
// 'doubled' and 'list'. Arguments: URI of the server, password.
import { Table, tableFromIPC, tableToIPC, vectorFromArray, Field, Float64, Int64, List } from "apache-arrow";
import neo4j from "neo4j-driver";

const [uri, password] = process.argv.slice(2);
const driver = neo4j.driver(uri, neo4j.auth.basic("neo4j", password), { useBigInt: true, fetchSize: 16 });

function bytesOf(records) {
  const parts = records.map((record) => record.get("arrow"));
  return Buffer.concat(parts.map((part) => Buffer.from(part.buffer, part.byteOffset, part.length)));
}

function columnsOf(table) {
  const columns = {};
  for (const { name } of table.schema.fields) {
    columns[name] = Array.from(table.getChild(name), (value) =>
      typeof value === "bigint" ? Number(value) : (value?.toJSON?.() ?? value),
    );
  }
  return columns;
}

try {
  const properties = await driver.executeQuery(
    "CALL proxima.graph.nodeProperties.arrow('g', ['hops', 'score'], {key: 'name', batchSize: 2})",
  );
  const ids = tableFromIPC(
    bytesOf((await driver.executeQuery("CALL proxima.graph.nodeProperties.arrow('g', 'score')")).records),
  );
  const pairs = await driver.executeQuery(
    "MATCH (n {name: 'n0'}) CALL proxima.distances.arrow('g', {sourceNodes: n}) YIELD arrow RETURN arrow",
  );
  console.log(
    JSON.stringify({
      properties: columnsOf(tableFromIPC(bytesOf(properties.records))),
      distance: columnsOf(tableFromIPC(bytesOf(pairs.records))).distance,
    }),
  );
  const scores = Array.from(ids.getChild("score"));
  const table = new Table({
    nodeId: vectorFromArray(Array.from(ids.getChild("nodeId")), new Int64()),
    doubled: vectorFromArray(
      scores.map((score) => (score === null ? null : 2 * score)),
      new Float64(),
    ),
    list: vectorFromArray(
      scores.map((score, row) => (score === null ? null : [score, row])),
      new List(new Field("item", new Float64())),
    ),
  });
  const bytes = tableToIPC(table, "stream");
  await driver.executeQuery("CALL proxima.graph.nodeProperties.load('g', $bytes)", {
    bytes: new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length),
  });
} finally {
  await driver.close();
}
