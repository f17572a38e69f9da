import type { EngineHost } from '#engine/engine-instance.ts'
import type { Address, Hash } from '#primitives/hex.ts'
import type { WorldState } from '../../../state/world-state.ts'
import type { BlockEnv } from '../../block-env.ts'

/** A state and block environment for the engine. */
export class WasmWorld implements EngineHost {
  readonly state: WorldState
  readonly env: BlockEnv
  readonly #numbers: ReadonlyMap<Address, number>

  /** @param numbers - The number of each precompile by its address. */
  constructor(state: WorldState, env: BlockEnv, numbers: ReadonlyMap<Address, number>) {
    this.state = state
    this.env = env
    this.#numbers = numbers
  }

  account(address: Address) {
    return this.state.account(address)
  }

  hasStorage(address: Address): boolean {
    return this.state.hasStorage(address)
  }

  code(address: Address): Uint8Array {
    return this.state.code(address)
  }

  storage(address: Address, slot: Hash): string {
    return this.state.slotText(address, slot)
  }

  blockHash(number: number): Hash | undefined {
    return this.env.blockHash(number)
  }

  precompileAt(address: Address): number {
    const { precompiles: moved } = this.env
    const precompile = moved ? moved.get(address) : address
    return (precompile && this.#numbers.get(precompile)) ?? 0
  }
}
