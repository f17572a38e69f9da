import * as soljson from 'solc/soljson.js'
import type { CompileOutput, CompilerSettings } from '#compiler/messages.ts'
import { bindSolc, type Soljson } from '#compiler/soljson.ts'
import { readStandardJson, toStandardJson } from '#compiler/standard-json.ts'

const solc = bindSolc(soljson as unknown as Soljson)

export const SETTINGS: CompilerSettings = { optimizer: true, runs: 200, evmVersion: 'osaka' }

/** Compiles with the real compiler, as the worker does. */
export function compile(source: string, settings: CompilerSettings = SETTINGS): CompileOutput {
  return readStandardJson(solc.compile(toStandardJson({ source, settings })), source)
}
