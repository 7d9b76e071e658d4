// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.vulkan.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.List;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.util.spvc.Spv;
import org.lwjgl.util.spvc.Spvc;
import org.lwjgl.util.spvc.SpvcReflectedResource;

/** Reads the interface of a compiled kernel by SPIRV-Cross, as lines of {@code kernels.interface}. */
final class ShaderInterface implements AutoCloseable {

    private final long context;
    private final long compiler;

    private ShaderInterface(byte[] code) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            PointerBuffer made = stack.mallocPointer(1);
            check(Spvc.spvc_context_create(made));
            context = made.get(0);
            ByteBuffer bytes = MemoryUtil.memAlloc(code.length).put(0, code);
            try {
                IntBuffer words = bytes.asIntBuffer();
                check(Spvc.spvc_context_parse_spirv(context, words, words.remaining(), made));
            } finally {
                MemoryUtil.memFree(bytes);
            }
            check(Spvc.spvc_context_create_compiler(
                    context, Spvc.SPVC_BACKEND_NONE, made.get(0), Spvc.SPVC_CAPTURE_MODE_TAKE_OWNERSHIP, made));
            compiler = made.get(0);
        }
    }

    /**
     * The lines of a kernel, which is a module of its own.
     *
     * @param struct what the file calls the kernel's argument
     */
    static List<String> lines(String kernel, String struct, byte[] code) {
        try (ShaderInterface module = new ShaderInterface(code)) {
            List<String> lines = new ArrayList<>();
            lines.add(String.join(" ", "entry", kernel, kernel, String.valueOf(module.threads()), struct));
            module.add(lines, struct);
            return lines;
        }
    }

    private int threads() {
        return Spvc.spvc_compiler_get_execution_mode_argument(compiler, Spv.SpvExecutionModeLocalSize);
    }

    private void add(List<String> lines, String struct) {
        int id = argument();
        long type = Spvc.spvc_compiler_get_type_handle(compiler, id);
        try (MemoryStack stack = MemoryStack.stackPush()) {
            PointerBuffer size = stack.mallocPointer(1);
            IntBuffer offset = stack.mallocInt(1);
            check(Spvc.spvc_compiler_get_declared_struct_size(compiler, type, size));
            // the driver copies whole words of 8 bytes
            long bytes = (size.get(0) + Long.BYTES - 1) / Long.BYTES * Long.BYTES;
            lines.add(String.join(" ", "struct", struct, String.valueOf(bytes)));
            for (int i = 0; i < Spvc.spvc_type_get_num_member_types(type); i++) {
                check(Spvc.spvc_compiler_type_struct_member_offset(compiler, type, i, offset));
                String name = Spvc.spvc_compiler_get_member_name(compiler, id, i);
                lines.add(String.join(
                        " ", "field", struct, String.valueOf(offset.get(0)), kind(type, i), withoutUnderscore(name)));
            }
        }
    }

    /** The struct to which the only push constant points. */
    private int argument() {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            PointerBuffer made = stack.mallocPointer(1);
            PointerBuffer count = stack.mallocPointer(1);
            check(Spvc.spvc_compiler_create_shader_resources(compiler, made));
            check(Spvc.spvc_resources_get_resource_list_for_type(
                    made.get(0), Spvc.SPVC_RESOURCE_TYPE_PUSH_CONSTANT, made, count));
            assertThat(count.get(0)).isEqualTo(1);
            int push = SpvcReflectedResource.create(made.get(0)).base_type_id();
            long pushed = Spvc.spvc_compiler_get_type_handle(compiler, push);
            long pointer = Spvc.spvc_compiler_get_type_handle(compiler, Spvc.spvc_type_get_member_type(pushed, 0));
            return Spvc.spvc_type_get_base_type_id(pointer);
        }
    }

    private String kind(long struct, int member) {
        long type = Spvc.spvc_compiler_get_type_handle(compiler, Spvc.spvc_type_get_member_type(struct, member));
        int base = Spvc.spvc_type_get_basetype(type);
        return switch (base) {
            case Spvc.SPVC_BASETYPE_STRUCT -> "ptr";
            case Spvc.SPVC_BASETYPE_UINT64 -> "u64";
            case Spvc.SPVC_BASETYPE_UINT32 -> "u32";
            default -> throw new AssertionError("no kernel takes a field of SPIRV-Cross's type " + base);
        };
    }

    /** A field whose name is a keyword of GLSL has an underscore behind it. */
    private static String withoutUnderscore(String name) {
        return name.endsWith("_") ? name.substring(0, name.length() - 1) : name;
    }

    private void check(int result) {
        assertThat(result)
                .as(() -> Spvc.spvc_context_get_last_error_string(context))
                .isEqualTo(Spvc.SPVC_SUCCESS);
    }

    @Override
    public void close() {
        Spvc.spvc_context_destroy(context);
    }
}
