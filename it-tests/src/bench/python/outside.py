#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Proxima authors
# SPDX-License-Identifier: Apache-2.0
"""What analysts do outside of the database, for the class TodayBenchmark: each line of the output has a step, its
milliseconds, and the numbers of its result, separated by tabs.

    outside.py export URI PASSWORD FILE              reads nodes and relationships over Bolt
    outside.py igraph|networkx FILE directed|undirected MEASURES SAMPLE CONNECTED REPETITIONS ONCE LIMIT
    outside.py frame URI PASSWORD rows|columns QUERY reads a result as a DataFrame, and prints only the milliseconds

MEASURES and SAMPLE, ids of nodes, are separated by commas. CONNECTED is the number of nodes that have relationships.
A step is not repeated if it takes longer than ONCE seconds. If the sample shows that all nodes would take longer than
LIMIT seconds, the time of all is calculated from it.
"""
import math
import signal
import sys
from array import array
from time import perf_counter


def say(step, millis, *numbers):
    print(step, "Infinity" if math.isinf(millis) else millis, *numbers, sep="\t", flush=True)


def millis_since(start):
    return 1e3 * (perf_counter() - start)


def peak_bytes():
    """The most memory that this process has had. Linux' getrusage would count what its parent had."""
    with open("/proc/self/status") as status:
        return next(1024 * int(line.split()[1]) for line in status if line.startswith("VmHWM:"))


def connect(uri, password):
    from neo4j import GraphDatabase
    return GraphDatabase.driver(uri, auth=("neo4j", password), notifications_min_severity="OFF")


def export(uri, password, file):
    with connect(uri, password) as driver, driver.session() as session, open(file, "wb") as out:
        session.run("RETURN 1").consume()
        start = perf_counter()
        nodes = array("q", (row[0] for row in session.run("MATCH (n) RETURN id(n) ORDER BY id(n)")))
        ends = array("q")
        for row in session.run("MATCH (a)-->(b) RETURN id(a), id(b)"):
            ends.extend(row)
        say("export", millis_since(start))
        array("q", [len(nodes)]).tofile(out)
        nodes.tofile(out)
        ends.tofile(out)


def read(file):
    """The ids of the nodes, and the positions among them of both ends of each relationship, one after the other."""
    with open(file, "rb") as data:
        content = array("q", data.read())
    nodes = content[1:content[0] + 1]
    position = {node: i for i, node in enumerate(nodes)}
    return nodes, array("q", (position[node] for node in content[content[0] + 1:]))


class Igraph:
    """Scores by position, of all nodes if no others are given."""

    def __init__(self):
        import igraph
        self.library = igraph
        self.graph = None

    def build(self, count, pairs, directed):
        self.graph = None
        self.graph = self.library.Graph(n=count, edges=pairs, directed=directed)
        # parallel relationships would count as several paths
        self.graph.simplify()

    def closeness(self, nodes=None):
        return self.graph.closeness(vertices=nodes, mode="in", normalized=True)

    def harmonic_closeness(self, nodes=None):
        return self.graph.harmonic_centrality(vertices=nodes, mode="in", normalized=True)

    def betweenness(self, sources=None):
        return self.graph.betweenness(directed=self.graph.is_directed(), sources=sources)

    def diameter(self, nodes=None):
        return self.graph.diameter() if nodes is None else max(self.graph.eccentricity(nodes, mode="out"))

    def components(self):
        return len(self.graph.connected_components(mode="weak"))


class Networkx:
    """The same."""

    def __init__(self):
        import networkx
        self.library = networkx
        self.graph = None

    def build(self, count, pairs, directed):
        self.graph = self.library.DiGraph() if directed else self.library.Graph()
        self.graph.add_nodes_from(range(count))
        self.graph.add_edges_from(pairs)

    def closeness(self, nodes=None):
        if nodes is None:
            return list(self.library.closeness_centrality(self.graph, wf_improved=False).values())
        return [self.library.closeness_centrality(self.graph, u=node, wf_improved=False) for node in nodes]

    def harmonic_closeness(self, nodes=None):
        sums = self.library.harmonic_centrality(self.graph, nbunch=nodes)
        others = len(self.graph) - 1
        return [sums[node] / others for node in (self.graph if nodes is None else nodes)]

    def betweenness(self, sources=None):
        if sources is None:
            return list(self.library.betweenness_centrality(self.graph, normalized=False).values())
        self.library.betweenness_centrality(self.graph, k=len(sources), normalized=False, seed=1)

    def diameter(self):
        largest = max(self.library.connected_components(self.graph), key=len)
        return self.library.diameter(self.graph.subgraph(largest).copy(), usebounds=True)

    def components(self):
        if self.graph.is_directed():
            return self.library.number_weakly_connected_components(self.graph)
        return self.library.number_connected_components(self.graph)


