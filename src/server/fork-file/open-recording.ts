import { EndpointError } from '#endpoint/endpoint-error.ts'
import { RemoteEndpoint } from '#endpoint/remote-endpoint.ts'
import { Fork } from '#node/fork/fork.ts'
import { ForkError } from '#node/fork/fork-error.ts'
import { absentEndpoint } from '#node/fork/kept-endpoint.ts'
import type { Remote } from '#node/fork/state-source.ts'
import { BEACON_ROOTS_ADDRESS, HISTORY_STORAGE_ADDRESS, SYSTEM_ADDRESS } from '#node/spec/system-contracts.ts'
import type { Clock } from '#primitives/clock.ts'
import type { ForkCommand } from '#server/cli/fork-flags.ts'
import { RecordedFork } from './recorded-fork.ts'

/** What the commands about fork files have of their surroundings. */
export interface ForkFileDeps {
  readonly clock: Clock
  /** Takes a line for people. */
  readonly print: (line: string) => void
}

/** An endpoint whose failures are those of a fork. */
export function remoteOf(
  { url, headers, retries, backoffMs, timeoutMs }: ForkCommand,
  print: ForkFileDeps['print'],
): Remote & { close(): void } {
  const endpoint = new RemoteEndpoint({
    url,
    headers,
    retries,
    backoffMs,
    timeoutMs,
    onWait: print,
    defer: setImmediate,
  })
  return {
    name: endpoint.name,
    async ask(method, params) {
      try {
        return await endpoint.ask(method, params)
      } catch (error) {
        throw error instanceof EndpointError ? ForkError.of(error) : error
      }
    },
    close: () => endpoint.close(),
  }
}

/** Takes the place of an endpoint that the command line does not name. */
export function noRemote(file: string): Remote & { close(): void } {
  const { ask: _, ...absent } = absentEndpoint(file)
  return {
    ...absent,
    ask: (method) =>
      Promise.reject(new ForkError(`${file} does not have it, and --fork-url says who is asked (${method})`)),
    close() {},
  }
}

/**
 * Begins a recording of an endpoint's block.
 *
 * @throws {ForkError} If the endpoint cannot be used, or has no proofs.
 */
export async function beginRecording(
  remote: Remote,
  { blockNumber, chainId }: Pick<ForkCommand, 'blockNumber' | 'chainId'>,
  clock: Clock,
): Promise<RecordedFork> {
  const fork = await Fork.open({ remote, clock, blockNumber }, [])
  if (fork.withoutProofs !== undefined) {
    const why = `${remote.name} has no proofs (eth_getProof: ${fork.withoutProofs})`
    throw new ForkError(`${why}, and a fork file has nothing that is not proven: take another endpoint`)
  }
  if (chainId !== undefined && chainId !== fork.chainId) {
    throw new ForkError(`${remote.name} has the chain id ${fork.chainId}, not ${chainId} (--fork-chain-id)`)
  }
  const recorded = new RecordedFork(fork)
  // Every fork has opened with them.
  for (const address of [BEACON_ROOTS_ADDRESS, HISTORY_STORAGE_ADDRESS, SYSTEM_ADDRESS]) recorded.note(address, [])
  for (const params of [
    [recorded.at, false],
    ['0x0', false],
  ]) {
    const result = fork.answers.find('eth_getBlockByNumber', params)
    if (result !== undefined) recorded.put('eth_getBlockByNumber', params, { result })
  }
  return recorded
}
