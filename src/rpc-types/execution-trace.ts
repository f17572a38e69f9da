import type { Address, Hash, Hex, Quantity } from '#primitives/hex.ts'
import type { BlockSelector, RpcCall } from '#rpc-types/objects.ts'
import type { RpcBlockOverrides, RpcStateOverrides } from '#rpc-types/overrides.ts'

/** An execution to look into: a sealed or pre-confirmed transaction by its hash, or a call. */
export type RpcExecutionSubject = Hash | RpcExecutedCall

/** A call as `eth_call` makes it. */
export interface RpcExecutedCall {
  readonly call: RpcCall
  /** Default `latest`. */
  readonly block?: BlockSelector
  readonly stateOverrides?: RpcStateOverrides
  readonly blockOverrides?: RpcBlockOverrides
}

/**
 * An execution in full: its frames, the codes they ran, and of each step where it stood and what gas was left. What a step
 * cost is the difference to its frame's next step, or to the frame's end, less the `gasUsed` of the frames that it began.
 * Its `gasUsed` is exactly `intrinsicGas` + `frames[0].gasUsed` − `refund` + `floorGas`.
 */
export interface RpcExecutionTrace {
  /** Number of steps: executed opcodes, in all frames. */
  readonly steps: number
  /** For each step 4 bytes, big-endian: its offset in the code of its frame. */
  readonly pcs: Hex
  /** For each step 4 bytes, big-endian: gas left in its frame before it, at most 2^32 − 1. */
  readonly gas: Hex
  /** In order of entry; the first is the transaction's own. */
  readonly frames: readonly RpcExecutionFrame[]
  /** Each code that ran, once, by its keccak-256. */
  readonly codes: Readonly<Record<Hash, Hex>>
  readonly gasLimit: Quantity
  /** Gas that was paid before the first step. */
  readonly intrinsicGas: Quantity
  /** Gas that was given back, as far as the cap allows (EIP-3529). */
  readonly refund: Quantity
  /** Gas that was added because the input costs more than the execution (EIP-7623); mostly 0. */
  readonly floorGas: Quantity
  /** As in the receipt. */
  readonly gasUsed: Quantity
}

/** One frame: a call, a creation or a self-destruction. */
export interface RpcExecutionFrame {
  readonly type: 'CALL' | 'CALLCODE' | 'DELEGATECALL' | 'STATICCALL' | 'CREATE' | 'CREATE2' | 'SELFDESTRUCT'
  /** Index of the frame that began it; `null` for the transaction's own. */
  readonly parent: number | null
  /** 0 for the transaction's own. */
  readonly depth: number
  readonly from: Address
  /** What was called or created; of a DELEGATECALL and a CALLCODE the account whose code was asked for. */
  readonly to: Address
  /** The account whose code runs: `to`, or the one that it delegates to (EIP-7702). */
  readonly codeAddress: Address
  /** Key of the code in `codes`; the initcode of a creation; `null` for a precompile, and where there is no code. */
  readonly code: Hash | null
  /** Wei; of a DELEGATECALL the parent's; `null` for a STATICCALL. */
  readonly value: Quantity | null
  /** Gas that it began with; of the transaction's own frame without the intrinsic gas. */
  readonly gas: Quantity
  /** With that of the frames inside it; before refunds. */
  readonly gasUsed: Quantity
  /** The initcode of a creation. */
  readonly input: Hex
  /** Return data, revert data, or the code of a new contract. */
  readonly output: Hex
  /** Why it failed, in geth's words; `null` if it succeeded. */
  readonly error: string | null
  /** Index of its first step. */
  readonly firstStep: number
  /** Index after its last step; the frames inside it are within. */
  readonly endStep: number
}

/** The account whose storage a frame reads and writes. */
export function storageAddress({ type, from, to }: Pick<RpcExecutionFrame, 'type' | 'from' | 'to'>): Address {
  return type === 'DELEGATECALL' || type === 'CALLCODE' ? from : to
}

/** Result of `devnet_traceStorage`: the slots that an execution uses, and what it hashes. */
export interface RpcStorageTrace {
  /**
   * For each SLOAD and SSTORE that was executed, in order, 64 bytes: the slot, and what is read or written. What a frame
   * writes is undone if it fails.
   */
  readonly uses: Hex
  /**
   * For each TSTORE that was executed, in order, 64 bytes: the slot, and what is written; left out if there is none. All
   * slots are 0 before. What a frame writes is undone if it fails.
   */
  readonly transient?: Hex
  /** Whether there are more uses, or more writes of transient storage, than are told: at most 131,072 of each are. */
  readonly isCut: boolean
  /** Values before the execution, by account and slot: of the slots that it uses, and of those that were asked for. */
  readonly before: Readonly<Record<Address, Readonly<Record<Hash, Hash>>>>
  /** Inputs of KECCAK256 of 33 to 1,024 bytes, each once: among them the keys of mappings with their slots. */
  readonly hashed: readonly Hex[]
}

/** Result of `devnet_traceSteps`: some steps of an execution in full. */
export interface RpcStepWindow {
  /** Index of the first one. */
  readonly first: number
  /** Fewer than asked for where the execution ends, and where memories are so large that the answer would be too long. */
  readonly steps: readonly RpcStep[]
}

/** A step before it is executed. */
export interface RpcStep {
  readonly pc: number
  /** Geth's name of the opcode. */
  readonly op: string
  /** Gas left in its frame. */
  readonly gas: Quantity
  /** Gas that it takes; of a call with what it passes on. */
  readonly gasCost: Quantity
  /** 0 in the code that the transaction calls. */
  readonly depth: number
  /** Index of its frame in `frames` of `devnet_traceExecution`. */
  readonly frame: number
  /** Lowest word first. */
  readonly stack: readonly Quantity[]
  /** Whole words, as many as are paid for; left out where they are those of the step before in this answer. */
  readonly memory?: Hex
  /** Return data of the frame's last call or creation; left out where it is that of the step before in this answer. */
  readonly returnData?: Hex
  /** What an SLOAD reads or an SSTORE writes. */
  readonly storage?: { readonly key: Hash; readonly value: Hash }
  /** What a TSTORE writes or a TLOAD reads, unless it is the last step of this answer. */
  readonly transient?: { readonly key: Hash; readonly value?: Hash }
  /** The counter, in gas, without any cap. */
  readonly refund: Quantity
}
