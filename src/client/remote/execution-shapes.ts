import type { RpcConsoleLine, RpcConsoleLogs } from '#rpc-types/console.ts'
import type {
  RpcExecutionFrame,
  RpcExecutionTrace,
  RpcStep,
  RpcStepWindow,
  RpcStorageTrace,
} from '#rpc-types/execution-trace.ts'
import type { RpcBuild, RpcStackFrame, RpcStackTrace } from '#rpc-types/stack-trace.ts'
import {
  address,
  anything,
  blockNumber,
  count,
  data,
  flag,
  hash,
  listOf,
  matches,
  nullable,
  object,
  optional,
  quantity,
  recordOf,
  type Shape,
  text,
} from './shapes.ts'

/** Characters of one step in a column: 4 bytes. */
const STEP_CHARACTERS = 8

const members = object<RpcExecutionTrace>({
  steps: count,
  pcs: data,
  gas: data,
  frames: listOf(
    object<RpcExecutionFrame>({
      type: matches(/^(?:CALL|CALLCODE|DELEGATECALL|STATICCALL|CREATE|CREATE2|SELFDESTRUCT)$/),
      parent: nullable(count),
      depth: count,
      from: address,
      to: address,
      codeAddress: address,
      code: nullable(hash),
      value: nullable(quantity),
      gas: quantity,
      gasUsed: quantity,
      input: data,
      output: data,
      error: nullable(text),
      firstStep: count,
      endStep: count,
    }),
  ),
  codes: recordOf(data),
  gasLimit: quantity,
  intrinsicGas: quantity,
  refund: quantity,
  floorGas: quantity,
  gasUsed: quantity,
})

/** An answer to `devnet_traceExecution`: each frame lies within its parent, and the columns have all steps. */
export const executionTrace: Shape = (value, path) => {
  const wrong = members(value, path)
  if (wrong !== undefined) return wrong
  const { steps, pcs, gas, frames, codes } = value as RpcExecutionTrace
  if (pcs.length !== 2 + STEP_CHARACTERS * steps) return 'pcs'
  if (gas.length !== pcs.length) return 'gas'
  if (frames.length === 0) return 'frames'
  for (const [i, { parent, code, firstStep, endStep }] of frames.entries()) {
    const outer = parent === null ? { firstStep: 0, endStep: steps } : frames[parent]
    const isInside = outer && firstStep >= outer.firstStep && firstStep <= endStep && endStep <= outer.endStep
    if ((parent === null) !== (i === 0) || (parent ?? -1) >= i || !isInside) return `frames[${i}]`
    if (code !== null && !Object.hasOwn(codes, code)) return `frames[${i}].code`
  }
  return undefined
}

/** What an execution has logged, as an answer and as a notification. */
export const consoleLogs: Shape = object<RpcConsoleLogs>({
  transactionHash: nullable(hash),
  method: nullable(text),
  from: address,
  to: nullable(address),
  blockNumber,
  error: nullable(text),
  lines: listOf(object<RpcConsoleLine>({ input: data, text, values: listOf(text), signature: nullable(text) })),
  more: count,
})

/** Where an execution failed. */
export const stackTrace: Shape = object<RpcStackTrace>({
  data,
  message: text,
  stack: listOf(
    object<RpcStackFrame>({
      address,
      contract: nullable(text),
      function: nullable(text),
      file: nullable(text),
      line: nullable(count),
      column: nullable(count),
      text: nullable(text),
    }),
  ),
})

/** A compilation. Whoever reads it checks what is in it. */
export const build: Shape = object<RpcBuild>({
  contract: text,
  path: text,
  compiler: text,
  isExact: flag,
  input: recordOf(anything),
  output: recordOf(anything),
})

/** Characters of one use of a slot: two words. */
const USE_CHARACTERS = 128

/** An answer to `devnet_traceStorage`. */
export const storageTrace: Shape = (value, path) => {
  const wrong = storageMembers(value, path)
  if (wrong !== undefined) return wrong
  const { uses, transient = '0x' } = value as RpcStorageTrace
  if ((uses.length - 2) % USE_CHARACTERS !== 0) return 'uses'
  return (transient.length - 2) % USE_CHARACTERS === 0 ? undefined : 'transient'
}

const storageMembers = object<RpcStorageTrace>({
  uses: data,
  transient: optional(data),
  isCut: flag,
  before: recordOf(recordOf(hash)),
  hashed: listOf(data),
})

/** Storages as the prestate tracer tells them in `diffMode`. */
const stored = recordOf(object({ storage: optional(recordOf(hash)) }))

/** What a transaction changed. */
export const prestateDiff: Shape = object({ pre: stored, post: stored })

/** An answer to `devnet_traceSteps`. */
export const stepWindow: Shape = object<RpcStepWindow>({
  first: count,
  steps: listOf(
    object<RpcStep>({
      pc: count,
      op: text,
      gas: quantity,
      gasCost: quantity,
      depth: count,
      frame: count,
      stack: listOf(quantity),
      memory: optional(data),
      returnData: optional(data),
      storage: optional(object({ key: hash, value: hash })),
      transient: optional(object({ key: hash, value: optional(hash) })),
      refund: quantity,
    }),
  ),
})
