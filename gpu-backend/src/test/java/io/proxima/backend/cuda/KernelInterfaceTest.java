// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.backend.LoadedGraph;
import io.proxima.backend.cuda.driver.KernelConstants;
import io.proxima.backend.cuda.driver.ShippedKernels;
import io.proxima.backend.device.ControlBlock;
import io.proxima.backend.device.KernelArguments;
import io.proxima.backend.device.KernelInterface;
import io.proxima.backend.device.LaunchPolicy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The host passes what the compiled kernels take. */
class KernelInterfaceTest {

    private static final String ENTRY = "compact_heads_thread";

    /** What is also a number of the graph's format or of the interface of backends, which know no kernels. */
    @Test
    void shouldShareTheConstantsOfOtherPackages() {
        assertThat(LoadedGraph.NO_MAX_DEPTH).isEqualTo(KernelConstants.NO_MAX_DEPTH);
        assertThat(LoadedGraph.UNREACHED).isEqualTo(KernelConstants.UNREACHED);
        assertThat(LaunchPolicy.BLOCK_THREADS).isEqualTo(KernelConstants.BLOCK_THREADS);
    }

    @Test
    void shouldHaveTheControlBlockOfAllBackends() {
        assertThat(ControlBlock.BYTES).isEqualTo(KernelConstants.CONTROL_BYTES);
        assertThat(ControlBlock.LEVEL_OFFSET).isEqualTo(KernelConstants.CONTROL_LEVEL_OFFSET);
        assertThat(ControlBlock.STOPPED_OFFSET).isEqualTo(KernelConstants.CONTROL_STOPPED_OFFSET);
        assertThat(ControlBlock.OVERFLOW_OFFSET).isEqualTo(KernelConstants.CONTROL_OVERFLOW_OFFSET);
        assertThat(ControlBlock.RESUMES_OFFSET).isEqualTo(KernelConstants.CONTROL_RESUMES_OFFSET);
        assertThat(ControlBlock.WORK_OFFSET).isEqualTo(KernelConstants.CONTROL_WORK_OFFSET);
        assertThat(ControlBlock.FIRST_FLAG_OFFSET).isEqualTo(KernelConstants.CONTROL_STOP_SEEN_OFFSET);
        assertThat(ControlBlock.PAUSED_OFFSET).isEqualTo(KernelConstants.CONTROL_PAUSED_OFFSET);
        assertThat(ControlBlock.LEVELS_TOO_NARROW).isEqualTo(KernelConstants.LEVELS_TOO_NARROW);
        assertThat(ControlBlock.COUNTS_TOO_SHALLOW).isEqualTo(KernelConstants.COUNTS_TOO_SHALLOW);
    }

    @Test
    void shouldNotReadKernelsThatDisagree() {
        assertDisagree("entry a same - S", "entry b same - S");
        assertDisagree("struct S 8", "struct S 16");
        assertDisagree("struct S 8", "field S 0 ptr one", "field S 0 u64 one");
    }

    private static void assertDisagree(String... lines) {
        assertThatThrownBy(() -> KernelInterface.of(List.of(lines)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("disagree");
    }

    /** As the compiler lays them out, whatever the order in which they are set. */
    @Test
    void shouldPlaceFields() {
        KernelInterface mixed = KernelInterface.of(List.of(
                "entry a mixed 64 S",
                "field S 8 u64 second",
                "field S 0 u32 first",
                "field S 16 f32 third",
                "struct S 24"));
        KernelArguments arguments =
                mixed.arguments("mixed").set("third", 3f).set("second", 2).set("first", -1);
        ByteBuffer struct = ByteBuffer.wrap(arguments.bytes()).order(ByteOrder.nativeOrder());
        assertThat(struct.capacity()).isEqualTo(24);
        assertThat(struct.getInt(0)).isEqualTo(-1);
        assertThat(struct.getLong(8)).isEqualTo(2);
        assertThat(struct.getFloat(16)).isEqualTo(3);
        assertThat(arguments.entry().threads()).isEqualTo(64);
    }

    @Test
    void shouldRefuseALaunchWithoutAField() {
        KernelArguments arguments =
                ShippedKernels.arguments(ENTRY).set("inPtrs", 1L).set("heads", 1L);
        assertThatThrownBy(arguments::bytes)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("compact_heads_thread wants [active, inIdx]");
    }

    @Test
    void shouldRefuseFieldsThatTheKernelHasNot() {
        KernelArguments arguments = ShippedKernels.arguments(ENTRY);
        assertThatThrownBy(() -> arguments.set("more", 0)).hasMessage("compact_heads_thread takes no more");
        assertThatThrownBy(() -> arguments.set("active", 1f)).hasMessage("active of compact_heads_thread is no float");
        assertThatThrownBy(() -> arguments.set("active", 1L << 31)).isInstanceOf(ArithmeticException.class);
        assertThatThrownBy(() ->
                        ShippedKernels.arguments("bfs_directional_p32_grid").set("sweep", 1))
                .hasMessage("sweep of bfs_directional_p32_grid is a float");
        assertThatThrownBy(() -> ShippedKernels.arguments("absent")).hasMessage("no kernel has the entry absent");
    }
}
