import { type Hex, hexToBytes } from '#primitives/hex.ts'
import type { CodeIndex, RecognisedCode } from '#solidity/code/code-index.ts'
import { layoutOf } from '#solidity/storage/contract-layout.ts'
import { describeViews, type ViewedVariable } from '#solidity/storage/describe-slots.ts'
import type { StorageLayout } from '#solidity/storage/storage-layout.ts'
import { type FixedVariable, fixedVariables } from '#solidity/variables/fixed-variables.ts'
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
    const { found, code, layout } = known
    const { name, path } = found.contract
    const described = layout ? describeViews(layout, views, hints, options) : { variables: [], unnamed: [] }
    const fixed = which === 'all' ? fixedVariables(found, hexToBytes(codes[code] ?? '0x')) : []
    const variables = [...described.variables, ...fixed.map((each) => asViewed(each, views.length))]
    return { contract: name, path, code, hasLayout: layout !== undefined, variables, unnamed: described.unnamed }
  })
}

/** A fixed variable, which is alike in every state. */
function asViewed({ value, ...rest }: FixedVariable, states: number): ViewedVariable {
  return { ...rest, slot: undefined, offset: 0, values: new Array<string | undefined>(states).fill(value) }
}

interface Known {
  readonly found: RecognisedCode
  readonly code: number
  readonly layout: StorageLayout | undefined
}

/** The first code with a layout, or else the first known one. */
function recognise(index: CodeIndex, codes: AskedStorage['codes']): Known | undefined {
  const known = codes.flatMap((hex: Hex, code): Known[] => {
    const found = index.deployed(hexToBytes(hex))
    return found ? [{ found, code, layout: layoutOf(found) }] : []
  })
  return known.find(({ layout }) => layout !== undefined) ?? known[0]
}
