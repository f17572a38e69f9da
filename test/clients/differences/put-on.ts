import { DIALECTS, type DialectFacts } from '#rpc-types/dialects.ts'
import type { FactName } from './difference.ts'

/** What a fact of `DIALECTS` is about, and what a chain without `--as` does. */
export interface FactWords<Value = unknown> {
  readonly about: string
  readonly without: Value
  /** For people. */
  tell(value: Value): string
}

const yesOrNo = (value: boolean) => (value ? 'yes' : 'no')

/** Does not compile while a fact is missing. */
export const FACTS: { readonly [Name in FactName]: FactWords<DialectFacts[Name]> } = {
  accounts: { about: 'development accounts', without: 10, tell: String },
  failedSend: {
    about: 'with automine, a send that waits or fails answers',
    without: 'error',
    tell: (value) => (value === 'hash' ? 'its hash' : 'an error'),
  },
  minesAll: {
    about: 'what waits when automine begins is sealed with the next transaction',
    without: false,
    tell: yesOrNo,
  },
  replacement: {
    about: 'a replacement pays',
    without: 'tenth',
    tell: (value) => (value === 'any' ? 'anything more' : '10 % more'),
  },
  dropsUnpriced: {
    about: 'what waits below the base fee of a block that is mined is dropped',
    without: false,
    tell: yesOrNo,
  },
  capsTransactionGas: {
    about: 'a transaction has at most 16,777,216 gas (EIP-7825)',
    without: true,
    tell: yesOrNo,
  },
  createsEmpty: { about: 'contracts without any code can be created', without: false, tell: yesOrNo },
  hasPartialBlocks: { about: 'partial blocks', without: true, tell: yesOrNo },
  keepsFirstBaseFee: { about: 'block 1 has the base fee of block 0', without: false, tell: yesOrNo },
  exactEstimates: { about: 'estimates are exact', without: false, tell: yesOrNo },
}

/** The facts of a node that a chain without `--as` does not share. */
export function factsPutOn(node: keyof typeof DIALECTS): FactName[] {
  const facts: DialectFacts = DIALECTS[node]
  return (Object.keys(FACTS) as FactName[]).filter((name) => facts[name] !== FACTS[name].without)
}
