import type { Hex } from '#primitives/hex.ts'

const WORD_DIGITS = 64

/** 32 bytes of memory or calldata. */
export interface MemoryLine {
  /** Bytes from the start. */
  readonly offset: number
  /** In groups of eight bytes; the last line may be shorter. */
  readonly groups: readonly string[]
  /** Printable characters of the line; a dot for each other byte. */
  readonly characters: string
}

/** The first lines of some bytes, 32 bytes each. */
export function memoryLines(bytes: Hex, count: number): readonly MemoryLine[] {
  const lines: MemoryLine[] = []
  for (let at = 2; at < bytes.length && lines.length < count; at += WORD_DIGITS) {
    const digits = bytes.slice(at, at + WORD_DIGITS)
    lines.push({
      offset: (at - 2) / 2,
      groups: digits.match(/.{1,16}/g) ?? [],
      characters: digits.replace(/../g, (pair) => {
        const code = Number.parseInt(pair, 16)
        return code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : '·'
      }),
    })
  }
  return lines
}

/** How many lines there are. */
export function countLines(bytes: Hex): number {
  return Math.ceil((bytes.length - 2) / WORD_DIGITS)
}
