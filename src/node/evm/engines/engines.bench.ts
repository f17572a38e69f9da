import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { bench, describe } from 'vitest'
import { type Address, hexToBytes, toWord } from '#primitives/hex.ts'
import { ENGINE_NAMES } from '#rpc-types/option-tables.derived.ts'
import { EMPTY_CODE_HASH, emptyState, type StateSnapshot } from '../../state/state-snapshot.ts'
import { WorldState } from '../../state/world-state.ts'
import type { BlockEnv } from '../block-env.ts'
import type { Engine } from '../engine.ts'
import type { MessageResult } from '../message.ts'
import { createEngine } from './create-engine.ts'

const FOLDER = new URL('../../../testing/node/evm/', import.meta.url)
const SOURCE = readFileSync(new URL('workloads.sol', FOLDER), 'utf8')
/** Each workload has a size at which it takes a few million gas. */
const WORKLOADS = JSON.parse(readFileSync(new URL('workloads.json', FOLDER), 'utf8')) as Readonly<
  Record<string, number>
>

const CALLER: Address = `0x${'11'.repeat(20)}`

interface Compiled {
  readonly evm: { readonly bytecode: { readonly object: string }; readonly methodIdentifiers: Record<string, string> }
}

function compile(): Compiled {
  const solc = createRequire(import.meta.url)('solc') as { compile(input: string): string }
  const input = {
    language: 'Solidity',
    sources: { 'workloads.sol': { content: SOURCE } },
    settings: {
      evmVersion: 'cancun',
      optimizer: { enabled: true, runs: 200 },
      outputSelection: { '*': { '*': ['evm.bytecode.object', 'evm.methodIdentifiers'] } },
    },
  }
  const { contracts, errors } = JSON.parse(solc.compile(JSON.stringify(input))) as {
    contracts: Record<string, Record<string, Compiled>>
    errors?: readonly { severity: string; formattedMessage: string }[]
  }
  const error = errors?.find(({ severity }) => severity === 'error')
  const compiled = contracts['workloads.sol']?.['Workloads']
  if (error || !compiled) throw new Error(error?.formattedMessage ?? 'no such contract')
  return compiled
}

const { evm } = compile()

/** Creates the contract with the workloads. */
const INITCODE = hexToBytes(`0x${evm.bytecode.object}`)

/** Call data of a workload. */
function calldata(name: string): Uint8Array {
  const selector = evm.methodIdentifiers[`${name}(uint256)`] ?? ''
  return hexToBytes(`0x${selector}${toWord(WORKLOADS[name] as number).slice(2)}`)
}

/** A state in which the caller can pay. */
function startState(): StateSnapshot {
  const state = new WorldState(emptyState())
  state.setAccount(CALLER, { nonce: 1n, balance: 10n ** 24n, codeHash: EMPTY_CODE_HASH })
  return state.snapshot()
}

/** Mgas/s is the number in a name times the runs per second. */
const guard = { checkpoint: () => undefined }
const env: BlockEnv = {
  number: 1,
  timestamp: 1_700_000_000,
  coinbase: `0x${'42'.repeat(20)}`,
  prevRandao: toWord(0),
  gasLimit: 400_000_000n,
  baseFee: 0n,
  blockHash: () => undefined,
}

async function run(engine: Engine, state: WorldState, to: Address | null, input: Uint8Array): Promise<MessageResult> {
  const message = { from: CALLER, to, value: 0n, input, gas: 200_000_000n, gasPrice: 0n }
  return engine.run(state, env, { ...message, warmAddresses: [], warmSlots: [] }, guard)
}

const engines = await Promise.all(ENGINE_NAMES.map(async (name) => [name, await createEngine(31337, name)] as const))

async function deploy(): Promise<{ readonly state: StateSnapshot; readonly address: Address }> {
  const world = new WorldState(startState())
  const { contractAddress, failure } = await run((engines[0] as (typeof engines)[0])[1], world, null, INITCODE)
  if (!contractAddress) throw new Error(`the workloads cannot be deployed: ${failure?.message}`)
  return { state: world.snapshot(), address: contractAddress }
}

const { state, address } = await deploy()

for (const name of Object.keys(WORKLOADS)) {
  const input = calldata(name)
  const { gasUsed, failure } = await run((engines[1] as (typeof engines)[0])[1], new WorldState(state), address, input)
  if (failure) throw new Error(`${name}: ${failure.message}`)
  describe(`${name}, ${(Number(gasUsed) / 1e6).toFixed(2)} Mgas`, () => {
    for (const [engineName, engine] of engines) {
      bench(
        engineName,
        async () => {
          await run(engine, new WorldState(state), address, input)
        },
        { time: 300, warmupTime: 100, iterations: 3, warmupIterations: 2 },
      )
    }
  })
}
