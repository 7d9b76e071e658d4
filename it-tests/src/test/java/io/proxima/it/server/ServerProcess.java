// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.server;

import io.proxima.it.Unchecked;
import io.proxima.testing.OwnTime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
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
 */
public final class ServerProcess implements AutoCloseable {

    /** The password of the user neo4j. */
    public static final String PASSWORD = "proxima-test";

    private static final Duration START_LIMIT = Duration.ofMinutes(10);
    private static final Duration STOP_LIMIT = Duration.ofMinutes(5);
    private static final int LOG_TAIL_LINES = 60;
    private static final int USUAL_BOLT_PORT = 7687;
    private static final int USUAL_HTTP_PORT = 7474;
    private static final int FIRST_GIVEN_PORT = 10_000;
    private static final int GIVEN_PORTS = 20_000;

    /** Begins anywhere, since other processes ask in their own order. */
    private static final AtomicInteger NEXT_PORT = new AtomicInteger(new Random().nextInt(GIVEN_PORTS));

    private static final Set<ServerProcess> RUNNING = ConcurrentHashMap.newKeySet();

    /** Ended in the test that is running. */
    private static final Set<ServerProcess> ENDED = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> RUNNING.forEach(server -> server.process.destroyForcibly()), "end-neo4j-servers"));
    }

    private final ServerBuilder plan;
    private final int boltPort;
    private final int httpPort;
    private final Process process;
    private final Process leash;
    private final Driver driver;

    ServerProcess(ServerBuilder plan) {
        this.plan = plan;
        this.boltPort = plan.usesUsualPorts() && isFree(USUAL_BOLT_PORT) ? USUAL_BOLT_PORT : freePort();
        this.httpPort = plan.usesUsualPorts() && isFree(USUAL_HTTP_PORT) ? USUAL_HTTP_PORT : freePort();
        try {
            plan.layOut(boltPort, httpPort);
            this.process = new ProcessBuilder(plan.command())
                    .directory(plan.home().toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(
                            ProcessBuilder.Redirect.appendTo(plan.console().toFile()))
                    .start();
            RUNNING.add(this);
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
    public static ServerBuilder in(Installation installation, Path home) {
        return new ServerBuilder(installation, home);
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
        return plan.home();
    }

    /** The number of the process. */
    public long pid() {
        return process.pid();
    }

    /** Starts to measure the time of the process. */
    public OwnTime ownTime() {
        return OwnTime.of(process.toHandle());
    }

    /** Whether the process runs. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** Waits until the process has ended, as by a signal of the user's. */
    public void awaitEnd() throws InterruptedException {
        process.waitFor();
    }

    /** Leaves the servers that have ended out of {@link #logTails}. */
    static void forgetEnded() {
        ENDED.clear();
    }

    /** The ends of the logs of the servers that run, and of those that have ended in the test that is running. */
    static List<String> logTails() {
        return Stream.concat(RUNNING.stream(), ENDED.stream())
                .map(server -> server.home() + "\n" + server.logTail())
                .toList();
    }

    /** The last lines of what the server printed and of its debug log. */
    public String logTail() {
        return "--- console\n" + tail(plan.console()) + "--- debug.log\n"
                + tail(plan.home().resolve("logs/debug.log"));
    }

    /**
     * Everything in the server's debug log, in order, with the parts that it has rotated: debug.log.01 is the latest of
     * these.
     *
     * @throws UncheckedIOException if it cannot be read
     */
    public String debugLog() {
        return Unchecked.list(plan.home().resolve("logs")).stream()
                .filter(file -> file.getFileName().toString().startsWith("debug.log"))
                .sorted(Comparator.reverseOrder())
                .map(file -> Unchecked.get(() -> Files.readString(file)))
                .collect(Collectors.joining());
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
        RUNNING.remove(this);
        ENDED.add(this);
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
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("Bolt did not answer in " + START_LIMIT + "\n" + logTail());
            }
            if (!listens(boltPort)) {
                // cheaper to ask than by a driver, of which each has threads of its own
                Unchecked.run(() -> Thread.sleep(100));
                continue;
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
                Unchecked.run(() -> Thread.sleep(100));
            }
        }
    }

    private static boolean listens(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
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
                .withConnectionTimeout(30, TimeUnit.SECONDS)
                .build();
    }

    /**
     * A port of the loopback interface on which nothing listens, which no other caller gets. The system gives none of
     * these ports to an outgoing connection, which could take it before the server does.
     */
    public static int freePort() {
        for (int tries = 0; tries < GIVEN_PORTS; tries++) {
            int port = FIRST_GIVEN_PORT + Math.floorMod(NEXT_PORT.getAndIncrement(), GIVEN_PORTS);
            if (isFree(port)) {
                return port;
            }
        }
        throw new IllegalStateException("No port is free");
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
        List<String> lines = Unchecked.get(() -> Files.readAllLines(log));
        return String.join("\n", lines.subList(Math.max(0, lines.size() - LOG_TAIL_LINES), lines.size())) + "\n";
    }
}
