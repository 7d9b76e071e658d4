// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.server;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.lwjgl.vulkan.VK;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Makes the Vulkan classes of the jar, a tenth of those of LWJGL, as the build packs them. At its start, Neo4j reflects
 * on each class of a jar, and warns of each that declares a method with a type that is missing. So these classes are
 * packed without such methods, as their versions for Java 17; see decision 56.
 */
final class PackedVulkan {

    private static final Pattern INCLUDE = Pattern.compile("<include>org/lwjgl/vulkan/(.*?)</include>");

    private final Map<String, byte[]> changed = new TreeMap<>();
    private final Set<String> left = new TreeSet<>();

    /**
     * @param pom the plugin's, which names the packed classes
     */
    PackedVulkan(Path pom) throws IOException {
        Map<String, byte[]> packed = packed(pom);
        packed.forEach((name, original) -> {
            byte[] copy = withoutMissing(
                    original, type -> !type.startsWith("org/lwjgl/vulkan/") || packed.containsKey(file(type)));
            if (copy != null) {
                changed.put(name, copy);
            }
        });
    }

    /**
     * Writes the changed classes.
     *
     * @param arguments the plugin's pom, and the folder of its compiled classes
     */
    public static void main(String[] arguments) throws IOException {
        Path folder = Files.createDirectories(Path.of(arguments[1], "META-INF/versions/17/org/lwjgl/vulkan"));
        for (Map.Entry<String, byte[]> copy : new PackedVulkan(Path.of(arguments[0])).changed.entrySet()) {
            Files.write(folder.resolve(copy.getKey()), copy.getValue());
        }
    }

    /** The changed classes by file name. */
    Map<String, byte[]> changed() {
        return changed;
    }

    /** The methods that are left out, as owner, dot, name and descriptor, and the nested classes. */
    Set<String> left() {
        return left;
    }

    private static String file(String type) {
        return type.substring(type.lastIndexOf('/') + 1) + ".class";
    }

    /** The Vulkan classes that the pom packs, by file name. */
    private static Map<String, byte[]> packed(Path pom) throws IOException {
        List<Predicate<String>> patterns = INCLUDE.matcher(Files.readString(pom))
                .results()
                .map(include -> Pattern.compile(include.group(1)
                                .replace(".", "\\.")
                                .replace("$", "\\$")
                                .replace("*", ".*"))
                        .asMatchPredicate())
                .toList();
        Map<String, byte[]> packed = new TreeMap<>();
        URI jar = URI.create(
                "jar:" + VK.class.getProtectionDomain().getCodeSource().getLocation());
        try (FileSystem zip = FileSystems.newFileSystem(jar, Map.of());
                Stream<Path> files = Files.list(zip.getPath("/org/lwjgl/vulkan"))) {
            for (Path file : files.toList()) {
                String name = file.getFileName().toString();
                if (name.endsWith(".class") && patterns.stream().anyMatch(pattern -> pattern.test(name))) {
                    try (InputStream in = Files.newInputStream(file)) {
                        packed.put(name, in.readAllBytes());
                    }
                }
            }
        }
        return packed;
    }

    /** A class without the methods that have a type that does not exist; null if it has none. */
    private byte[] withoutMissing(byte[] original, Predicate<String> exists) {
        ClassWriter copy = new ClassWriter(0);
        ClassReader reader = new ClassReader(original);
        if (!exists.test(reader.getSuperName())) {
            // a former name of a class that is not packed either: nothing uses it
            copy.visit(Opcodes.V1_8, reader.getAccess(), reader.getClassName(), null, "java/lang/Object", null);
            return copy.toByteArray();
        }
        int before = left.size();
        reader.accept(
                new ClassVisitor(Opcodes.ASM9, copy) {
                    @Override
                    public MethodVisitor visitMethod(
                            int access, String name, String descriptor, String signature, String[] throwing) {
                        if (types(descriptor).allMatch(exists)) {
                            return super.visitMethod(access, name, descriptor, signature, throwing);
                        }
                        left.add(reader.getClassName() + "." + name + descriptor);
                        return null;
                    }

                    @Override
                    public void visitInnerClass(String name, String outer, String inner, int access) {
                        if (exists.test(name)) {
                            super.visitInnerClass(name, outer, inner, access);
                        } else {
                            left.add(name);
                        }
                    }
                },
                ClassReader.SKIP_DEBUG);
        return left.size() == before ? null : copy.toByteArray();
    }

    private static Stream<String> types(String descriptor) {
        return Stream.concat(Stream.of(Type.getReturnType(descriptor)), Stream.of(Type.getArgumentTypes(descriptor)))
                .map(type -> type.getSort() == Type.ARRAY ? type.getElementType() : type)
                .filter(type -> type.getSort() == Type.OBJECT)
                .map(Type::getInternalName);
    }
}
