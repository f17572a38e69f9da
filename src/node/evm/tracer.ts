import type { Address } from '#primitives/hex.ts'
import type { StateReader } from '../state/state-reader.ts'
import type { BlockEnv } from './block-env.ts'
import type { EngineLog, Execution, MessageFailure, TransactionMessage } from './message.ts'

/** One step of code before it is executed. */
export interface TraceStep {
  readonly pc: number
  /** The opcode's byte. */
  readonly opcode: number
  /** Geth's name of the opcode. */
  readonly op: string
  /** Remaining gas. */
  readonly gas: bigint
  /** Gas of the step; for a call including the gas passed to its target. */
  readonly gasCost: bigint
  /** 0 in the code called by the transaction. */
  readonly depth: number
  /** Lowest word first. */
  readonly stack: readonly bigint[]
  /** Memory before the step extends it. */
  readonly memory: Uint8Array
  /** Return data of the last call or creation in this frame. */
  readonly returnData: Uint8Array
  /** Gas. */
  readonly refund: bigint
  /** The value that an SLOAD reads; `undefined` for other steps. */
  readonly loaded: bigint | undefined
  /** The account whose storage the code uses. */
  readonly address: Address
  /** Whether the step is already known to fail: too little gas, too few words on the stack, … */
  readonly fails: boolean
}

export type FrameType =
  | 'CALL'
  | 'CALLCODE'
  | 'DELEGATECALL'
  | 'STATICCALL'
  | 'CREATE'
  | 'CREATE2'
  /** A frame without steps or nested frames. */
  | 'SELFDESTRUCT'

/** The start of a frame, whether or not it has code. */
export interface FrameStart {
  readonly type: FrameType
  /** 0 for the frame of the transaction. */
  readonly depth: number
  readonly from: Address
  /** The account whose code runs, that is created, or that receives the balance. */
  readonly to: Address
  /** Wei; for a DELEGATECALL the parent's value, `undefined` for a STATICCALL. */
  readonly value: bigint | undefined
  readonly gas: bigint
  readonly input: Uint8Array
}

/** The end of a frame: always the newest open one. */
export interface FrameExit {
  readonly depth: number
  /** Return data, revert data, or the code of a new contract. */
  readonly output: Uint8Array
  readonly gasUsed: bigint
  readonly failure: MessageFailure | undefined
}

/** Consecutive steps of an execution. */
export interface StepWindow {
  readonly first: number
  readonly count: number
}

/** Watches a message. If it throws, the execution ends as if the engine had failed. */
export interface Tracer {
  /**
   * Whether it needs the steps of an opcode. An engine may skip others, since describing a step takes far longer than
   * executing it.
   */
  needsStep?(opcode: number): boolean
  /**
   * Whether it only needs steps that use an account or a slot (`usesState`), and of these none that uses the same as one
   * before: an engine may skip all others, and say that a step costs nothing. Told once, before the first step.
   */
  readonly onlyNewUses?: boolean
  /** Steps that it needs, counted from 0 through all frames; by default all. Told once, before the first step. */
  readonly window?: StepWindow
  /** Whether steps may omit memory; it is then empty. */
  readonly withoutMemory?: boolean
  /** Whether the steps of an opcode need memory; asked right before each step, unless all may omit it. By default all do. */
  needsMemory?(opcode: number): boolean
  /** Whether steps may omit return data; it is then empty. */
  readonly withoutReturnData?: boolean
  step?(step: TraceStep): void
  /**
   * Takes all steps, many at a time, each before the next event of another kind: an engine can record a step in far less
   * time than it takes to describe one. A tracer that has this has no `step`.
   *
   * @param pcs - Big-endian, 4 bytes of each step: its offset in the code of its frame. Only valid during the call.
   * @param gas - Likewise the gas left before it, at most 2^32 − 1.
   */
  record?(pcs: Uint8Array, gas: Uint8Array): void
  enter?(frame: FrameStart): void
  exit?(frame: FrameExit): void
  /** A log as it is emitted; its frame may still fail. */
  log?(log: EngineLog): void
}

/** State, block and message at the start of a transaction. */
export interface TraceStart {
  /**
   * The state before the transaction; changes by code appear with their step or at its end, depending on the engine.
   */
  readonly state: StateReader
  readonly env: BlockEnv
  readonly message: TransactionMessage
}

/** Watches a transaction or a call. */
export interface TransactionTracer extends Tracer {
  /** Called before the gas is bought. */
  begin?(start: TraceStart): void
  /** Called after the fees were paid. */
  end?(execution: Execution): void
}

/** Watches executions one by one. */
export interface ExecutionWatcher {
  /** @param isTransaction - Or else a call, which nobody pays for. */
  watch(isTransaction?: boolean): TransactionTracer
}
