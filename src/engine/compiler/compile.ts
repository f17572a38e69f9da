/** Compiles what has run often of a code: a function for each path that begins with a block. */

import type { Places } from './instructions.ts'
import { writeModule } from './module.ts'
import { compilePath } from './trace.ts'
import type { TranslatedCode } from './translated.ts'

export interface Compilation {
  readonly wasm: Uint8Array<ArrayBuffer>
  /** The blocks that the functions begin with, in the order of their numbers. */
  readonly blocks: readonly number[]
}

/** Bytes of WebAssembly after which no further path begins, and how many there are at the most. */
const MAX_BYTES = 16 * 1024
const MAX_PATHS = 64

/**
 * @param first - The block that a path is wanted for.
 * @param enough - How often another block has run, so that it is compiled along.
 * @returns `undefined` if that path is no loop, and only loops are wanted.
 */
export function compileHot(
  code: TranslatedCode,
  first: number,
  enough: number,
  loopsOnly: boolean,
  places: Places,
): Compilation | undefined {
  const blocks = new Set([first])
  const loops = new Set<number>()
  const paths: Uint8Array[] = []
  let bytes = 0
  const plan = {
    reach(block: number): void {
      const isKnown = code.isCompiled(block) || blocks.size >= MAX_PATHS || bytes >= MAX_BYTES
      if (!isKnown && (loops.has(block) || code.runs(block) >= enough)) blocks.add(block)
    },
    isLoop: (block: number) => loops.has(block),
    addLoop: (block: number) => void loops.add(block),
  }
  // More may follow while one is compiled.
  for (const block of blocks) {
    const { body, isLoop } = compilePath(code, plan, places, block)
    if (block === first && loopsOnly && !isLoop) return undefined
    paths.push(body)
    bytes += body.length
  }
  return { wasm: writeModule(paths), blocks: [...blocks] }
}
