import type { Block } from '../payload/block.ts'
import type { NoteMissing } from '../state/missing-state.ts'
import type { ChainReader } from '../storage/chain-reader.ts'

/** A block whose state notes what is missing and goes on with a guess. */
export function guessing<Found extends Block>(block: Found, note: NoteMissing): Found {
  return new Proxy(block, {
    get(target, name) {
      // The receiver is the block itself, which may have private fields.
      const value: unknown = Reflect.get(target, name, target)
      return name === 'state' ? target.state.guessing(note) : value
    },
  })
}

/** A chain whose states note what is missing and go on with a guess. */
export function guessingChain(chain: ChainReader, note: NoteMissing): ChainReader {
  const seen = <Found extends Block>(block: Found) => guessing(block, note)
  const orNothing = <Found extends Block>(block: Found | undefined) => block && seen(block)
  return {
    first: () => seen(chain.first()),
    head: () => seen(chain.head()),
    pending: () => seen(chain.pending()),
    blockByNumber: (number) => orNothing(chain.blockByNumber(number)),
    blockByHash: (hash) => orNothing(chain.blockByHash(hash)),
    findTransaction(hash) {
      const found = chain.findTransaction(hash)
      return found && { ...found, block: seen(found.block) }
    },
  }
}
