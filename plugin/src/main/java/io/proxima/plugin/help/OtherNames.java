// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.help;

import io.proxima.plugin.config.SimilarNames;
import io.proxima.plugin.help.HelpProcedure.HelpRow;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/** What to call instead of procedures that users of GDS and APOC look for, and Proxima does not have by that name. */
final class OtherNames {

    private static final String MANUAL = "docs/modules/ROOT/pages/migration-from-gds.adoc";

    private static final String QUESTIONS = "docs/modules/ROOT/pages/which-procedure.adoc";

    private static final String NOT_FOUND = "No procedure or function has this text in its name";
    private static final String LISTS_ALL =
            ". `proxima.help()` lists all, and the page of the manual leads from a question to a procedure.";

    /** A namespace in front, and a mode behind, which do not matter. */
    private static final String AROUND =
            "^(proxima|gds|apoc)\\.((alpha|beta|algo|path)\\.)?|\\.(stream|stats|mutate|write)(\\.estimate)?$";

    private static final String PATHS =
            "`proxima.allShortestPaths.delta.stream` returns the path from one node to each other.";
    private static final String PATH = "`proxima.shortestPath.stream` returns the shortest paths between nodes, by"
            + " relationships or by weights.";
    private static final String AROUND_A_NODE =
            "`proxima.bfs.stream` with `maxDepth` returns the nodes around a node, each with its distance.";

    /**
     * An answer to a search for a name.
     *
     * @param name in lower case, without namespace and mode
     */
    private record Answer(String name, String answer) {}

    private static final List<Answer> ANSWERS = List.of(
            new Answer("shortestpath.dijkstra", PATH),
            new Answer("shortestpath.astar", PATH),
            new Answer(
                    "shortestpath.yens",
                    PATH
                            + " `paths: 'all'` returns those of equal cost only. Cypher's `SHORTEST k` returns the k shortest"
                            + " ones by hops, and GDS has `gds.shortestPath.yens`."),
            new Answer("allshortestpaths.dijkstra", PATHS),
            new Answer("dijkstra", PATH),
            new Answer("astar", PATH),
            new Answer("allshortestpaths", "`proxima.distances.stream` returns the distances between any nodes."),
            new Answer("subgraphnodes", AROUND_A_NODE),
            new Answer("expandconfig", AROUND_A_NODE),
            new Answer("project", "`proxima.graph.project` projects a graph."),
            new Answer("graph.create", "`proxima.graph.project` projects a graph."),
            new Answer("graph.project.cypher", "The function `proxima.graph.project` projects the rows of a query."),
            new Answer("drop", "`proxima.graph.drop` drops graphs."),
            new Answer("graph.streamnodeproperty", "`proxima.graph.nodeProperty.stream` streams a property."),
            new Answer("connectedcomponents", "`proxima.wcc` finds weakly connected components."),
            new Answer("unionfind", "`proxima.wcc` finds weakly connected components."),
            new Answer("diameter", "`proxima.eccentricity.stats` returns diameter and radius."),
            new Answer("radius", "`proxima.eccentricity.stats` returns diameter and radius."),
            new Answer("neighbourhood", AROUND_A_NODE),
            new Answer("neighborhood", AROUND_A_NODE),
            new Answer(
                    "kill",
                    "Neo4j's `TERMINATE TRANSACTION` stops a call. `proxima.listProgress` lists the running ones."),
            new Answer("delete", "`proxima.graph.drop` drops graphs."),
            new Answer(
                    "centrality", "`proxima.closeness`, `proxima.betweenness` and `proxima.eccentricity` rate nodes."),
            new Answer("degree", "`proxima.graph.list` has the distribution of degrees. " + inGds("degree")));

    private static final String IN_GDS = "pageRank articleRank eigenvector louvain leiden labelPropagation scc"
            + " triangleCount localClusteringCoefficient kcore nodeSimilarity knn fastRP node2vec dfs randomWalk"
            + " spanningTree";

    private OtherNames() {}

    private static String inGds(String name) {
        return "Proxima does not have it. GDS has `gds." + name + "`, and runs in the same server.";
    }

    /**
     * The answers to a search.
     *
     * @param searched a name or a part of it, in lower case
     * @param words the words of all names if nothing else is found, so that parts of names are answered too; else empty
     */
    static Stream<HelpRow> answers(String searched, Set<String> words) {
        boolean isUnknown = !words.isEmpty();
        String wanted = searched.replaceAll(AROUND, "");
        Stream<Answer> inGds =
                Stream.of(IN_GDS.split(" ", -1)).map(name -> new Answer(name.toLowerCase(Locale.ROOT), inGds(name)));
        List<Answer> answers = Stream.concat(ANSWERS.stream(), inGds)
                .filter(answer ->
                        answer.name.equals(wanted) || (isUnknown && !wanted.isEmpty() && answer.name.contains(wanted)))
                .toList();
        return answers.isEmpty() && isUnknown
                ? Stream.of(new HelpRow(
                        "hint",
                        searched,
                        NOT_FOUND + SimilarNames.hint(wanted, words) + LISTS_ALL,
                        "",
                        List.of(),
                        "CALL proxima.help()",
                        QUESTIONS))
                : answers.stream()
                        .map(answer -> new HelpRow("hint", answer.name, answer.answer, "", List.of(), "", MANUAL));
    }
}
