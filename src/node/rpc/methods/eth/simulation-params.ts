import type { BlockOverride } from '../../../evm/calls/block-override.ts'
import type { StateOverride } from '../../../evm/calls/state-override.ts'
import {
  NO_BLOCK_OVERRIDE,
  NO_STATE_OVERRIDE,
  parseBlockOverride,
  parseStateOverride,
} from '../../calls/override-params.ts'
import { cannotUnmarshal, isObject, jsonType } from '../../params/json-type.ts'
import type { Param } from '../../params/param.ts'
import { type TransactionArgs, transactionArgs } from '../../sending/transaction-params.ts'

/** The simulation object of `eth_simulateV1`. */
export interface SimulationArgs {
  readonly blocks: readonly {
    readonly block: BlockOverride
    readonly state: StateOverride
    readonly calls: readonly TransactionArgs[]
  }[]
  readonly traceTransfers: boolean
  readonly validation: boolean
  readonly returnFullTransactions: boolean
}

type Fields = Readonly<Record<string, unknown>>

/** Blocks of calls, and how to simulate them. */
export const simulationArgs: Param<SimulationArgs> = {
  parse(value) {
    if (!isObject(value)) throw cannotUnmarshal(jsonType(value), 'value of type ethapi.simOpts')
    return {
      blocks: listIn(value, 'simOpts', 'blockStateCalls').map(parseBlock),
      traceTransfers: flagIn(value, 'traceTransfers'),
      validation: flagIn(value, 'validation'),
      returnFullTransactions: flagIn(value, 'returnFullTransactions'),
    }
  },
}

function parseBlock(value: unknown): SimulationArgs['blocks'][number] {
  if (!isObject(value))
    throw cannotUnmarshal(jsonType(value), 'struct field simOpts.BlockStateCalls of type ethapi.simBlock')
  const block = value['blockOverrides'] ?? undefined
  const state = value['stateOverrides'] ?? undefined
  return {
    block: block === undefined ? NO_BLOCK_OVERRIDE : parseBlockOverride(block),
    state: state === undefined ? NO_STATE_OVERRIDE : parseStateOverride(state),
    calls: listIn(value, 'simBlock', 'calls').map((call) => transactionArgs.parse(call)),
  }
}

function listIn(fields: Fields, struct: string, name: string): readonly unknown[] {
  const value = fields[name] ?? []
  if (!Array.isArray(value)) throw cannotUnmarshal(jsonType(value), `struct field ${struct}.${name} of type array`)
  return value
}

function flagIn(fields: Fields, name: string): boolean {
  const value = fields[name] ?? false
  if (typeof value !== 'boolean') throw cannotUnmarshal(jsonType(value), `struct field simOpts.${name} of type bool`)
  return value
}
