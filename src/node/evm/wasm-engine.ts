import { precompilesOf } from '../spec/fork.ts'
import { type Fork, NEWEST_FORK } from '../spec/rules.ts'
import type { WorldState } from '../state/world-state.ts'
import type { Engine, MessageResult } from './engine.ts'
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
  const idle: WasmMachine[] = [await WasmMachine.create(chain, false)]
  const idleWatched: WasmMachine[] = []
  return {
    fork,
    precompiles: new Set(precompiles),
    run(state, env, message, guard, tracer) {
      const machines = tracer ? idleWatched : idle
      const runOn = (machine: WasmMachine) => {
        const release = (result: MessageResult) => {
          if (machine.isReusable) machines.push(machine)
          return result
        }
        const result = machine.run(state, env, message, guard, tracer)
        return result instanceof Promise ? result.then(release) : release(result)
      }
      const machine = takeMachine(machines, state)
      return machine ? runOn(machine) : WasmMachine.create(chain, tracer !== undefined).then(runOn)
    },
  }
}

/** Takes the machine that has run on the state before, which has most of it, or any other. */
function takeMachine(idle: WasmMachine[], state: WorldState): WasmMachine | undefined {
  for (let i = 0; i < idle.length; i++) {
    if (idle[i]?.state === state) return idle.splice(i, 1)[0]
  }
  return idle.pop()
}
