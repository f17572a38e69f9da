import type { Address } from '#primitives/hex.ts'
import type { StateReader } from '../state/state-reader.ts'
import type { BlockEnv } from './block-env.ts'
import type { EngineLog, Execution, MessageFailure, TransactionMessage } from './message.ts'

/** One step of code, before it is executed. */
export interface TraceStep {
  readonly pc: number
  /** The byte itself. */
  readonly opcode: number
  /** Its name, as geth has it. */
  readonly op: string
  /** Gas that was left. */
  readonly gas: bigint
  /** Gas that the step takes; of a call, with what it hands to its target. */
  readonly gasCost: bigint
  /** 0 in the code that the transaction calls. */
  readonly depth: number
  /** Lowest word first. */
  readonly stack: readonly bigint[]
  /** Not yet extended by the step. */
  readonly memory: Uint8Array
  /** Of the last call or creation in this frame. */
  readonly returnData: Uint8Array
  /** Gas. */
  readonly refund: bigint
  /** The value that an SLOAD reads; `undefined` for other steps. */
  readonly loaded: bigint | undefined
  /** The account whose storage the code works on. */
  readonly address: Address
  /** Whether it is known already that the step cannot be executed: too little gas, too few words on the stack, … */
  readonly fails: boolean
}

export type FrameType =
  | 'CALL'
  | 'CALLCODE'
  | 'DELEGATECALL'
  | 'STATICCALL'
  | 'CREATE'
  | 'CREATE2'
  /** Has neither steps nor frames within. */
  | 'SELFDESTRUCT'

/** A frame that begins, whether or not there is code to run in it. */
export interface FrameEntry {
  readonly type: FrameType
  /** 0 for the frame of the transaction. */
  readonly depth: number
  readonly from: Address
  /** The account whose code runs, that is created, or that inherits. */
  readonly to: Address
  /** Wei; of a DELEGATECALL its parent's, `undefined` for a STATICCALL. */
  readonly value: bigint | undefined
  readonly gas: bigint
  readonly input: Uint8Array
}

/** A frame that ends: always the one that began last and has not ended. */
export interface FrameExit {
  readonly depth: number
  /** Return data, revert data, or the code of what was created. */
  readonly output: Uint8Array
  readonly gasUsed: bigint
  readonly failure: MessageFailure | undefined
}

/** Watches a message. An error that it throws ends the execution as if the engine had failed. */
export interface Tracer {
  /** Whether it needs the steps of an opcode; an engine may leave out others, as describing a step takes far longer than doing it. */
  needsStep?(opcode: number): boolean
  /** Whether steps may come without memory; it then is empty. */
  readonly withoutMemory?: boolean
  /** Whether steps may come without return data; it then is empty. */
  readonly withoutReturnData?: boolean
  step?(step: TraceStep): void
  enter?(frame: FrameEntry): void
  exit?(frame: FrameExit): void
  /** A log, when it is written; its frame may fail later. */
  log?(log: EngineLog): void
}

/** State, block and message that a transaction starts with. */
export interface TraceStart {
  /** As the transaction finds it; what code changes comes in with its step or at its end, as the engine has it. */
  readonly state: StateReader
  readonly env: BlockEnv
  readonly message: TransactionMessage
}

/** Watches a transaction or a call. */
export interface TransactionTracer extends Tracer {
  /** Before the gas is bought. */
  begin?(start: TraceStart): void
  /** After the fees were paid. */
  end?(execution: Execution): void
}
