// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.vulkan.driver;

import io.proxima.backend.device.KernelInterface.Entry;
import io.proxima.backend.device.KernelInterface.Field;
import io.proxima.backend.device.KernelInterface.Kind;
import io.proxima.backend.device.KernelInterface.Struct;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Reads a compiled kernel's interface from its SPIR-V: the number of threads of a workgroup, and the fields of its
 * struct {@value #ARGUMENTS}. The compiler keeps the names.
 */
final class Spirv {

    /** The name of the struct of arguments in the sources. */
    static final String ARGUMENTS = "Arguments";

    private static final int HEADER_WORDS = 5;

    // opcodes of the SPIR-V specification
    private static final int OP_NAME = 5;
    private static final int OP_MEMBER_NAME = 6;
    private static final int OP_EXECUTION_MODE = 16;
    private static final int OP_TYPE_INT = 21;
    private static final int OP_TYPE_STRUCT = 30;
    private static final int OP_MEMBER_DECORATE = 72;

    private static final int MODE_LOCAL_SIZE = 17;
    private static final int DECORATION_OFFSET = 35;

    private final Map<Integer, String> names = new HashMap<>();
    private final Map<Integer, Map<Integer, String>> memberNames = new HashMap<>();
    private final Map<Integer, Map<Integer, Integer>> offsets = new HashMap<>();
    private final Map<Integer, Integer> integerBits = new HashMap<>();
    private final Map<Integer, int[]> structs = new HashMap<>();
    private int threads;

    private Spirv(byte[] code) {
        IntBuffer words = ByteBuffer.wrap(code).order(ByteOrder.LITTLE_ENDIAN).asIntBuffer();
        int at = HEADER_WORDS;
        while (at < words.limit()) {
            int length = words.get(at) >>> Short.SIZE;
            read(words.get(at) & 0xffff, words.slice(at + 1, length - 1));
            at += length;
        }
    }

    /** The interface of the kernel {@code name}, which is the only one of its module. */
    static Entry entry(String name, byte[] code) {
        Spirv module = new Spirv(code);
        return new Entry(name, name, module.threads, module.arguments());
    }

    private void read(int opcode, IntBuffer operands) {
        switch (opcode) {
            case OP_NAME -> names.put(operands.get(0), text(operands, 1));
            case OP_MEMBER_NAME ->
                memberNames
                        .computeIfAbsent(operands.get(0), type -> new HashMap<>())
                        .put(operands.get(1), text(operands, 2));
            case OP_MEMBER_DECORATE -> {
                if (operands.get(2) == DECORATION_OFFSET) {
                    offsets.computeIfAbsent(operands.get(0), type -> new HashMap<>())
                            .put(operands.get(1), operands.get(3));
                }
            }
            case OP_TYPE_INT -> integerBits.put(operands.get(0), operands.get(1));
            case OP_TYPE_STRUCT -> {
                int[] members = new int[operands.limit() - 1];
                operands.get(1, members);
                structs.put(operands.get(0), members);
            }
            case OP_EXECUTION_MODE -> {
                if (operands.get(1) == MODE_LOCAL_SIZE) {
                    threads = operands.get(2);
                }
            }
            default -> {
                // says nothing of the interface
            }
        }
    }

    private static String text(IntBuffer operands, int first) {
        ByteBuffer bytes =
                ByteBuffer.allocate((operands.limit() - first) * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asIntBuffer().put(operands.slice(first, operands.limit() - first));
        String padded = StandardCharsets.UTF_8.decode(bytes).toString();
        return padded.substring(0, padded.indexOf('\0'));
    }

    /** A field whose name is a keyword of GLSL has an underscore behind it. */
    private static String withoutUnderscore(String name) {
        return name.endsWith("_") ? name.substring(0, name.length() - 1) : name;
    }

    private Struct arguments() {
        int type = names.entrySet().stream()
                .filter(name -> name.getValue().equals(ARGUMENTS))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow();
        Map<String, Field> fields = new TreeMap<>();
        int[] members = structs.get(type);
        int end = 0;
        for (int i = 0; i < members.length; i++) {
            int offset = offsets.get(type).get(i);
            // what is no integer is a pointer
            Kind kind = integerBits.getOrDefault(members[i], Long.SIZE) == Integer.SIZE ? Kind.U32 : Kind.PTR;
            fields.put(withoutUnderscore(memberNames.get(type).get(i)), new Field(kind, offset));
            end = Math.max(end, offset + (kind == Kind.U32 ? Integer.BYTES : Long.BYTES));
        }
        // the driver copies whole words of 8 bytes
        return new Struct((end + Long.BYTES - 1) / Long.BYTES * Long.BYTES, fields);
    }
}
