interface Encoder {
  encode(text: string): Uint8Array
}
interface Decoder {
  decode(bytes: Uint8Array): string
}
/** In browsers, workers and Node.js alike. */
const { TextEncoder, TextDecoder } = globalThis as unknown as {
  readonly TextEncoder: new () => Encoder
  readonly TextDecoder: new (label: string, options: { ignoreBOM: boolean }) => Decoder
}
const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** A position as editors count it. */
export interface Position {
  /** From 1. */
  readonly line: number
  /** From 1, in UTF-16 code units. */
  readonly column: number
}

/** A text with places given as byte offsets in UTF-8, as compilers count. */
export interface SourceText {
  /** Length of the text in bytes. */
  readonly size: number
  /** Line and column of a byte. @param offset - Past the end it counts as the end. */
  readonly positionAt: (offset: number) => Position
  /** Line that the byte is in, from 1. */
  readonly lineAt: (offset: number) => number
  /** First byte of a line. @param line - From 1. */
  readonly offsetOf: (line: number) => number
  /** Content of a line without its line break; only the beginning of a very long one. @param line - From 1. */
  readonly lineText: (line: number) => string
  /** Text from one byte to another. */
  readonly slice: (start: number, end: number) => string
}

/** Most bytes of one line that are returned: minified sources are one line. */
const LINE_LIMIT = 1 << 15
/** Bytes between two offsets whose UTF-16 units are counted in advance. */
const STRIDE = 1_024

/** Prepares a text for looking up places. Lines end with `\n`, `\r\n` or `\r`. */
export function sourceText(text: string): SourceText {
  const bytes = encoder.encode(text)
  const starts = lineStarts(bytes)
  const lineAt = (offset: number) => {
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((starts[middle] as number) <= offset) low = middle
      else high = middle - 1
    }
    return low + 1
  }
  const slice = (start: number, end: number) => decoder.decode(bytes.subarray(start, Math.max(start, end)))
  let counted: Uint32Array | undefined
  /** UTF-16 units that come before a byte. */
  const unitsBefore = (offset: number) => {
    counted ??= unitsByStride(bytes)
    const stride = Math.floor(Math.min(offset, bytes.length) / STRIDE)
    return (counted[stride] as number) + unitsIn(bytes, stride * STRIDE, offset)
  }
  return {
    size: bytes.length,
    lineAt,
    slice,
    offsetOf: (line) => starts[line - 1] ?? bytes.length,
    positionAt(offset) {
      const line = lineAt(offset)
      return { line, column: unitsBefore(offset) - unitsBefore(starts[line - 1] as number) + 1 }
    },
    lineText(line) {
      const start = starts[line - 1]
      if (start === undefined) return ''
      const end = starts[line] ?? bytes.length
      if (end - start > LINE_LIMIT) return `${slice(start, start + LINE_LIMIT)}…`
      return slice(start, end).replace(/[\r\n]+$/, '')
    },
  }
}

function lineStarts(bytes: Uint8Array): readonly number[] {
  const starts = [0]
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]
    if (byte === 0x0a || (byte === 0x0d && bytes[i + 1] !== 0x0a)) starts.push(i + 1)
  }
  return starts
}

/** UTF-16 units before the beginning of each stride. */
function unitsByStride(bytes: Uint8Array): Uint32Array {
  const units = new Uint32Array(Math.floor(bytes.length / STRIDE) + 1)
  for (let i = 1; i < units.length; i++) {
    units[i] = (units[i - 1] as number) + unitsIn(bytes, (i - 1) * STRIDE, i * STRIDE)
  }
  return units
}

/** UTF-16 units of the characters that begin in a range: one of four bytes has two. */
function unitsIn(bytes: Uint8Array, start: number, end: number): number {
  let units = 0
  for (let i = start; i < Math.min(end, bytes.length); i++) {
    const byte = bytes[i] as number
    if (byte >= 0xf0) units += 2
    else if (byte < 0x80 || byte >= 0xc0) units++
  }
  return units
}
