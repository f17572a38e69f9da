import { BINARY, start } from 'virtual:solc'
import { PACKAGES } from 'virtual:solidity-packages'
import { packBuild } from '#solidity/worker/pack-build.ts'
import { compile } from './compile.ts'
import { completeBuild } from './complete-build.ts'
import { type BinaryFile, type BinaryHost, DownloadError, loadBinary } from './load-binary.ts'
import { matchCode } from './match-code.ts'
import type { Files, FromCompiler, ToCompiler } from './messages.ts'
import { PackageError } from './packages.ts'
import { recompile } from './recompile.ts'
import { bindSolc, type Solc } from './soljson.ts'

function post(message: FromCompiler, transfer: Transferable[] = []): void {
  self.postMessage(message, transfer)
}

/** Loads a file, and reports its progress in steps of at least a hundredth. */
function load(what: string, file: BinaryFile) {
  let reported = 0
  const host: BinaryHost = {
    fetch: (url, request) => fetch(url, request),
    caches: globalThis.caches,
  }
  return loadBinary(file, host, (loadedBytes) => {
    if (loadedBytes < reported + file.bytes / 100) return
    reported = loadedBytes
    post({ kind: 'loading', what, loadedBytes, totalBytes: file.bytes })
  })
}

async function loadSolc(): Promise<{ solc: Solc; kept: boolean }> {
  const { bytes, kept } = await load('the compiler', { ...BINARY, cache: 'blinknet-compiler' })
  post({ kind: 'starting' })
  return { solc: bindSolc(start({ wasmBinary: bytes })), kept }
}

const packages = new Map<string, Files>()

async function readPackage(name: string): Promise<Files> {
  const known = packages.get(name)
  if (known) return known
  const file = PACKAGES.find((each) => each.name === name)
  if (!file) throw new PackageError('this page does not have it')
  try {
    const { bytes } = await load(name, { ...file, cache: `blinknet-package:${name}` })
    const files = JSON.parse(new TextDecoder().decode(bytes)) as Files
    packages.set(name, files)
    return files
  } catch (error) {
    if (error instanceof DownloadError) throw new PackageError(error.message, { cause: error })
    throw error
  }
}

const ORIGIN = { packages: PACKAGES, readPackage }

async function answer(solc: Solc, message: ToCompiler): Promise<void> {
  const { id } = message
  const onCompiling = () => post({ kind: 'compiling' })
  try {
    if (message.kind === 'verify') {
      return post({ kind: 'answered', id, answer: recompile(solc, message.request, onCompiling) })
    }
    if (message.kind === 'complete') {
      const completed = completeBuild(solc, message.request.texts, onCompiling)
      const build = completed && (await packBuild(completed))
      return post({ kind: 'answered', id, answer: build }, build ? [build.texts] : [])
    }
    if (message.kind === 'match') {
      const matched = await matchCode(solc, message.request, ORIGIN, onCompiling)
      if (matched.outcome !== 'found') return post({ kind: 'answered', id, answer: matched })
      const build = await packBuild(matched.build)
      return post({ kind: 'answered', id, answer: { ...matched, build } }, [build.texts])
    }
    const compiled = await compile(solc, message.request, ORIGIN, onCompiling)
    const build = compiled.build && (await packBuild(compiled.build))
    post({ kind: 'answered', id, answer: { ...compiled, build } }, build ? [build.texts] : [])
  } catch (error) {
    // After a trap nothing of the module's memory can be relied on: the page starts another worker.
    post({ kind: 'failed', reason: 'broken', message: messageOf(error) })
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

loadSolc().then(
  ({ solc, kept }) => {
    self.onmessage = ({ data }: MessageEvent<ToCompiler>) => void answer(solc, data)
    post({ kind: 'ready', version: solc.version, kept })
  },
  (error: unknown) =>
    post({
      kind: 'failed',
      reason: error instanceof DownloadError ? 'network' : 'broken',
      message: messageOf(error),
    }),
)
