// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0

// Reads the result of a query as rows or as columns, and prints the milliseconds. Arguments: URI of the server,
// password, "rows" or "columns", query. See the class TableTransfers.
import { tableFromIPC } from "apache-arrow";
import neo4j from "neo4j-driver";

const [uri, password, form, query] = process.argv.slice(2);
const driver = neo4j.driver(uri, neo4j.auth.basic("neo4j", password), { disableLosslessIntegers: true });
const session = driver.session({ fetchSize: form === "rows" ? 1000 : 16 });
try {
  await session.run("RETURN 1");
  const start = performance.now();
  const values = [];
  for await (const record of session.run(query)) {
    values.push(form === "rows" ? record.get(1) : record.get(0));
  }
  if (form === "columns") {
    tableFromIPC(Buffer.concat(values.map((part) => Buffer.from(part.buffer, part.byteOffset, part.length))));
  }
  console.log(performance.now() - start);
} finally {
  await driver.close();
}
