import type { Emitter } from '#primitives/emitter.ts'
import type { PartialBlock } from '../payload/block.ts'
import type { ChainEvents } from './events.ts'

/**
 * The live block as a seal would make it now, with what waits in the pool. It is made when somebody asks for it, and kept
 * until the live block or the pool changes; one is made at a time.
 */
export class Preview {
  readonly #make: () => Promise<PartialBlock>
  #wanted: Promise<PartialBlock> | undefined
  #last: Promise<unknown> = Promise.resolve()

  constructor(events: Emitter<ChainEvents>, make: () => Promise<PartialBlock>) {
    this.#make = make
    const forget = () => {
      this.#wanted = undefined
    }
    for (const name of ['accepted', 'dropped', 'withdrawn', 'partial', 'seal', 'reorg'] as const) {
      events.on(name, forget)
    }
  }

  get(): Promise<PartialBlock> {
    if (this.#wanted) return this.#wanted
    const made = this.#last.then(this.#make)
    this.#wanted = made
    this.#last = made.catch(() => {
      if (this.#wanted === made) this.#wanted = undefined
    })
    return made
  }
}
