// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.rules;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.Location;
import io.proxima.backend.select.TraversalBackends;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rules of the house, checked in the classes of the packed plugin and its modules. */
class ArchitectureTest {

    private static final int LARGEST_KNOT = 10;

    private static final JavaClasses PROXIMA = new ClassFileImporter()
            .withImportOption(ArchitectureTest::isProduction)
            .importPackages("io.proxima");

    @Test
    void shouldLookAtAllModules() {
        assertThat(PROXIMA.stream().map(c -> c.getPackageName()))
                .contains(
                        "io.proxima.projection",
                        "io.proxima.projection.csc",
                        "io.proxima.projection.store",
                        "io.proxima.backend.cpu",
                        "io.proxima.plugin.catalog",
                        "io.proxima.spark")
                .noneMatch(name -> name.startsWith("io.proxima.it"));
    }

    /** Classes of the first packages, but not those of the second ones, may not use the third ones. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "io.proxima.. | io.proxima.projection.store.., io.proxima.plugin.. | org.neo4j..",
                "io.proxima.. | io.proxima.backend.cuda.. | jcuda..",
                "io.proxima.. | io.proxima.backend.vulkan.driver | org.lwjgl..",
                "io.proxima.. | io.proxima.plugin.arrow, io.proxima.shaded.. | io.proxima.shaded.arrow.., io.proxima.shaded.flatbuffers..",
                "io.proxima.. | io.proxima.spark.. | io.proxima.spark.., org.apache.spark.., org.apache.hadoop..",
                // one way from the plugin to the backends to the projection
                "io.proxima.. | io.proxima.plugin.. | io.proxima.plugin..",
                "io.proxima.concurrent.., io.proxima.memory.., io.proxima.projection.. | '' | io.proxima.backend..",
                "io.proxima.backend.. | '' | io.proxima.projection.store..",
                // the entry points of the CUDA backend
                "io.proxima.. | io.proxima.backend.cuda.., io.proxima.backend.papers.. | io.proxima.backend.cuda.*..",
                // papers are found as services
                "io.proxima.. | io.proxima.backend.papers.. | io.proxima.backend.papers..",
                // vendors and the floor of devices
                "io.proxima.backend.device.. | '' | io.proxima.backend.cuda.., io.proxima.backend.vulkan..",
                "io.proxima.backend.cuda.family.., io.proxima.backend.papers.. | '' | io.proxima.backend.device.run",
            })
    void shouldNotUse(String users, String exceptions, String used) {
        noClasses()
                .that()
                .resideInAnyPackage(users.split(", ", -1))
                .and()
                .resideOutsideOfPackages(exceptions.split(", ", -1))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(used.split(", ", -1))
                .check(PROXIMA);
    }

    @Test
    void shouldNameConcreteBackendsInTheSelectorOnly() {
        for (String concrete :
                List.of("io.proxima.backend.cpu..", "io.proxima.backend.cuda..", "io.proxima.backend.vulkan..")) {
            noClasses()
                    .that()
                    .resideOutsideOfPackages(concrete, "io.proxima.backend.papers..")
                    .and()
                    .areNotAssignableTo(TraversalBackends.class)
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage(concrete)
                    .check(PROXIMA);
        }
    }

    /** From the top down; each layer uses those below it only. */
    private static final List<String> LAYERS_OF_DEVICE = List.of(
            "io.proxima.backend.device.run",
            "io.proxima.backend.device.kernel",
            "io.proxima.backend.device.graph",
            "io.proxima.backend.device");

    private static final List<String> LAYERS_OF_CUDA = List.of(
            "io.proxima.backend.cuda",
            "io.proxima.backend.cuda.family..",
            "io.proxima.backend.cuda.graph",
            "io.proxima.backend.cuda.driver");

    @Test
    void shouldDependDownwardsInTheBackendsOfDevices() {
        shouldDependDownwards("io.proxima.backend.device..", LAYERS_OF_DEVICE);
        shouldDependDownwards("io.proxima.backend.cuda..", LAYERS_OF_CUDA);
        for (String families : List.of("io.proxima.backend.cuda.family.(*)..", "io.proxima.backend.papers.(*)..")) {
            slices().matching(families).should().notDependOnEachOther().check(PROXIMA);
        }
    }

    private static void shouldDependDownwards(String whole, List<String> layers) {
        for (int layer = 1; layer < layers.size(); layer++) {
            noClasses()
                    .that()
                    .resideInAPackage(layers.get(layer))
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(layers.subList(0, layer).toArray(String[]::new))
                    .check(PROXIMA);
        }
        classes()
                .that()
                .resideInAPackage(whole)
                .should()
                .resideInAnyPackage(layers.toArray(String[]::new))
                .check(PROXIMA);
    }

    /** Classes that all depend on each other, directly or not, can only be understood together. */
    @Test
    void shouldHaveNoLargeKnotOfClasses() {
        Map<String, Set<String>> uses = new TreeMap<>();
        for (JavaClass from : PROXIMA) {
            Set<String> used = uses.computeIfAbsent(topLevel(from), name -> new TreeSet<>());
            from.getDirectDependenciesFromSelf().stream()
                    .map(dependency -> topLevel(dependency.getTargetClass()))
                    .filter(name -> name.startsWith("io.proxima."))
                    .forEach(used::add);
        }
        Map<String, Set<String>> reachable = new TreeMap<>();
        uses.keySet().forEach(name -> reachable.put(name, reachable(name, uses)));
        for (String name : uses.keySet()) {
            Set<String> knot = reachable.get(name).stream()
                    .filter(other -> reachable.getOrDefault(other, Set.of()).contains(name))
                    .collect(Collectors.toCollection(TreeSet::new));
            assertThat(knot).as("classes that depend on each other").hasSizeLessThanOrEqualTo(LARGEST_KNOT);
        }
    }

    private static Set<String> reachable(String from, Map<String, Set<String>> uses) {
        Set<String> reached = new TreeSet<>();
        Deque<String> open = new ArrayDeque<>(uses.get(from));
        while (!open.isEmpty()) {
            String name = open.pop();
            if (reached.add(name)) {
                open.addAll(uses.getOrDefault(name, Set.of()));
            }
        }
        return reached;
    }

    private static String topLevel(JavaClass of) {
        return of.getBaseComponentType().getName().replaceAll("\\$.*", "");
    }

    @Test
    void shouldHaveNoPackageCycles() {
        slices().matching("io.proxima.(**)").should().beFreeOfCycles().check(PROXIMA);
    }

    private static boolean isProduction(Location location) {
        return !location.contains("/test-classes/")
                && !location.contains("-tests.jar")
                && !location.contains("/it-tests/");
    }
}
