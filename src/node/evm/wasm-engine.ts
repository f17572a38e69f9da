import { precompilesOf } from '../spec/fork.ts'
import { type Fork, NEWEST_FORK } from '../spec/rules.ts'
import type { WorldState } from '../state/world-state.ts'
import type { Engine } from './engine.ts'
import { numbersOf } from './precompiles/precompiles.ts'
import { type WasmChain, WasmMachine } from './wasm-machine.ts'

/**
 * Blinknet's own engine, in WebAssembly: see `src/engine/`. What it does not run of the precompiles is run by the host.
 *
 * @param chainId - What CHAINID answers.
 */
export async function createWasmEngine(chainId: number, fork: Fork = NEWEST_FORK): Promise<Engine> {
  const precompiles = precompilesOf(fork)
  const chain: WasmChain = { id: chainId, fork, precompiles, numbers: numbersOf(precompiles) }
  const idle: WasmMachine[] = []
  const idleWatched: WasmMachine[] = []
  idle.push(await WasmMachine.create(chain, idle, false))
  return {
    fork,
    precompiles: new Set(precompiles),
    run(state, env, message, guard, tracer) {
      const machines = tracer ? idleWatched : idle
      const machine = takeMachine(machines, state)
      if (machine) return machine.run(state, env, message, guard, tracer)
      return WasmMachine.create(chain, machines, tracer !== undefined).then((made) =>
        made.run(state, env, message, guard, tracer),
      )
    },
  }
}

/** Takes the machine that has run on the state before, which has most of it, or any other. */
function takeMachine(idle: WasmMachine[], state: WorldState): WasmMachine | undefined {
  const last = idle.pop()
  if (!last || last.state === state) return last
  const index = idle.findIndex((machine) => machine.state === state)
  const found = idle[index]
  if (!found) return last
  idle[index] = last
  return found
}
