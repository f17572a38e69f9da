import type { Block } from '../payload/block.ts'
import type { NoteMissing } from '../state/missing-state.ts'
import type { ChainReader } from '../storage/chain-reader.ts'

/** The same chain, whose states note what is missing and go on with a guess. */
export function guessingChain(chain: ChainReader, note: NoteMissing): ChainReader {
  const guessing = <Found extends Block>(block: Found): Found =>
    new Proxy(block, {
      get(target, name) {
        // The receiver is the block itself, which may have private fields.
        const value: unknown = Reflect.get(target, name, target)
        return name === 'state' ? target.state.guessing(note) : value
      },
    })
  const orNothing = <Found extends Block>(block: Found | undefined) => block && guessing(block)
  return {
    first: () => guessing(chain.first()),
    head: () => guessing(chain.head()),
    pending: () => guessing(chain.pending()),
    blockByNumber: (number) => orNothing(chain.blockByNumber(number)),
    blockByHash: (hash) => orNothing(chain.blockByHash(hash)),
    findTransaction(hash) {
      const found = chain.findTransaction(hash)
      return found && { ...found, block: guessing(found.block) }
    },
  }
}