class Tool:
    def __init__(self, name, file, direction, measures, sample, connected, repetitions, once, limit):
        self.tool = {"igraph": Igraph, "networkx": Networkx}[name]()
        self.directed = direction == "directed"
        self.nodes, self.ends = read(file)
        chosen = {int(node) for node in sample.split(",")}
        self.sample = [i for i, node in enumerate(self.nodes) if node in chosen]
        self.measures = measures.split(",")
        self.scale = int(connected) / len(self.sample)
        self.repetitions, self.once, self.limit = int(repetitions), 1e3 * float(once), float(limit)

    def run(self):
        self.time(
            "build",
            lambda: self.tool.build(len(self.nodes), zip(self.ends[::2], self.ends[1::2]), self.directed),
        )
        for measure in self.measures:
            of = getattr(self.tool, measure.replace(" ", "_"))
            if measure in ("closeness", "harmonic closeness", "betweenness"):
                # NetworkX copies a directed graph for each node of a sample; the directed ones are small
                if self.directed or not self.exceeds(measure, self.sampled(measure, of)):
                    self.time(measure, of, lambda scores: self.scores(scores, range(len(self.nodes))))
            elif measure == "diameter" and isinstance(self.tool, Igraph):
                millis = self.time(f"eccentricity of {len(self.sample)} nodes", lambda: of(self.sample))
                if not self.exceeds(measure, millis):
                    self.time(measure, of, lambda diameter: [diameter])
            elif measure != "diameter" or not self.directed:
                self.time(measure, of, lambda number: [number])
        say("memory in MB", peak_bytes() / 1e6)

    def sampled(self, measure, of):
        # scores of betweenness from a sample are no scores of its nodes
        numbers = (lambda scores: []) if measure == "betweenness" else (lambda scores: self.scores(scores, self.sample))
        return self.time(f"{measure} of {len(self.sample)} nodes", lambda: of(self.sample), numbers)

    def exceeds(self, measure, millis):
        """Whether all nodes would take too long; says how long."""
        scaled = millis * self.scale
        if scaled > 1e3 * self.limit:
            say(f"{measure}; scaled", scaled)
        return scaled > 1e3 * self.limit

    def time(self, step, work, numbers=lambda result: []):
        """Says how long it takes, each time; returns the least milliseconds."""
        times = []
        while not times or len(times) < self.repetitions and sum(times) < self.once:
            signal.setitimer(signal.ITIMER_REAL, self.limit)
            start = perf_counter()
            try:
                result = work()
            except TimeoutError:
                say(step, math.inf)
                return math.inf
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
            times.append(millis_since(start))
            say(step, times[-1], *numbers(result))
        return min(times)

    def scores(self, scores, positions):
        scores = [0.0 if math.isnan(score) else score for score in scores]
        return [
            math.fsum(scores),
            math.fsum(score * (self.nodes[i] % 9973) for score, i in zip(scores, positions)),
            max(scores),
        ]


def frame(uri, password, form, query):
    import pandas
    import pyarrow
    with connect(uri, password) as driver, driver.session(fetch_size=1000 if form == "rows" else 16) as session:
        session.run("RETURN 1").consume()
        start = perf_counter()
        if form == "rows":
            result = session.run(query).to_df()
        else:
            parts = b"".join(row[0] for row in session.run(query))
            result = pyarrow.ipc.open_stream(parts).read_pandas()
        print(millis_since(start))
        assert isinstance(result, pandas.DataFrame) and len(result) > 0


def stop(number, stack):
    raise TimeoutError


if __name__ == "__main__":
    signal.signal(signal.SIGALRM, stop)
    command, *arguments = sys.argv[1:]
    if command in ("igraph", "networkx"):
        Tool(command, *arguments).run()
    else:
        {"export": export, "frame": frame}[command](*arguments)
