import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { bindSolc, type Solc, type Soljson } from '#compiler/soljson.ts'

const require = createRequire(import.meta.url)
const { version: PACKAGE } = require('solc/package.json') as { readonly version: string }
/** Compiling takes most of these tests' time, so what was compiled is kept between runs. */
const FOLDER = path.join('.cache/compiled', PACKAGE)

let loaded: Solc | undefined

/** The compiler, which takes a second to load. */
function solc(): Solc {
  loaded ??= bindSolc(require('solc/soljson.js') as Soljson)
  return loaded
}

/** What a question was answered before, in this run or an earlier one. */
function cached(question: string, answer: () => string): string {
  const file = path.join(FOLDER, `${createHash('sha256').update(question).digest('hex')}.gz`)
  if (existsSync(file)) return gunzipSync(readFileSync(file)).toString()
  const text = answer()
  mkdirSync(FOLDER, { recursive: true })
  // Other processes compile the same.
  const written = `${file}.${process.pid}`
  writeFileSync(written, gzipSync(text, { level: 1 }))
  renameSync(written, file)
  return text
}

/** Settings as standard JSON has them. */
export interface SolcSettings {
  readonly optimizer?: { readonly enabled: boolean; readonly runs: number }
  readonly viaIR?: boolean
  readonly [setting: string]: unknown
}

/** Input and output of a compilation, as the compiler takes and gives them. */
export interface CompiledJson {
  readonly input: {
    readonly language: string
    readonly sources: Record<string, { content: string }>
    settings: SolcSettings
  }
  readonly output: {
    readonly contracts: Record<string, Record<string, SolcContract>>
    readonly sources: Record<string, { readonly id: number; readonly ast: unknown }>
  }
}

export interface SolcContract {
  readonly abi: readonly Record<string, unknown>[]
  readonly metadata?: string
  readonly evm: {
    readonly bytecode: { readonly object: string }
    readonly deployedBytecode: { readonly object: string }
  }
}

/** What is asked of the compiler, by file and contract. */
export type OutputSelection = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>

const OF_CONTRACTS = [
  'abi',
  'metadata',
  'storageLayout',
  'evm.bytecode',
  'evm.deployedBytecode',
  'evm.methodIdentifiers',
]

/** Everything that a build may have. */
const EVERYTHING: OutputSelection = { '*': { '': ['ast'], '*': OF_CONTRACTS } }

/** Everything of the contracts of one file; of the files that it imports only what is needed to read it. */
export function everythingOf(file: string): OutputSelection {
  return { '*': { '': ['ast'] }, [file]: { '*': OF_CONTRACTS } }
}

/** The compiler's version as it says it. */
export const SOLC_VERSION = cached('version', () => solc().version)

/**
 * Compiles sources with the real compiler.
 *
 * @param isKept - Whether the answer is kept for other runs.
 * @throws {Error} With the compiler's words if it refuses them.
 */
export function compileStandard(
  sources: Readonly<Record<string, string>>,
  settings: SolcSettings = {},
  outputSelection: OutputSelection = EVERYTHING,
  isKept = true,
): CompiledJson {
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(Object.entries(sources).map(([file, content]) => [file, { content }])),
    settings: { ...settings, outputSelection },
  }
  const question = JSON.stringify(input)
  const answer = () => solc().compile(question)
  const output = JSON.parse(isKept ? cached(question, answer) : answer()) as CompiledJson['output'] & {
    readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[]
  }
  const errors = output.errors?.filter(({ severity }) => severity === 'error') ?? []
  if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join('\n'))
  return { input, output }
}
