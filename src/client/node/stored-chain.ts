import { sharedChainName } from '#transport/channel/channel-messages.ts'
import { gatherPort } from '#transport/port/gather-port.ts'
import { type FromStore, PROTOCOL, protocolMismatch, type RescuedFile, type ToStore } from '#transport/port/messages.ts'
import { handleOf, type WorkerHandle, type WorkerLike } from '#transport/port/worker-handle.ts'
import { startNodeWorker } from './start-node-worker.ts'

/** A stored chain could not be read or erased. `message` is for people. */
export class StoredChainError extends Error {
  override readonly name = 'StoredChainError'
}

/**
 * Exports a stored chain as a chain file, even if no node can run on it. Checks nothing.
 *
 * @param startWorker - Replaces the worker in tests.
 * @throws {StoredChainError}
 */
export async function salvageChain(
  chain: string,
  startWorker: () => WorkerLike = startNodeWorker,
): Promise<Uint8Array<ArrayBuffer>> {
  const answer = await ask({ kind: 'salvage', protocol: PROTOCOL, chainName: shared(chain) }, startWorker)
  if (answer.kind === 'salvaged') return new Uint8Array(answer.file)
  throw unexpected(answer)
}

/**
 * Finds what can be proven of a stored chain that is damaged, and leaves that as it is.
 *
 * @param startWorker - Replaces the worker in tests.
 * @throws {StoredChainError} If nothing can be proven.
 */
export async function rescueStoredChain(
  chain: string,
  startWorker: () => WorkerLike = startNodeWorker,
): Promise<RescuedFile & { readonly file: Uint8Array<ArrayBuffer> }> {
  const answer = await ask({ kind: 'rescue', protocol: PROTOCOL, chainName: shared(chain) }, startWorker)
  if (answer.kind !== 'rescued') throw unexpected(answer)
  return { ...answer, file: new Uint8Array(answer.file) }
}

/**
 * Deletes a chain from the browser's storage; a tab that runs it starts it over.
 *
 * @param startWorker - Replaces the worker in tests.
 * @throws {StoredChainError}
 */
export async function eraseChain(chain: string, startWorker: () => WorkerLike = startNodeWorker): Promise<void> {
  const answer = await ask({ kind: 'erase', protocol: PROTOCOL, chainName: shared(chain) }, startWorker)
  if (answer.kind !== 'erased') throw unexpected(answer)
}

/**
 * The ids of stored chains, in the order of their names. The chains stay as they are, and with the tabs that run them.
 *
 * @param startWorker - Replaces the worker in tests.
 * @returns `undefined` for one that is not stored or cannot be read.
 * @throws {StoredChainError} If the browser gives no access to its storage.
 */
export async function identifyChains(
  chains: readonly string[],
  startWorker: () => WorkerLike = startNodeWorker,
): Promise<readonly (number | undefined)[]> {
  const answer = await ask({ kind: 'identify', protocol: PROTOCOL, chainNames: chains.map(shared) }, startWorker)
  if (answer.kind !== 'identified') throw unexpected(answer)
  return answer.chainIds
}

function shared(chain: string): string {
  return sharedChainName(import.meta.env.BASE_URL, chain)
}

/** Uses a separate worker, since the page's own may not be able to run. */
function ask(question: ToStore, startWorker: () => WorkerLike): Promise<FromStore> {
  const worker = startWorker()
  let handle: WorkerHandle<ToStore>
  const answer = new Promise<FromStore>((resolve, reject) => {
    const failed = (message: string) => reject(new StoredChainError(message))
    const message = (data: FromStore) => {
      if (data.kind === 'failed') return failed(data.message)
      if (data.kind !== 'ready') return resolve(data)
      const mismatch = protocolMismatch(data.protocol)
      if (mismatch) failed(mismatch)
      else handle.post(question)
    }
    handle = handleOf(worker, { message, failed }, gatherPort(worker))
  })
  return answer.finally(() => handle.stop())
}

function unexpected({ kind }: FromStore): StoredChainError {
  return new StoredChainError(`the worker sent an unexpected answer: ${kind}`)
}
