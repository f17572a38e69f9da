import { BINARY, start } from 'virtual:solc'
import { DownloadError, loadBinary } from './load-binary.ts'
import type { FromCompiler, ToCompiler } from './messages.ts'
import { bindSolc, type Solc } from './soljson.ts'
import { readStandardJson, toStandardJson } from './standard-json.ts'

/** Progress is reported in steps of at least a hundredth. */
const STEP = BINARY.bytes / 100

function post(message: FromCompiler): void {
  self.postMessage(message)
}

async function load(): Promise<{ solc: Solc; kept: boolean }> {
  let reported = 0
  const host = { fetch: (url: string) => fetch(url), caches: globalThis.caches as CacheStorage | undefined }
  const { bytes, kept } = await loadBinary(BINARY, host, (loadedBytes) => {
    if (loadedBytes < reported + STEP) return
    reported = loadedBytes
    post({ kind: 'loading', loadedBytes, totalBytes: BINARY.bytes })
  })
  post({ kind: 'starting' })
  return { solc: bindSolc(start({ wasmBinary: bytes })), kept }
}

function answer(solc: Solc, { id, request }: ToCompiler): void {
  try {
    const output = readStandardJson(solc.compile(toStandardJson(request)), request.source)
    post({ kind: 'compiled', id, output })
  } catch (error) {
    // After a trap nothing of the module's memory can be relied on: the page starts another worker.
    post({ kind: 'failed', reason: 'broken', message: messageOf(error) })
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

load().then(
  ({ solc, kept }) => {
    self.onmessage = ({ data }: MessageEvent<ToCompiler>) => answer(solc, data)
    post({ kind: 'ready', version: solc.version, kept })
  },
  (error: unknown) =>
    post({
      kind: 'failed',
      reason: error instanceof DownloadError ? 'network' : 'broken',
      message: messageOf(error),
    }),
)
