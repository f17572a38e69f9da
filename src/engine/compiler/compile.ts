/** Compiles those parts of a code that run often: one function for each path, which begins with a block. */

import type { Places } from './instructions.ts'
import { writeModule } from './module.ts'
import { compilePath } from './trace.ts'
import type { TranslatedCode } from './translated.ts'

export interface CompiledBytecode {
  /** `undefined` if the path that is wanted is no loop, and only loops are. */
  readonly wasm: Uint8Array<ArrayBuffer> | undefined
  /** The blocks that the functions begin with, in the order of their numbers. */
  readonly blocks: readonly number[]
  /** Bytes that were written, also those that were dropped. */
  readonly written: number
}

/** Written bytes after which no further path begins, and how many there are at the most. */
const MAX_BYTES = 16 * 1024
const MAX_PATHS = 64

/**
 * @param first - The block that a path is wanted for.
 * @param enough - How often another block has run, so that it is compiled along.
 */
export function compileHot(
  code: TranslatedCode,
  first: number,
  enough: number,
  loopsOnly: boolean,
  places: Places,
): CompiledBytecode {
  const blocks = new Set([first])
  const loops = new Set<number>()
  const paths: Uint8Array[] = []
  let [bytes, dropped] = [0, 0]
  const plan = {
    reach(block: number): void {
      const isKnown = code.isCompiled(block) || blocks.size >= MAX_PATHS
      if (!isKnown && (loops.has(block) || code.runs(block) >= enough)) blocks.add(block)
    },
    isLoop: (block: number) => loops.has(block),
    addLoop: (block: number) => void loops.add(block),
  }
  // More may follow while one is compiled.
  for (const block of blocks) {
    if (bytes + dropped >= MAX_BYTES) break
    const path = compilePath(code, plan, places, block)
    bytes += path.body.length
    dropped += path.dropped
    if (block === first && loopsOnly && !path.isLoop) return { wasm: undefined, blocks: [], written: bytes + dropped }
    paths.push(path.body)
  }
  const wasm = writeModule(paths)
  return { wasm, blocks: [...blocks].slice(0, paths.length), written: wasm.length + dropped }
}
