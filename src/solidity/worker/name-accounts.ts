import { type Hex, hexToBytes } from '#primitives/hex.ts'
import type { CodeIndex, RecognisedCode } from '#solidity/code/code-index.ts'
import { layoutOf } from '#solidity/storage/contract-layout.ts'
import { describeViews } from '#solidity/storage/describe-slots.ts'
import type { StorageLayout } from '#solidity/storage/storage-layout.ts'
import type { AskedStorage, NamedAccount, StorageQuestion } from './messages.ts'

/**
 * Names the variables in the storage of accounts.
 *
 * @returns One for each account; `undefined` if none of its codes is in the index.
 */
export function nameAccounts(
  index: CodeIndex,
  { accounts, hashed, keys, which }: Omit<StorageQuestion, 'kind'>,
): (NamedAccount | undefined)[] {
  const hints = { preimages: hashed, keys }
  const options = { fixed: which === 'all', changed: which === 'changes' }
  return accounts.map(({ codes, views }) => {
    const known = recognise(index, codes)
    if (!known) return undefined
    const { contract, code, layout } = known
    const { name, path } = contract
    const described = layout ? describeViews(layout, views, hints, options) : { variables: [], unnamed: [] }
    return { contract: name, path, code, hasLayout: layout !== undefined, ...described }
  })
}

interface Known extends Pick<RecognisedCode, 'contract'> {
  readonly code: number
  readonly layout: StorageLayout | undefined
}

/** The first code with a layout, or else the first known one. */
function recognise(index: CodeIndex, codes: AskedStorage['codes']): Known | undefined {
  const known = codes.flatMap((hex: Hex, code): Known[] => {
    const found = index.deployed(hexToBytes(hex))
    return found ? [{ contract: found.contract, code, layout: layoutOf(found) }] : []
  })
  return known.find(({ layout }) => layout !== undefined) ?? known[0]
}
