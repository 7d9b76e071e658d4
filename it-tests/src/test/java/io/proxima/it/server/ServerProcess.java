// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.server;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.neo4j.driver.AuthTokens;
import org.neo4j.driver.Config;
import org.neo4j.driver.Driver;
import org.neo4j.driver.GraphDatabase;
import org.neo4j.driver.Logging;
import org.neo4j.driver.SessionConfig;
import org.neo4j.driver.exceptions.AuthenticationException;
import org.neo4j.driver.exceptions.Neo4jException;

/**
 * A Neo4j community server as a process of its own, on the loopback interface, with plugins in its plugins folder. The
 * user neo4j has the password {@link #PASSWORD}; the configuration has no security setting unless one is given.
 *
 * <p>Invariant "no stray server": the process ends with {@link #close()}, at the end of this JVM, and also when this
 * JVM is killed: a shell that waits for the end of a pipe from this JVM then kills the server.
 *
 * <p>The class is long because it covers the whole life of a server: its folders, configuration, start, connections and end.
 */
public final class ServerProcess implements AutoCloseable {

    /** The password of the user neo4j. */
    public static final String PASSWORD = "proxima-test";

    private static final Duration START_LIMIT = Duration.ofMinutes(3);
    private static final Duration STOP_LIMIT = Duration.ofMinutes(1);
    private static final int LOG_TAIL_LINES = 60;
    private static final int USUAL_BOLT_PORT = 7687;
    private static final int USUAL_HTTP_PORT = 7474;

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

