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

/** The rules of the house, checked in the classes of the packed plugin and its modules. */
class ArchitectureTest {

    private static final String[] PROJECTION = {
        "io.proxima.concurrent..", "io.proxima.memory..", "io.proxima.projection.."
    };
    private static final String BACKENDS = "io.proxima.backend..";
    private static final String PLUGIN = "io.proxima.plugin..";
    private static final String SPARK = "io.proxima.spark..";
    private static final int LARGEST_KNOT = 10;

    private static final JavaClasses PROXIMA = new ClassFileImporter()
            .withImportOption(ArchitectureTest::isProduction)
            .importPackages("io.proxima");

    @Test
    void shouldLookAtAllModules() {
        assertThat(PROXIMA.stream().map(c -> c.getPackageName()))
                .contains(
                        "io.proxima.projection",
                        "io.proxima.projection.store",
                        "io.proxima.backend.cpu",
                        "io.proxima.plugin.catalog",
                        "io.proxima.spark")
                .noneMatch(name -> name.startsWith("io.proxima.it"));
    }

    @Test
    void shouldTouchNeo4jInTheStorePackageAndThePluginOnly() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "io.proxima.concurrent..", "io.proxima.memory..", "io.proxima.projection..", BACKENDS, SPARK)
                .and()
                .resideOutsideOfPackage("io.proxima.projection.store..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.neo4j..")
                .check(PROXIMA);
    }

    @Test
    void shouldTouchJcudaInTheCudaPackageOnly() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.proxima.backend.cuda..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("jcuda..")
                .check(PROXIMA);
    }

    @Test
    void shouldTouchLwjglInTheDriverOfVulkanOnly() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.proxima.backend.vulkan.driver")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.lwjgl..")
                .check(PROXIMA);
    }

    @Test
    void shouldNameConcreteBackendsInTheSelectorOnly() {
        for (String concrete :
                List.of("io.proxima.backend.cpu..", "io.proxima.backend.cuda..", "io.proxima.backend.vulkan..")) {
            noClasses()
                    .that()
                    .resideOutsideOfPackage(concrete)
                    .and()
                    .areNotAssignableTo(TraversalBackends.class)
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage(concrete)
                    .check(PROXIMA);
        }
    }

    @Test
    void shouldDependOneWayFromPluginToBackendsToProjection() {
        noClasses()
                .that()
                .resideInAnyPackage(PROJECTION)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(BACKENDS)
                .check(PROXIMA);
        noClasses()
                .that()
                .resideInAnyPackage(
                        "io.proxima.concurrent..", "io.proxima.memory..", "io.proxima.projection..", BACKENDS)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(PLUGIN)
                .check(PROXIMA);
        noClasses()
                .that()
                .resideInAPackage(BACKENDS)
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.proxima.projection.store..")
                .check(PROXIMA);
    }

    @Test
    void shouldKeepSparkAndThePluginApart() {
        noClasses()
                .that()
                .resideInAPackage(SPARK)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(PLUGIN)
                .check(PROXIMA);
        noClasses()
                .that()
                .resideOutsideOfPackage(SPARK)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(SPARK, "org.apache.spark..", "org.apache.hadoop..")
                .check(PROXIMA);
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
        slices().matching("io.proxima.backend.cuda.family.(*)..")
                .should()
                .notDependOnEachOther()
                .check(PROXIMA);
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

    @Test
    void shouldKeepVendorsOutOfTheFloorOfDevices() {
        noClasses()
                .that()
                .resideInAPackage("io.proxima.backend.device..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.proxima.backend.cuda..", "jcuda..", "io.proxima.backend.vulkan..", "org.lwjgl..")
                .check(PROXIMA);
        noClasses()
                .that()
                .resideInAPackage("io.proxima.backend.cuda.family..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.proxima.backend.device.run")
                .check(PROXIMA);
    }

    @Test
    void shouldUseTheCudaBackendByItsEntryPointsOnly() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.proxima.backend.cuda..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.proxima.backend.cuda.*..")
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
