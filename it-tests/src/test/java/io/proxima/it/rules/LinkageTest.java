// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.it.OnBothLines;
import io.proxima.it.server.Installation;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * One jar for both lines of Neo4j: everything that the packed plugin calls must be in the jars of the server, under the
 * very descriptor that it was compiled against. A call that no test makes would fail with a NoSuchMethodError at a
 * user's.
 */
@OnBothLines
class LinkageTest {

    // tags of the constant pool, Java Virtual Machine Specification, table 4.4-A
    private static final int CLASS = 7;
    private static final int FIELD = 9;
    private static final int METHOD = 10;
    private static final int INTERFACE_METHOD = 11;
    private static final int METHOD_TYPE = 16;
    private static final int INVOKE_DYNAMIC = 18;

    private final Installation installation = Installation.built();

    @Test
    void shouldFindEveryClassMethodAndFieldOfNeo4j() throws IOException {
        // or a server could do without the packed jar
        assertThat(installation.serverClassPath()).doesNotContain("proxima", "junit");
        List<byte[]> plugin = classesOf(installation.plugin());
        Library library = new Library(installation.serverClassPath(), plugin);
        Set<String> checked = new HashSet<>();
        Set<String> missing = new TreeSet<>();
        for (byte[] bytes : plugin) {
            check(bytes, library, checked, missing);
        }
        assertThat(checked).as("members of Neo4j that Proxima calls").hasSizeGreaterThan(100);
        assertThat(missing).isEmpty();
    }

    @Test
    void shouldNoticeWhatIsMissing() throws IOException {
        List<byte[]> plugin = classesOf(installation.plugin());
        Library library = new Library(installation.serverClassPath(), plugin);
        String transaction = "org/neo4j/graphdb/Transaction";
        assertThat(library.has(transaction, "commit", "()V")).isTrue();
        assertThat(library.has("org/neo4j/kernel/impl/coreapi/InternalTransaction", "commit", "()V"))
                .as("inherited")
                .isTrue();
        assertThat(library.has(transaction, "commit", "()J")).isFalse();
        assertThat(library.has(transaction, "toString", "()Ljava/lang/String;")).isTrue();
        assertThat(library.has("org/neo4j/graphdb/NoSuchClass", "commit", "()V"))
                .isFalse();
        Set<String> missing = new TreeSet<>();
        checkTypes("(I[Lorg/neo4j/graphdb/NoSuchClass;)L" + transaction + ";", library, missing);
        assertThat(missing).containsExactly("org/neo4j/graphdb/NoSuchClass");
    }

