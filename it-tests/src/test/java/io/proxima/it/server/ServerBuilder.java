// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.server;

import io.proxima.it.Unchecked;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How a server is to be started. */
public final class ServerBuilder {

    /** The options that the neo4j.conf of Neo4j 5.26 gives the JVM of every server. */
    private static final List<String> STOCK_OPTIONS = List.of(
            "-XX:+UseG1GC",
            "-XX:-OmitStackTraceInFastThrow",
            "-XX:+AlwaysPreTouch",
            "-XX:+UnlockExperimentalVMOptions",
            "-XX:+TrustFinalNonStaticFields",
            "-XX:+DisableExplicitGC",
            "-Djdk.nio.maxCachedBufferSize=1024",
            "-Dio.netty.tryReflectionSetAccessible=true",
            "-Djdk.tls.ephemeralDHKeySize=2048",
            "-Djdk.tls.rejectClientInitiatedRenegotiation=true",
            "-XX:FlightRecorderOptions=stackdepth=256",
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:+DebugNonSafepoints",
            "--add-opens=java.base/java.nio=ALL-UNNAMED",
            "--add-opens=java.base/java.io=ALL-UNNAMED",
            "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
            "--enable-native-access=ALL-UNNAMED",
            "-Dlog4j2.disable.jmx=true",
            "-Dlog4j.layout.jsonTemplate.maxStringLength=32768");

    private final Installation installation;
    private final Path home;
    private final Map<String, String> settings = new LinkedHashMap<>();
    private final List<Path> plugins = new ArrayList<>();
    private final List<Path> libraries = new ArrayList<>();
    private final List<String> options = new ArrayList<>();
    private String heap = "1g";
    private boolean usualPorts;

    ServerBuilder(Installation installation, Path home) {
        this.installation = installation;
        this.home = home;
        plugins.add(installation.plugin());
        settings.put("server.default_listen_address", "127.0.0.1");
        settings.put("server.https.enabled", "false");
        settings.put("server.memory.pagecache.size", "256m");
        // as the product's own neo4j.conf has it
        settings.put("server.directories.import", "import");
        settings.put("db.tx_log.preallocate", "false");
        settings.put("dbms.usage_report.enabled", "false");
        // without it each stop takes ten seconds
        settings.put("internal.dbms.bolt.netty_server_shutdown_quiet_period", "0");
    }

    /**
     * Adds a line to neo4j.conf.
     *
     * @param name the setting's name
     * @param value its value
     */
    public ServerBuilder setting(String name, String value) {
        settings.put(name, value);
        return this;
    }

    /**
     * Sets the size of the heap, one gibibyte otherwise.
     *
     * @param size as java's option -Xmx takes it
     */
    public ServerBuilder heap(String size) {
        this.heap = size;
        return this;
    }

    /**
     * Leaves out the optimizing compiler of the JVM, which takes half of a start's processor time and pays only in a
     * server that computes for long.
     */
    public ServerBuilder withoutOptimizingCompiler() {
        // without that compiler the JVM reserves a fifth of the usual space for code, which a server fills
        return jvmOption("-XX:TieredStopAtLevel=1")
                .jvmOption("-XX:ReservedCodeCacheSize=240m")
                // to touch a heap of which a test uses little takes a quarter of a start's processor time
                .jvmOption("-XX:-AlwaysPreTouch");
    }

    /** Leaves out HTTP and Neo4j Browser, which take seconds of a start's processor time. */
    public ServerBuilder withoutHttp() {
        return setting("server.http.enabled", "false");
    }

    /** Makes the server listen on Neo4j's usual ports, 7687 and 7474, where these are free. */
    public ServerBuilder usualPorts() {
        usualPorts = true;
        return this;
    }

    /**
     * Adds an option of the server's JVM.
     *
     * @param option as java takes it
     */
    public ServerBuilder jvmOption(String option) {
        options.add(option);
        return this;
    }

    /**
     * Puts the Graph Data Science library beside Proxima.
     *
     * @throws IllegalStateException if the build did not lay it out
     */
    public ServerBuilder withPeers() {
        if (installation.peers().isEmpty()) {
            throw new IllegalStateException(
                    "The Graph Data Science library is not laid out. Build with the Maven profile full.");
        }
        plugins.addAll(installation.peers());
        return setting("dbms.security.procedures.unrestricted", "gds.*");
    }

    /** Takes the plugins out again, also from the home's plugins folder, as a user who removes them. */
    public ServerBuilder withoutPlugins() {
        for (Path plugin : plugins) {
            Unchecked.run(() -> Files.deleteIfExists(home.resolve("plugins").resolve(plugin.getFileName())));
        }
        plugins.clear();
        return this;
    }

    /** Puts APOC core beside Proxima. */
    public ServerBuilder withApoc() {
        plugins.addAll(installation.apoc());
        return this;
    }

    /** Puts the driver of gpu-backend's class FailingDriver beside Proxima. JVM options say what it does. */
    public ServerBuilder withTestDriver() {
        plugins.add(installation.testDriver());
        libraries.add(installation.testDriverLibrary());
        return this;
    }

    /**
     * Puts the Prometheus JMX exporter into the server's JVM.
     *
     * @param port where it is to answer on the loopback interface
     * @param configuration its configuration in YAML
     */
    public ServerBuilder withExporter(int port, Path configuration) {
        return jvmOption("-javaagent:" + installation.exporter() + "=127.0.0.1:" + port + ":" + configuration);
    }

    boolean usesUsualPorts() {
        return usualPorts;
    }

    /** The server's home. */
    public Path home() {
        return home;
    }

    /**
     * Starts the server and waits until it answers over Bolt.
     *
     * @throws IllegalStateException if it does not; the message has the end of its logs
     */
    public ServerProcess start() {
        return new ServerProcess(this);
    }

    Path console() {
        return home.resolve("logs/console.log");
    }

    void layOut(int boltPort, int httpPort) throws IOException {
        for (String folder : List.of("conf", "data", "import", "logs", "plugins")) {
            Files.createDirectories(home.resolve(folder));
        }
        for (Path plugin : plugins) {
            Files.copy(
                    plugin, home.resolve("plugins").resolve(plugin.getFileName()), StandardCopyOption.REPLACE_EXISTING);
        }
        Map<String, String> lines = new LinkedHashMap<>(settings);
        // Browser connects to the address that HTTP advertises for Bolt
        for (String address : List.of("listen_address", "advertised_address")) {
            lines.put("server.bolt." + address, "127.0.0.1:" + boltPort);
            lines.put("server.http." + address, "127.0.0.1:" + httpPort);
        }
        Files.write(
                home.resolve("conf/neo4j.conf"),
                lines.entrySet().stream()
                        .map(line -> line.getKey() + "=" + line.getValue())
                        .toList());
    }

    private String classPath() {
        List<String> entries = new ArrayList<>(
                List.of(home.resolve("plugins") + "/*", home.resolve("conf") + "/*", installation.serverClassPath()));
        libraries.forEach(library -> entries.add(library.toString()));
        return String.join(File.pathSeparator, entries);
    }

    List<String> command() {
        List<String> command = new ArrayList<>(
                List.of(installation.java(), "-Xms" + heap, "-Xmx" + heap, "-XX:+ExitOnOutOfMemoryError"));
        command.addAll(STOCK_OPTIONS);
        command.addAll(options);
        command.addAll(List.of(
                "-cp",
                classPath(),
                installation.mainClass(),
                "--home-dir=" + home,
                "--config-dir=" + home.resolve("conf"),
                "--console-mode"));
        return command;
    }
}
