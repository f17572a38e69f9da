import { createCustomCommon, Hardfork, Mainnet } from '@ethereumjs/common'
import { createEVM, type PrecompileFunc } from '@ethereumjs/evm'
import { expect } from 'vitest'
import { Curves } from '#node/evm/precompiles/curves.ts'
import { Deferral } from '#node/evm/precompiles/deferral.ts'
import { createDeferringEvm } from '#node/evm/precompiles/deferred-curves.ts'
import { pacedPrecompiles } from '#node/evm/precompiles/paced-precompiles.ts'
import type { ExecutionGuard } from '#node/turns/guard.ts'
import { hexToBytes, toWord } from '#primitives/hex.ts'
import { invariant } from '#primitives/invariant.ts'

/** 32 bytes. */
export const word = (value: bigint | number) => hexToBytes(toWord(value))

/** The result of a precompile. */
interface Outcome {
  readonly gas: bigint
  readonly output: Uint8Array
  readonly isFailure: boolean
}

type RunPrecompile = (
  address: number,
  data: Uint8Array,
  options?: { readonly gas?: bigint; readonly guard?: ExecutionGuard },
) => Promise<Outcome>

const common = createCustomCommon({ chainId: 31337, name: 'test' }, Mainnet, { hardfork: Hardfork.Osaka })
const deferral = new Deferral()
const curves = new Curves()
const original = await createEVM({ common: common.copy() })
const deferring = await createDeferringEvm({ common: common.copy() }, deferral, curves)
const running: { guard: ExecutionGuard } = { guard: { checkpoint: () => undefined } }
const paced = pacedPrecompiles(deferring.precompiles, deferral, curves, running)

/** The original precompile of @ethereumjs/evm. */
export const runOriginal: RunPrecompile = (address, data, { gas } = {}) =>
  run(original, original.precompiles, address, data, gas)

/** Runs a precompile in slices. */
export const runPaced: RunPrecompile = (address, data, { gas, guard } = {}) => {
  running.guard = guard ?? { checkpoint: () => undefined }
  return run(deferring, paced, address, data, gas)
}

/** Runs it in both ways and expects equal gas, output and success. */
export async function expectSame(address: number, data: Uint8Array, gas?: bigint): Promise<Outcome> {
  const options = gas === undefined ? {} : { gas }
  const outcome = await runPaced(address, data, options)
  expect(outcome).toEqual(await runOriginal(address, data, options))
  return outcome
}

/** Whether it succeeds with exactly its gas and fails with less, in both ways. */
export async function isExactPrice(address: number, data: Uint8Array): Promise<boolean> {
  const { gas } = await runPaced(address, data)
  const [enough, less] = [await expectSame(address, data, gas), await expectSame(address, data, gas - 1n)]
  return !enough.isFailure && less.isFailure
}

async function run(
  evm: typeof original,
  precompiles: ReadonlyMap<string, PrecompileFunc>,
  address: number,
  data: Uint8Array,
  gasLimit = 50_000_000n,
): Promise<Outcome> {
  const precompile = precompiles.get(address.toString(16).padStart(40, '0'))
  invariant(precompile, `no precompile ${address}`)
  const result = await precompile({ data, gasLimit, common: evm.common, _EVM: evm })
  const { executionGasUsed, returnValue, exceptionError } = result
  return { gas: executionGasUsed, output: returnValue, isFailure: exceptionError !== undefined }
}
