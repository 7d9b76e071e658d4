import java.util.Map;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;

/**
 * Writes the results of Proxima's ClosenessJob to the nodes of a Neo4j database, with the Neo4j connector for Spark.
 *
 * <p>Arguments: the folder rows of the job, the address of the server (bolt://...), its user and password.
 */
public final class WriteBack {

    private WriteBack() {}

    public static void main(String[] arguments) {
        SparkSession spark = SparkSession.builder().appName("write back").getOrCreate();
        spark.read()
                .parquet(arguments[0])
                .selectExpr("elementId", "closeness")
                // one task writes: several would wait for each other's locks on dense nodes
                .coalesce(1)
                .write()
                .format("org.neo4j.spark.DataSource")
                .mode(SaveMode.Append)
                .options(Map.of(
                        "url", arguments[1],
                        "authentication.basic.username", arguments[2],
                        "authentication.basic.password", arguments[3],
                        "query", "MATCH (n) WHERE elementId(n) = event.elementId SET n.sparkCloseness = event.closeness"))
                .save();
        spark.stop();
    }
}
