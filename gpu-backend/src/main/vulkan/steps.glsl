// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0

// A launch in steps: the host dispatches the phases CLEAR, BEGIN, STEP several times, and END, each with the same argument. No
// workgroup waits for another, because Vulkan does not guarantee that all of them run at once. The last workgroup of a step
// decides what the next one does. If the steps do not suffice, the launch reports that it has paused, and the host launches
// again: then CLEAR and BEGIN do nothing, and STEP continues.
const uint PHASE_CLEAR = 0;
const uint PHASE_BEGIN = 1;
const uint PHASE_STEP = 2;
const uint PHASE_END = 3;

// each phase is a pipeline of its own
layout(constant_id = 0) const uint PHASE = PHASE_STEP;

const uint LEVELS_TOO_NARROW = 1;
const uint COUNTS_TOO_SHALLOW = 2;

// the host knows the names without an underscore by their offsets: io.proxima.backend.device.ControlBlock
layout(buffer_reference, std430, buffer_reference_align = 16) nonprivate buffer Control {
    uint unused_[4];
    uint deepest;       // 16
    uint stopped;       // 20
    uint overflow_;     // 24
    uint resumes;       // 28
    uint work;          // 32
    uint workHigh_;     // 36
    uint mode_;         // 40: what the next step does; 0 at the end
    uint ticket_;       // 44: workgroups that have done this step
    uint level_;        // 48: the level that the last step has found
    uint flips_;        // 52: which of two buffers is read
    uint state_[10];    // 56: of the kernel
    uint flags_[3];     // 96
    uint paused;        // 108
};

// the words of the block that the host reads
const uint CONTROL_WORDS = 64;

layout(buffer_reference, std430, buffer_reference_align = 4) nonprivate buffer StopFlag { uint stop, pause; };

const uint DONE = 0;

shared uint lastOfStep;

/** Whether this workgroup is the last one of the step, and so sees what all others have written. */
bool isLast(Control control) {
    syncGroup();
    if (gl_LocalInvocationIndex == 0) {
        uint before = atomicAdd(
            control.ticket_,
            1,
            gl_ScopeDevice,
            gl_StorageSemanticsBuffer,
            gl_SemanticsAcquireRelease | gl_SemanticsMakeAvailable | gl_SemanticsMakeVisible);
        lastOfStep = before == gl_NumWorkGroups.x - 1 ? 1 : 0;
        if (lastOfStep != 0) {
            control.ticket_ = 0;
        }
    }
    syncGroup();
    return lastOfStep != 0;
}

/** Ends or pauses the launch if the host asks for it before its end. By one thread, between two steps. */
void obey(Control control, StopFlag flag) {
    if (control.mode_ == DONE) {
        return;
    }
    if (flag.stop != 0) {
        control.stopped = 1;
        control.mode_ = DONE;
    } else if (flag.pause != 0) {
        control.paused = 1;
    }
}

bool hasEnded(Control control) {
    return control.mode_ == DONE || control.paused != 0;
}

/** Reports the control block, and zeroes it unless the launch has to be resumed. By one workgroup. */
void report(Control control, Uints to) {
    if (gl_LocalInvocationIndex == 0 && control.mode_ != DONE) {
        control.paused = 1;
    }
    syncGroup();
    bool ends = control.paused == 0;
    syncGroup();
    Uints words = Uints(control);
    for (uint i = gl_LocalInvocationIndex; i < CONTROL_WORDS; i += GROUP) {
        to.v[i] = words.v[i];
        if (ends) {
            words.v[i] = 0;
        }
    }
}
