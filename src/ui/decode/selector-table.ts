import { parseAbi } from 'viem'
import type { Hex } from '#primitives/hex.ts'
import { ACCOUNTS } from './interfaces/accounts.ts'
import { CHAINS } from './interfaces/chains.ts'
import { EXCHANGES } from './interfaces/exchanges.ts'
import type { Interfaces } from './interfaces/interfaces.ts'
import { TOKENS } from './interfaces/tokens.ts'
import type { Knowledge } from './knowledge.ts'
import { hashOf, selectorOf } from './signature.ts'

/** Known interfaces by what appears in call data, logs and code: a guess, as others may have the same selector. */
export interface SelectorTable {
  /**
   * What is known by a key, in the order in which to try it.
   *
   * @param key - A selector of 4 bytes, or an event's first topic, in lower case.
   */
  readonly find: (key: Hex) => readonly Knowledge[]
}

/** In the order in which they are tried. */
export const INTERFACES: readonly Interfaces[] = [TOKENS, ACCOUNTS, EXCHANGES, CHAINS]

interface Line {
  readonly text: string
  readonly of: string
}

/** Takes a hash for each line; a line is only parsed once it is found. */
export function createSelectorTable(interfaces: readonly Interfaces[] = INTERFACES): SelectorTable {
  const lines = new Map<Hex, readonly Line[]>()
  for (const line of interfaces.flatMap(linesOf)) {
    const key = keyOf(line.text)
    lines.set(key, [...(lines.get(key) ?? []), line])
  }
  const found = new Map<Hex, readonly Knowledge[]>()

  return {
    find(key) {
      const before = found.get(key)
      if (before) return before
      const known = lines.get(key)?.map(knowledgeIn) ?? []
      found.set(key, known)
      return known
    },
  }
}

function linesOf(interfaces: Interfaces): readonly Line[] {
  return Object.entries(interfaces).flatMap(([of, text]) =>
    text
      .trim()
      .split('\n')
      .map((line) => ({ text: line.trim(), of })),
  )
}

const isEvent = (line: string) => line.startsWith('event ')

function keyOf(line: string): Hex {
  const signature = signatureIn(line)
  return isEvent(line) ? hashOf(signature) : selectorOf(signature)
}

/** What follows the parameters of a function. */
const AFTER = /\)(?: (?:view|pure|payable|returns)\b.*)?$/

/** The canonical signature: `transfer(address,uint256)` of `transfer(address to, uint256 amount) returns (bool)`. */
function signatureIn(line: string): string {
  const text = line.replace(/^(?:event|error) /, '')
  const end = text.search(AFTER)
  return text
    .slice(0, end + 1)
    .replace(/([\w\])]) [\w ]+(?=[,)])/g, '$1')
    .replaceAll(', ', ',')
}

function knowledgeIn({ text, of }: Line): Knowledge {
  const isFunction = !/^(?:event|error) /.test(text)
  // The lines are this build's own, which a test parses one by one.
  return { abi: parseAbi([isFunction ? `function ${text}` : text] as never), source: { kind: 'standard', name: of } }
}