    private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime()
                .addShutdownHook(new Thread(() -> RUNNING.forEach(Process::destroyForcibly), "end-neo4j-servers"));
    }

    private final Builder plan;
    private final int boltPort;
    private final int httpPort;
    private final Process process;
    private final Process leash;
    private final Driver driver;

    private ServerProcess(Builder plan) {
        this.plan = plan;
        this.boltPort = plan.usualPorts && isFree(USUAL_BOLT_PORT) ? USUAL_BOLT_PORT : freePort();
        this.httpPort = plan.usualPorts && isFree(USUAL_HTTP_PORT) ? USUAL_HTTP_PORT : freePort();
        try {
            plan.layOut(boltPort, httpPort);
            ProcessBuilder builder = new ProcessBuilder(plan.command())
                    .directory(plan.home.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(
                            ProcessBuilder.Redirect.appendTo(plan.console().toFile()));
            builder.environment().putAll(plan.environment);
            this.process = builder.start();
            RUNNING.add(process);
            this.leash = new ProcessBuilder("sh", "-c", "read _; kill -9 " + process.pid())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        try {
            this.driver = awaitBolt();
        } catch (RuntimeException e) {
            kill();
            throw e;
        }
    }

    /**
     * Plans a server.
     *
     * @param installation what the build laid out
     * @param home the server's home, which is made if need be; what is in its data folder is kept
     */
    public static Builder in(Installation installation, Path home) {
        return new Builder(installation, home);
    }

    /** A driver as the user neo4j, closed with this server. */
    public Driver driver() {
        return driver;
    }

    /**
     * A driver as another user, to be closed by the caller.
     *
     * @param user the user's name
     * @param password the user's password
     */
    public Driver driverAs(String user, String password) {
        return GraphDatabase.driver(boltUri(), AuthTokens.basic(user, password), driverConfig());
    }

    /** Where Bolt listens. */
    public URI boltUri() {
        return URI.create("bolt://127.0.0.1:" + boltPort);
    }

    /** Where HTTP, and with it Neo4j Browser, listens. */
    public URI httpUri() {
        return URI.create("http://127.0.0.1:" + httpPort);
    }

    /** The server's home. */
    public Path home() {
        return plan.home;
    }

    /** The number of the process. */
    public long pid() {
        return process.pid();
    }

    /** Whether the process runs. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** Waits until the process has ended, as by a signal of the user's. */
    public void awaitEnd() throws InterruptedException {
        process.waitFor();
    }

    /** The last lines of what the server printed and of its debug log. */
    public String logTail() {
        return "--- console\n" + tail(plan.console()) + "--- debug.log\n" + tail(plan.home.resolve("logs/debug.log"));
    }

    /**
     * Everything in the server's debug log, in order, with the parts that it has rotated: debug.log.01 is the latest of these.
     *
     * @throws UncheckedIOException if it cannot be read
     */
    public String debugLog() {
        try (Stream<Path> files = Files.list(plan.home.resolve("logs"))) {
            StringBuilder log = new StringBuilder();
            for (Path file : files.filter(file -> file.getFileName().toString().startsWith("debug.log"))
                    .sorted(Comparator.reverseOrder())
                    .toList()) {
                log.append(Files.readString(file));
            }
            return log.toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends the server in an orderly way, with its clients connected. */
    public void stop() {
        process.destroy();
        try {
            if (!process.waitFor(STOP_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                String tail = logTail();
                kill();
                throw new IllegalStateException("The server did not stop in " + STOP_LIMIT + "\n" + tail);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            kill();
            driver.close();
        }
    }

    /** Ends the server at once, as a crash would. */
    public void kill() {
        if (leash != null) {
            leash.destroyForcibly();
        }
        process.destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        RUNNING.remove(process);
    }

    /** Stops this server and starts one on the same home. */
    public ServerProcess restart() {
        stop();
        return plan.start();
    }

    /** Stops the server if it runs. */
    @Override
    public void close() {
        if (process.isAlive()) {
            stop();
        }
    }

    private Driver awaitBolt() {
        long deadline = System.nanoTime() + START_LIMIT.toNanos();
        while (true) {
            if (!process.isAlive()) {
                throw new IllegalStateException(
                        "The server ended while it started, exit status " + process.exitValue() + "\n" + logTail());
            }
            Driver candidate = driverAs("neo4j", PASSWORD);
            // not a managed transaction: it would be tried for half a minute when the server has ended
            try (var session = candidate.session()) {
                session.run("RETURN 1").consume();
                return candidate;
            } catch (AuthenticationException e) {
                candidate.close();
                setPassword();
            } catch (Neo4jException e) {
                candidate.close();
                if (System.nanoTime() > deadline) {
                    throw new IllegalStateException("Bolt did not answer in " + START_LIMIT + "\n" + logTail(), e);
                }
                pause();
            }
        }
    }

    private void setPassword() {
        try (Driver first = driverAs("neo4j", "neo4j");
                var session = first.session(SessionConfig.forDatabase("system"))) {
            session.run("ALTER CURRENT USER SET PASSWORD FROM 'neo4j' TO $new", Map.of("new", PASSWORD))
                    .consume();
        }
    }

    private static Config driverConfig() {
        return Config.builder()
                .withoutEncryption()
                .withLogging(Logging.none())
                .withConnectionTimeout(5, TimeUnit.SECONDS)
                .build();
    }

    private static void pause() {
        try {
            Thread.sleep(100);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while a server started", e);
        }
    }

    /** A port of the loopback interface on which nothing listens. */
    public static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }

    private static String tail(Path log) {
        if (!Files.exists(log)) {
            return "(none)\n";
        }
        try {
            List<String> lines = Files.readAllLines(log);
            return String.join("\n", lines.subList(Math.max(0, lines.size() - LOG_TAIL_LINES), lines.size())) + "\n";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** How a server is to be started. */
    public static final class Builder {

        private final Installation installation;
        private final Path home;
        private final Map<String, String> settings = new LinkedHashMap<>();
        private final List<Path> plugins = new ArrayList<>();
        private final List<Path> libraries = new ArrayList<>();
        private final List<String> options = new ArrayList<>();
        private final Map<String, String> environment = new LinkedHashMap<>();
        private String heap = "1g";
        private boolean usualPorts;

        private Builder(Installation installation, Path home) {
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
        public Builder setting(String name, String value) {
            settings.put(name, value);
            return this;
        }

        /**
         * Sets the size of the heap, one gibibyte otherwise.
         *
         * @param size as java's option -Xmx takes it
         */
        public Builder heap(String size) {
            this.heap = size;
            return this;
        }

        /**
         * Leaves out the optimizing compiler of the JVM, which takes half of a start's processor time and pays only in a
         * server that computes for long.
         */
        public Builder withoutOptimizingCompiler() {
            return jvmOption("-XX:TieredStopAtLevel=1");
        }

        /** Makes the server listen on Neo4j's usual ports, 7687 and 7474, where these are free. */
        public Builder usualPorts() {
            usualPorts = true;
            return this;
        }

        /**
         * Adds an option of the server's JVM.
         *
         * @param option as java takes it
         */
        public Builder jvmOption(String option) {
            options.add(option);
            return this;
        }

        /**
         * Adds a variable to the server's environment.
         *
         * @param name the variable's name
         * @param value its value
         */
        public Builder environment(String name, String value) {
            environment.put(name, value);
            return this;
        }

        /**
         * Puts the Graph Data Science library beside Proxima.
         *
         * @throws IllegalStateException if the build did not lay it out
         */
        public Builder withPeers() {
            if (installation.peers().isEmpty()) {
                throw new IllegalStateException(
                        "The Graph Data Science library is not laid out. Build with the Maven profile peers.");
            }
            plugins.addAll(installation.peers());
            return setting("dbms.security.procedures.unrestricted", "gds.*");
        }

        /** Takes the plugins out again, also from the home's plugins folder, as a user who removes them. */
        public Builder withoutPlugins() {
            for (Path plugin : plugins) {
                try {
                    Files.deleteIfExists(home.resolve("plugins").resolve(plugin.getFileName()));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
            plugins.clear();
            return this;
        }

        /** Puts APOC core beside Proxima. */
        public Builder withApoc() {
            plugins.addAll(installation.apoc());
            return this;
        }

        /** Puts the driver of gpu-backend's class FailingDriver beside Proxima. JVM options say what it does. */
        public Builder withTestDriver() {
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
        public Builder withExporter(int port, Path configuration) {
            return jvmOption("-javaagent:" + installation.exporter() + "=127.0.0.1:" + port + ":" + configuration);
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

        private Path console() {
            return home.resolve("logs/console.log");
        }

        private void layOut(int boltPort, int httpPort) throws IOException {
            for (String folder : List.of("conf", "data", "import", "logs", "plugins")) {
                Files.createDirectories(home.resolve(folder));
            }
            for (Path plugin : plugins) {
                Files.copy(
                        plugin,
                        home.resolve("plugins").resolve(plugin.getFileName()),
                        StandardCopyOption.REPLACE_EXISTING);
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
            List<String> entries = new ArrayList<>(List.of(
                    home.resolve("plugins") + "/*", home.resolve("conf") + "/*", installation.serverClassPath()));
            libraries.forEach(library -> entries.add(library.toString()));
            return String.join(File.pathSeparator, entries);
        }

        private List<String> command() {
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
}
