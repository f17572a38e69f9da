import type { Compilation } from '#engine/code-compiler.ts'
import { MAX_CODE_BYTES } from '../../../spec/gas-schedule.ts'
import { precompilesOf } from '../../../spec/hardfork.ts'
import { type HardforkName, NEWEST_HARDFORK } from '../../../spec/rules.ts'
import type { Engine } from '../../engine.ts'
import { numbersOf } from '../../precompiles/precompiles.ts'
import type { Rollup } from '../../rollup.ts'
import { IdleMachines } from './idle-machines.ts'
import { type WasmChain, WasmMachine } from './machine.ts'

/**
 * Blinknet's own engine in WebAssembly: see `src/engine/`. The host runs the precompiles that it lacks.
 *
 * @param chainId - The value of CHAINID.
 * @param codeSizeLimit - The most bytes of a contract's code; initcode may have twice as many.
 * @param compilation - What of the codes is compiled to WebAssembly, instead of the default; for tests.
 * @param impersonates - Whether what stands for the signature of an account without a key counts as one.
 */
export async function createWasmEngine(
  chainId: number,
  hardfork: HardforkName = NEWEST_HARDFORK,
  codeSizeLimit: number = MAX_CODE_BYTES,
  compilation?: Compilation,
  impersonates = false,
  rollup?: Rollup,
): Promise<Engine> {
  const precompiles = precompilesOf(hardfork)
  const chain: WasmChain = {
    id: chainId,
    hardfork,
    codeSizeLimit,
    impersonates,
    compilation,
    precompiles,
    numbers: numbersOf(precompiles),
  }
  const idle = new IdleMachines<WasmMachine>()
  const idleWatched = new IdleMachines<WasmMachine>()
  idle.giveBack(await WasmMachine.create(chain, idle, false))
  return {
    hardfork,
    codeSizeLimit,
    precompiles: new Set(precompiles),
    rollup,
    run(state, env, message, guard, tracer) {
      const machines = tracer ? idleWatched : idle
      const machine = machines.take()
      if (machine) return machine.run(state, env, message, guard, tracer)
      return WasmMachine.create(chain, machines, tracer !== undefined).then((made) =>
        made.run(state, env, message, guard, tracer),
      )
    },
  }
}
