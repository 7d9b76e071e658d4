/*
 * Copyright 2026 The Proxima authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.proxima.it.rules;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.Location;
import io.proxima.backend.TraversalBackends;
import org.junit.jupiter.api.Test;

/** The rules of the house, checked in the classes of the packed plugin and its modules. */
class ArchitectureTest {

    private static final String[] PROJECTION = {
        "io.proxima.concurrent..", "io.proxima.memory..", "io.proxima.projection.."
    };
    private static final String BACKENDS = "io.proxima.backend..";
    private static final String PLUGIN = "io.proxima.plugin..";

    private final JavaClasses proxima =
            new ClassFileImporter().withImportOption(this::isProduction).importPackages("io.proxima");

    @Test
    void shouldLookAtAllModules() {
        assertThat(proxima.stream().map(c -> c.getPackageName()))
                .contains(
                        "io.proxima.projection",
                        "io.proxima.projection.store",
                        "io.proxima.backend.cpu",
                        "io.proxima.plugin.catalog")
                .noneMatch(name -> name.startsWith("io.proxima.it"));
    }

    @Test
    void shouldTouchNeo4jInTheStorePackageAndThePluginOnly() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "io.proxima.concurrent..", "io.proxima.memory..", "io.proxima.projection..", BACKENDS)
                .and()
                .resideOutsideOfPackage("io.proxima.projection.store..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.neo4j..")
                .check(proxima);
    }

    @Test
    void shouldTouchJcudaInTheCudaPackageOnly() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.proxima.backend.cuda..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("jcuda..")
                .check(proxima);
    }

    @Test
    void shouldNameConcreteBackendsInTheSelectorOnly() {
        for (String concrete : new String[] {"io.proxima.backend.cpu..", "io.proxima.backend.cuda.."}) {
            noClasses()
                    .that()
                    .resideOutsideOfPackage(concrete)
                    .and()
                    .areNotAssignableTo(TraversalBackends.class)
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage(concrete)
                    .check(proxima);
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
                .check(proxima);
        noClasses()
                .that()
                .resideInAnyPackage(
                        "io.proxima.concurrent..", "io.proxima.memory..", "io.proxima.projection..", BACKENDS)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(PLUGIN)
                .check(proxima);
        noClasses()
                .that()
                .resideInAPackage(BACKENDS)
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.proxima.projection.store..")
                .check(proxima);
    }

    @Test
    void shouldHaveNoPackageCycles() {
        slices().matching("io.proxima.(**)")
                .should()
                .beFreeOfCycles()
                // the one place that names concrete backends, by the rule above
                .ignoreDependency(equivalentTo(TraversalBackends.class), alwaysTrue())
                .check(proxima);
    }

    private boolean isProduction(Location location) {
        return !location.contains("/test-classes/")
                && !location.contains("-tests.jar")
                && !location.contains("/it-tests/");
    }
}
