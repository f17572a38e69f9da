import type { FrameCode } from '#solidity/stack/traced-code.ts'

/** The source lines of code, numbered. */
export interface CodeLines {
  /** Line of each instruction: an index into `fileOf` and `numberOf`; −1 outside any function. */
  readonly lineOf: Int32Array
  /** File of each line: an index into `files`. */
  readonly fileOf: readonly number[]
  /** Number of each line, from 1. */
  readonly numberOf: readonly number[]
  readonly files: readonly string[]
  /** Names of the sources' functions, by their first instruction. */
  readonly entries: ReadonlyMap<number, string>
}

const LINES = new WeakMap<FrameCode, CodeLines>()

/** Numbers the lines of recognised code. Cached as long as the code lives. */
export function linesOf(code: FrameCode): CodeLines | undefined {
  const { mapped, recognised } = code
  if (!mapped || !recognised) return undefined
  const known = LINES.get(code)
  if (known) return known
  const lineOf = new Int32Array(mapped.ops.length).fill(-1)
  const fileOf: number[] = []
  const numberOf: number[] = []
  const files: string[] = []
  const fileIds = new Map<string, number>()
  const entries = new Map<number, string>()
  const numbers = new Map<string, number>()
  /** The last instruction whose line was looked up: neighbours mostly have the same place. */
  let before = -1
  mapped.ops.forEach((_, i) => {
    const isSame =
      before >= 0 &&
      mapped.starts[i] === mapped.starts[before] &&
      mapped.lengths[i] === mapped.lengths[before] &&
      mapped.files[i] === mapped.files[before]
    if (isSame) {
      lineOf[i] = lineOf[before] as number
      return
    }
    before = i
    const place = code.placeOf(i)
    if (!place?.isInside) return
    const number = place.source.text.lineAt(place.start)
    const key = `${number} ${place.source.path}`
    let at = numbers.get(key)
    if (at === undefined) {
      at = numberOf.length
      numbers.set(key, at)
      let file = fileIds.get(place.source.path)
      if (file === undefined) fileIds.set(place.source.path, (file = files.push(place.source.path) - 1))
      fileOf.push(file)
      numberOf.push(number)
    }
    lineOf[i] = at
  })
  for (const { entry, id, name } of recognised.code.functions) {
    const at = mapped.at[entry] ?? -1
    if (id === undefined || at < 0) continue
    const place = code.placeOf(at)
    const callable = place && !place.isInside ? place.callable : undefined
    const owner = callable?.contract?.name
    // The compiler's name is `@transfer_123`.
    const bare = callable?.name ?? name.replace(/^@?(?:fun_|modifier_)?/, '').replace(/_\d+$/, '')
    entries.set(at, [owner, bare || callable?.kind].filter(Boolean).join('.'))
  }
  if (recognised.code.functions.length === 0) addWholes(code, entries)
  const made = { lineOf, fileOf, numberOf, files, entries }
  LINES.set(code, made)
  return made
}

const JUMPDEST = 0x5b

/** Without entries from the compiler, a function begins at a jump target whose place is a whole function. */
function addWholes(code: FrameCode, entries: Map<number, string>): void {
  if (code.isOptimized) return
  code.mapped?.ops.forEach((op, i) => {
    const place = op === JUMPDEST ? code.placeOf(i) : undefined
    if (place?.callable && !place.isInside) {
      entries.set(
        i,
        [place.callable.contract?.name, place.callable.name || place.callable.kind].filter(Boolean).join('.'),
      )
    }
  })
}