    private static List<byte[]> classesOf(Path jar) throws IOException {
        List<byte[]> classes = new ArrayList<>();
        try (FileSystem zip = FileSystems.newFileSystem(URI.create("jar:" + jar.toUri()), Map.of());
                Stream<Path> files = Files.walk(zip.getPath("/io/proxima"))) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".class")).toList()) {
                classes.add(Files.readAllBytes(file));
            }
        }
        return classes;
    }

    /** Adds what a class of the plugin refers to and the library lacks, as its constant pool tells. */
    private static void check(byte[] bytes, Library library, Set<String> checked, Set<String> missing) {
        ClassReader reader = new ClassReader(bytes);
        char[] buffer = new char[reader.getMaxStringLength()];
        for (int item = 1; item < reader.getItemCount(); item++) {
            int offset = reader.getItem(item);
            // the second half of a long or double has no offset
            int tag = offset == 0 ? 0 : reader.readByte(offset - 1);
            if (tag == CLASS) {
                String name = reader.readUTF8(offset, buffer);
                checkType(name, library, missing);
            } else if (tag == METHOD_TYPE) {
                checkTypes(reader.readUTF8(offset, buffer), library, missing);
            } else if (tag == INVOKE_DYNAMIC) {
                int nameAndType = reader.getItem(reader.readUnsignedShort(offset + 2));
                checkTypes(reader.readUTF8(nameAndType + 2, buffer), library, missing);
            } else if (tag == FIELD || tag == METHOD || tag == INTERFACE_METHOD) {
                String owner = reader.readClass(offset, buffer);
                int nameAndType = reader.getItem(reader.readUnsignedShort(offset + 2));
                String name = reader.readUTF8(nameAndType, buffer);
                String descriptor = reader.readUTF8(nameAndType + 2, buffer);
                String member = owner + "." + name + descriptor;
                if (isOfNeo4j(owner) && checked.add(member) && !library.has(owner, name, descriptor)) {
                    missing.add(member);
                }
            }
        }
    }

    /** Linking a lambda or a method reference loads the types in its descriptors, unlike those of a method. */
    private static void checkTypes(String descriptor, Library library, Set<String> missing) {
        Type method = Type.getMethodType(descriptor);
        Stream.concat(Stream.of(method.getReturnType()), Stream.of(method.getArgumentTypes()))
                .map(type -> type.getSort() == Type.ARRAY ? type.getElementType() : type)
                .filter(type -> type.getSort() == Type.OBJECT)
                .forEach(type -> checkType(type.getInternalName(), library, missing));
    }

    private static void checkType(String name, Library library, Set<String> missing) {
        if (isOfNeo4j(name) && library.find(name) == null) {
            missing.add(name);
        }
    }

    private static boolean isOfNeo4j(String name) {
        return name.startsWith("org/neo4j/");
    }

    private static boolean isOfTheJdk(String name) {
        return name.startsWith("java/") || name.startsWith("javax/");
    }

    /** The members of the classes of a server and of the plugin, read from the class files. */
    private static final class Library {

        private final Map<String, Path> jarOf = new HashMap<>();
        private final Map<String, Declared> types = new HashMap<>();

        /** A class with what it declares. */
        private record Declared(Set<String> members, List<String> parents) {}

        Library(String classPath, List<byte[]> plugin) throws IOException {
            for (String entry : classPath.split(File.pathSeparator, -1)) {
                try (ZipFile zip = new ZipFile(entry)) {
                    zip.stream().forEach(file -> jarOf.putIfAbsent(file.getName(), Path.of(entry)));
                }
            }
            for (byte[] bytes : plugin) {
                ClassReader reader = new ClassReader(bytes);
                types.put(reader.getClassName(), read(reader));
            }
        }

        boolean has(String owner, String name, String descriptor) {
            Declared type = find(owner);
            return type != null
                    && (type.members().contains(name + descriptor)
                            || type.parents().stream()
                                    .anyMatch(parent ->
                                            isOfTheJdk(parent) ? jdkHas(parent, name) : has(parent, name, descriptor)));
        }

        /** Null if there is no such class. */
        Declared find(String name) {
            return types.computeIfAbsent(name, this::load);
        }

        private Declared load(String name) {
            Path jar = jarOf.get(name + ".class");
            if (jar == null) {
                return null;
            }
            try (ZipFile zip = new ZipFile(jar.toFile());
                    InputStream in = zip.getInputStream(zip.getEntry(name + ".class"))) {
                return read(new ClassReader(in));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static boolean jdkHas(String owner, String name) {
            try {
                return Arrays.stream(Class.forName(owner.replace('/', '.')).getMethods())
                        .anyMatch(method -> method.getName().equals(name));
            } catch (ClassNotFoundException e) {
                return false;
            }
        }

        private static Declared read(ClassReader reader) {
            Set<String> members = new HashSet<>();
            reader.accept(
                    new ClassVisitor(Opcodes.ASM9) {
                        @Override
                        public FieldVisitor visitField(
                                int access, String name, String descriptor, String signature, Object value) {
                            members.add(name + descriptor);
                            return null;
                        }

                        @Override
                        public MethodVisitor visitMethod(
                                int access, String name, String descriptor, String signature, String[] exceptions) {
                            members.add(name + descriptor);
                            return null;
                        }
                    },
                    ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
            List<String> parents = new ArrayList<>(List.of(reader.getInterfaces()));
            parents.add(reader.getSuperName());
            // an interface's references may call what every object has
            parents.add("java/lang/Object");
            return new Declared(members, parents);
        }
    }
}
