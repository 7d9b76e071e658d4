// The marriages of Florence's leading families around 1430: who was in the middle, was it a matter of wealth, and what would
// Florence have been without the Medici? README.md says how to run this script; output.txt has its output.

// Load the families, their net wealth in 1427 (thousands of lire), and their ties.
CREATE CONSTRAINT family_name IF NOT EXISTS FOR (f:Family) REQUIRE f.name IS UNIQUE;
LOAD CSV WITH HEADERS FROM 'file:///families.csv' AS line
CREATE (:Family {name: line.name, wealth: toInteger(line.wealth)});
LOAD CSV WITH HEADERS FROM 'file:///marriages.csv' AS line
MATCH (a:Family {name: line.family}), (b:Family {name: line.other})
CREATE (a)-[:MARRIAGE]->(b);
LOAD CSV WITH HEADERS FROM 'file:///business.csv' AS line
MATCH (a:Family {name: line.family}), (b:Family {name: line.other})
CREATE (a)-[:BUSINESS]->(b);

// Project both types of ties. A tie has no direction.
CALL proxima.graph.project('florence', 'Family',
  {MARRIAGE: {orientation: 'UNDIRECTED'}, BUSINESS: {orientation: 'UNDIRECTED'}})
YIELD graphName, nodeCount, relationshipCount
RETURN graphName, nodeCount, relationshipCount;

// Who was in the middle? Closeness by marriages only. The formula of Wasserman and Faust compares families of parts that are
// not connected: the Pucci have no marriage with the others.
CALL proxima.closeness.write('florence',
  {relationshipTypes: ['MARRIAGE'], useWassermanFaust: true, writeProperty: 'closeness'})
YIELD nodePropertiesWritten
RETURN nodePropertiesWritten;
MATCH (f:Family)
RETURN f.name AS family, round(f.closeness, 3) AS closeness, f.wealth AS wealth
ORDER BY closeness DESC, family;

// Was it wealth? The correlation of closeness and wealth (Pearson).
MATCH (f:Family)
WITH avg(f.closeness) AS meanCloseness, avg(f.wealth) AS meanWealth,
     stDevP(f.closeness) AS deviationOfCloseness, stDevP(f.wealth) AS deviationOfWealth
MATCH (f:Family)
WITH avg((f.closeness - meanCloseness) * (f.wealth - meanWealth)) AS covariance,
     deviationOfCloseness, deviationOfWealth
RETURN round(covariance / (deviationOfCloseness * deviationOfWealth), 2) AS correlation;

// Do ties of business change the order? Both types of ties together.
CALL proxima.closeness.stream('florence', {useWassermanFaust: true})
YIELD nodeId, score
WITH proxima.util.asNode(nodeId) AS f, score
RETURN f.name AS family, round(f.closeness, 3) AS byMarriage, round(score, 3) AS byBoth
ORDER BY byBoth DESC, family LIMIT 5;

// Florence without the Medici: a label for the others, and a graph of their marriages.
MATCH (f:Family) WHERE f.name <> 'Medici' SET f:Other;
CALL proxima.graph.project('without-medici', 'Other', {MARRIAGE: {orientation: 'UNDIRECTED'}})
YIELD graphName, nodeCount, relationshipCount
RETURN graphName, nodeCount, relationshipCount;
CALL proxima.closeness.stream('without-medici', {useWassermanFaust: true})
YIELD nodeId, score
WITH proxima.util.asNode(nodeId) AS f, score
RETURN f.name AS family, round(f.closeness, 3) AS before, round(score, 3) AS after
ORDER BY after DESC, family;

// Free the memory.
CALL proxima.graph.drop('florence') YIELD graphName RETURN graphName;
CALL proxima.graph.drop('without-medici') YIELD graphName RETURN graphName;
