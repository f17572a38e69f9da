import { invariant } from '#primitives/invariant.ts'
import type { EngineLog, Execution } from '../../evm/message.ts'
import type { FrameExit, FrameStart, TraceStart, TraceStep, TransactionTracer } from '../../evm/tracer.ts'

/** One tracer that tells several what happens, each as much as it asks for. None of them records steps or has a window. */
export function combineTracers(tracers: readonly TransactionTracer[]): TransactionTracer {
  invariant(
    tracers.every((tracer) => !('record' in tracer || 'window' in tracer)),
    'these tracers cannot be combined',
  )
  const stepping = tracers.filter((tracer) => 'step' in tracer)
  const needs = (tracer: TransactionTracer, opcode: number) => tracer.needsStep?.(opcode) !== false
  return {
    begin(start: TraceStart) {
      for (const tracer of tracers) tracer.begin?.(start)
    },
    enter(frame: FrameStart) {
      for (const tracer of tracers) tracer.enter?.(frame)
    },
    exit(frame: FrameExit) {
      for (const tracer of tracers) tracer.exit?.(frame)
    },
    log(log: EngineLog) {
      for (const tracer of tracers) tracer.log?.(log)
    },
    end(execution: Execution) {
      for (const tracer of tracers) tracer.end?.(execution)
    },
    // An engine describes steps only to who has this.
    ...(stepping.length > 0 && {
      needsStep: (opcode: number) => stepping.some((tracer) => needs(tracer, opcode)),
      withoutMemory: stepping.every(({ withoutMemory }) => withoutMemory === true),
      needsMemory: (opcode: number) =>
        stepping.some(
          (tracer) => needs(tracer, opcode) && !tracer.withoutMemory && tracer.needsMemory?.(opcode) !== false,
        ),
      withoutReturnData: stepping.every(({ withoutReturnData }) => withoutReturnData === true),
      step(step: TraceStep) {
        for (const tracer of stepping) if (needs(tracer, step.opcode)) tracer.step?.(step)
      },
    }),
  }
}
