"""The analysis of analysis.cypher in Python, with the neo4j driver and pandas.

Not run by the build of Proxima. Environment: NEO4J_URI (default neo4j://localhost:7687), NEO4J_USER (default neo4j),
NEO4J_PASSWORD.
"""

import os
from pathlib import Path

import pandas as pd
from neo4j import GraphDatabase, Result

HERE = Path(__file__).parent


def frame(driver, query, **parameters):
    """The rows of a query as a DataFrame."""
    return driver.execute_query(query, parameters, result_transformer_=Result.to_df)


def load(driver):
    driver.execute_query("CREATE CONSTRAINT family_name IF NOT EXISTS FOR (f:Family) REQUIRE f.name IS UNIQUE")
    driver.execute_query(
        "UNWIND $rows AS row CREATE (:Family {name: row.name, wealth: row.wealth})",
        rows=pd.read_csv(HERE / "families.csv").to_dict("records"),
    )
    for table, tie in [("marriages.csv", "MARRIAGE"), ("business.csv", "BUSINESS")]:
        driver.execute_query(
            "UNWIND $rows AS row MATCH (a:Family {name: row.family}), (b:Family {name: row.other}) "
            f"CREATE (a)-[:{tie}]->(b)",
            rows=pd.read_csv(HERE / table).to_dict("records"),
        )


def project(driver, graph, label, ties):
    driver.execute_query(
        "CALL proxima.graph.project($graph, $label, $ties)",
        graph=graph,
        label=label,
        ties={tie: {"orientation": "UNDIRECTED"} for tie in ties},
    )


def closeness(driver, graph, ties):
    """The closeness of each family, by name."""
    rows = frame(
        driver,
        "CALL proxima.closeness.stream($graph, {relationshipTypes: $ties, useWassermanFaust: true}) "
        "YIELD nodeId, score "
        "RETURN proxima.util.asNode(nodeId).name AS family, score",
        graph=graph,
        ties=ties,
    )
    return rows.set_index("family")["score"]


def main():
    uri = os.environ.get("NEO4J_URI", "neo4j://localhost:7687")
    auth = (os.environ.get("NEO4J_USER", "neo4j"), os.environ["NEO4J_PASSWORD"])
    with GraphDatabase.driver(uri, auth=auth) as driver:
        load(driver)
        project(driver, "florence", "Family", ["MARRIAGE", "BUSINESS"])
        families = frame(driver, "MATCH (f:Family) RETURN f.name AS family, f.wealth AS wealth").set_index("family")
        families["by marriage"] = closeness(driver, "florence", ["MARRIAGE"])
        families["by both"] = closeness(driver, "florence", ["MARRIAGE", "BUSINESS"])

        driver.execute_query("MATCH (f:Family) WHERE f.name <> 'Medici' SET f:Other")
        project(driver, "without-medici", "Other", ["MARRIAGE"])
        families["without Medici"] = closeness(driver, "without-medici", ["MARRIAGE"])

        print(families.sort_values("by marriage", ascending=False).round(3))
        print("Correlation of closeness and wealth:", round(families["by marriage"].corr(families["wealth"]), 2))

        for graph in ["florence", "without-medici"]:
            driver.execute_query("CALL proxima.graph.drop($graph)", graph=graph)


if __name__ == "__main__":
    main()
