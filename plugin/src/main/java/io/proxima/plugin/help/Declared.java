// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.help;

import io.proxima.plugin.call.AlgorithmProcedures;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.call.Help;
import io.proxima.plugin.call.ProximaProcedure;
import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.config.ConfigReader.KeyRead;
import java.io.IOException;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.neo4j.procedure.Procedure;
import org.neo4j.procedure.UserAggregationFunction;
import org.neo4j.procedure.UserFunction;

/**
 * A procedure or function, as its class declares it.
 *
 * @param of an object of the class, which is never called
 */
record Declared(ProximaProcedure of, Method method, String name) {

    private static final String CLASSES = "io/proxima/plugin";
    private static final String ESTIMATE = ".estimate";

    /** The folder of the manual in the repository. */
    private static final String MANUAL = "docs/modules/ROOT/pages/";

    private static final Map<String, String> VALUES =
            Map.of("sourceNode", "person", "sourceNodes", "person", "targetNode", "other");

    private static final Map<String, Declared> PROCEDURES = new HashMap<>();
    private static final Map<String, Declared> FUNCTIONS = new HashMap<>();

    static {
        try {
            findAll();
        } catch (IOException | URISyntaxException | ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Finds all in the jar, or in the folder of the classes. */
    private static void findAll() throws IOException, URISyntaxException, ReflectiveOperationException {
        Path source = Path.of(Declared.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        if (Files.isDirectory(source)) {
            findAll(source);
            return;
        }
        try (FileSystem jar = FileSystems.newFileSystem(source)) {
            findAll(jar.getPath("/"));
        }
    }

    private static void findAll(Path root) throws IOException, ReflectiveOperationException {
        List<Path> files;
        try (Stream<Path> walked = Files.walk(root.resolve(CLASSES))) {
            files = walked.filter(file -> file.getFileName().toString().matches("[^$]+\\.class"))
                    .toList();
        }
        for (Path file : files) {
            String path = root.relativize(file)
                    .toString()
                    .replace(file.getFileSystem().getSeparator(), ".");
            String name = path.substring(0, path.length() - ".class".length());
            Class<?> type = Class.forName(name, false, Declared.class.getClassLoader());
            if (ProximaProcedure.class.isAssignableFrom(type) && !Modifier.isAbstract(type.getModifiers())) {
                find(type.asSubclass(ProximaProcedure.class).getConstructor().newInstance());
            }
        }
    }

    private static void find(ProximaProcedure of) {
        for (Method method : of.getClass().getMethods()) {
            Procedure procedure = method.getAnnotation(Procedure.class);
            UserFunction function = method.getAnnotation(UserFunction.class);
            UserAggregationFunction aggregation = method.getAnnotation(UserAggregationFunction.class);
            if (procedure != null) {
                PROCEDURES.put(procedure.name(), new Declared(of, method, procedure.name()));
            } else if (function != null) {
                FUNCTIONS.put(function.name(), new Declared(of, method, function.name()));
            } else if (aggregation != null) {
                FUNCTIONS.put(aggregation.name(), new Declared(of, method, aggregation.name()));
            }
        }
    }

    /** The procedure or function with a name. */
    static Declared of(String name, boolean isFunction) {
        return (isFunction ? FUNCTIONS : PROCEDURES).get(name);
    }

    /** The keys of each argument, in the order in which they are read. */
    Map<String, List<KeyRead>> keys(Caller caller) {
        Map<String, ConfigReader> readers = new LinkedHashMap<>();
        of.readKeys(name, caller, argument -> {
            ConfigReader reader = caller.read(argument, Map.of());
            readers.put(argument, reader);
            return reader;
        });
        Map<String, List<KeyRead>> keys = new LinkedHashMap<>();
        readers.forEach((argument, reader) -> keys.put(argument, reader.keys()));
        return keys;
    }

    /** The page of the manual, in the repository. */
    String page() {
        boolean onMemory = name.endsWith(ESTIMATE) && said(method, Help::page).isEmpty();
        return MANUAL + (onMemory ? "memory" : ownPage()) + ".adoc";
    }

    private String ownPage() {
        String page = said(Help::page);
        return page.isEmpty()
                ? name.replaceFirst("proxima\\.", "")
                        .replaceFirst("(\\.(stream|stats|mutate|write|arrow))?(\\.estimate)?$", "")
                        .replace('.', '-')
                : page;
    }

    private String said(Function<Help, String> what) {
        String ofMethod = said(method, what);
        return ofMethod.isEmpty() ? said(of.getClass(), what) : ofMethod;
    }

    private static String said(AnnotatedElement element, Function<Help, String> what) {
        Help help = element.getAnnotation(Help.class);
        return help == null ? "" : what.apply(help);
    }

    /** A query that runs on the graph 'people' of the manual of help. */
    String example(Collection<List<KeyRead>> keys, List<String> columns) {
        String example = said(Help::example);
        if (!example.isEmpty()) {
            return example;
        }
        if (!(of instanceof AlgorithmProcedures)) {
            return (method.isAnnotationPresent(Procedure.class) ? "CALL " : "RETURN ") + name + "()";
        }
        String property = said(Help::property).isEmpty() ? ownPage() : said(Help::property);
        String mandatory = keys.stream()
                .flatMap(List::stream)
                .filter(key -> key.defaultValue().equals(KeyRead.MANDATORY))
                .map(key -> key.key().name())
                .map(key -> key + ": " + VALUES.getOrDefault(key, "'" + property + "'"))
                .collect(Collectors.joining(", "));
        String match = mandatory.contains("person") ? "MATCH (person:Person {name: 'Ann'}) " : "";
        match += mandatory.contains("other") ? "MATCH (other:Person {name: 'Bob'}) " : "";
        String shown = shown(columns);
        return match + "CALL " + name + "('people'" + (mandatory.isEmpty() ? "" : ", {" + mandatory + "}") + ") YIELD "
                + shown + " RETURN " + shown.replace("nodeId,", "proxima.util.asNode(nodeId).name AS name,")
                + (shown.endsWith("score") ? " ORDER BY score DESC LIMIT 10" : "");
    }

    private String shown(List<String> columns) {
        return switch (name.substring(name.lastIndexOf('.'))) {
            case ESTIMATE -> "requiredMemory";
            // the path to every node is much to compute
            case ".stream", ".arrow" ->
                columns.stream()
                        .filter(column -> !(column.equals("path") && columns.contains("nodeId")))
                        .collect(Collectors.joining(", "));
            case ".stats" -> "computeMillis";
            default -> "nodePropertiesWritten";
        };
    }
}
