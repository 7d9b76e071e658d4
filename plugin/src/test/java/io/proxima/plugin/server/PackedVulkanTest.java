// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.vulkan.driver.VulkanHost;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** What the build leaves out of the Vulkan classes, the backend does not call. */
class PackedVulkanTest {

    @Test
    void shouldLeaveOutNoMethodThatIsCalled() throws IOException {
        PackedVulkan packed = new PackedVulkan(Path.of("pom.xml"));
        assertThat(packed.changed()).isNotEmpty();
        assertThat(callsOfTheDriver()).hasSizeGreaterThan(100).doesNotContainAnyElementsOf(packed.left());
    }

    /** The methods that the backend calls. */
    private static Set<String> callsOfTheDriver() throws IOException {
        Set<String> calls = new TreeSet<>();
        for (String name : List.of("VulkanHost", "VulkanDriver", "VulkanMemory", "CommandStream")) {
            try (InputStream in = VulkanHost.class.getResourceAsStream(name + ".class")) {
                addCalls(new ClassReader(in), calls);
            }
        }
        return calls;
    }

    private static void addCalls(ClassReader reader, Set<String> calls) {
        MethodVisitor called = new MethodVisitor(Opcodes.ASM9) {
            @Override
            public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
                if (owner.startsWith("org/lwjgl/vulkan/")) {
                    calls.add(owner + "." + name + descriptor);
                }
            }
        };
        reader.accept(
                new ClassVisitor(Opcodes.ASM9) {
                    @Override
                    public void visitInnerClass(String name, String outer, String inner, int access) {
                        if (name.startsWith(reader.getClassName() + "$")) {
                            try (InputStream in = VulkanHost.class.getResourceAsStream("/" + name + ".class")) {
                                addCalls(new ClassReader(in), calls);
                            } catch (IOException e) {
                                throw new UncheckedIOException(e);
                            }
                        }
                    }

                    @Override
                    public MethodVisitor visitMethod(
                            int access, String name, String descriptor, String signature, String[] throwing) {
                        return called;
                    }
                },
                0);
    }
}
