import { hexToBytes } from '#primitives/hex.ts'
import type { RpcExecutionTrace } from '#rpc-types/execution-trace.ts'

/** A column of an execution's steps, as numbers. */
export function column(hex: `0x${string}`): number[] {
  const bytes = hexToBytes(hex)
  const view = new DataView(bytes.buffer)
  return Array.from({ length: bytes.length / 4 }, (_, i) => view.getUint32(4 * i))
}

/** What each step cost by itself, without what the frames that it began have used. */
export function ownGas({ gas: hex, frames }: RpcExecutionTrace): number[] {
  const gas = column(hex)
  const own: number[] = gas.map(() => 0)
  for (const [index, frame] of frames.entries()) {
    const children = frames.filter(({ parent }) => parent === index)
    const within = (step: number) => children.some(({ firstStep, endStep }) => step >= firstStep && step < endStep)
    const steps: number[] = []
    for (let step = frame.firstStep; step < frame.endStep; step++) if (!within(step)) steps.push(step)
    for (const [i, step] of steps.entries()) {
      const next = steps[i + 1]
      const after = next === undefined ? Number(frame.gas) - Number(frame.gasUsed) : (gas[next] as number)
      own[step] = (gas[step] as number) - after
    }
    for (const { firstStep, gasUsed } of children) own[firstStep - 1] = (own[firstStep - 1] as number) - Number(gasUsed)
  }
  return own
}
