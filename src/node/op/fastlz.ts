/** Entries of the table of earlier positions. */
const TABLE = 8_192
/** The farthest that a match refers to. */
const FARTHEST = 8_191
/** The longest match of one instruction. */
const LONGEST = 262
/** The last bytes of the input that no match begins in, and none reaches. */
const TAIL = 13
const UNMATCHED = 4
/** Below this length there is no room for a match. */
const SHORTEST = TAIL + 3

/** Position of the last three bytes with a key; one call at a time. */
const table = new Uint32Array(TABLE)

/**
 * How many bytes FastLZ (level 1) makes of the input, as Fjord measures transactions. `GasPriceOracle.sol` computes the same.
 *
 * @see {@link https://specs.optimism.io/protocol/fjord/exec-engine.html | Fjord}
 */
export function fastLzLength(input: Uint8Array): number {
  const size = input.length
  let length = 0
  let anchor = 0
  if (size >= SHORTEST) {
    table.fill(0)
    const last = size - TAIL
    for (let at = 2; at < last; ) {
      let from = 0
      let matches = false
      while (at < last && !matches) {
        const word = wordAt(input, at)
        const key = keyOf(word)
        from = table[key] as number
        table[key] = at
        // The last position is looked up, but never matched.
        matches = at + 1 < last && at - from <= FARTHEST && word === wordAt(input, from)
        if (!matches) at++
      }
      if (!matches) break
      if (at > anchor) length += literals(at - anchor)
      let matched = 0
      const end = size - UNMATCHED
      while (at + 3 + matched < end && input[from + 3 + matched] === input[at + 3 + matched]) matched++
      // The byte that differs counts, too.
      if (at + 3 + matched < end) matched++
      length += matchLength(matched)
      at += matched
      table[keyOf(wordAt(input, at))] = at
      table[keyOf(wordAt(input, at + 1))] = at + 1
      at += 2
      anchor = at
    }
  }
  return length + literals(size - anchor)
}

/** Three bytes, the lowest first. */
function wordAt(input: Uint8Array, at: number): number {
  return (input[at] as number) | ((input[at + 1] as number) << 8) | ((input[at + 2] as number) << 16)
}

const keyOf = (word: number) => (Math.imul(word, 2_654_435_769) >>> 19) & (TABLE - 1)

/** Bytes for a run of literals: one before each 32. */
function literals(run: number): number {
  const rest = run % 32
  return 33 * Math.floor(run / 32) + (rest === 0 ? 0 : rest + 1)
}

function matchLength(matched: number): number {
  const more = matched - 1
  return 3 * Math.floor(more / LONGEST) + (more % LONGEST >= 6 ? 3 : 2)
}
