import type { ForkedChain } from '#client/session/remote-endpoint.ts'
import type { RemoteEndpoint } from '#endpoint/remote-endpoint.ts'
import { toQuantity } from '#primitives/hex.ts'
import { errorText } from '#transport/port/messages.ts'

/** What an endpoint can do for a fork. */
export interface EndpointTrial {
  readonly chainId: number
  /** Number of its newest block. */
  readonly newest: number
  /** The block that a fork would continue. */
  readonly block: number
  /** The endpoint's name for itself; empty if it gives none. */
  readonly clientVersion: string
  /** Why it proves no state of that block; `undefined` if it does. */
  readonly withoutProofs: string | undefined
  /** Why it has no state of its first blocks; `undefined` if it does. */
  readonly withoutArchive: string | undefined
}

/** The endpoint's answers cannot be those of a chain. */
export class TrialError extends Error {
  override readonly name = 'TrialError'
}

/** Any account: a proof may also show that there is none. */
const SOMEBODY = `0x${'00'.repeat(20)}`

/**
 * Finds out whether a chain can be forked at an endpoint.
 *
 * @throws {EndpointError | TrialError} If it cannot be asked, or has no such block; the message says why.
 */
export async function tryEndpoint(
  { ask, name }: Pick<RemoteEndpoint, 'ask' | 'name'>,
  { blockNumber }: ForkedChain,
): Promise<EndpointTrial> {
  const [chain, head, client] = await Promise.all([
    ask('eth_chainId', []),
    ask('eth_blockNumber', []),
    // Some endpoints do not tell.
    ask('web3_clientVersion', []).catch(() => ''),
  ])
  const chainId = numberIn(chain)
  const newest = numberIn(head)
  if (chainId === undefined || newest === undefined) {
    throw new TrialError(`${name} answers with no chain id or block number: it is no Ethereum endpoint`)
  }
  const block = blockNumber ?? newest
  if (block > newest) throw new TrialError(`${name} has no block ${block}: its newest is ${newest}`)
  const [withoutProofs, withoutArchive] = await Promise.all([
    refusalOf(ask('eth_getProof', [SOMEBODY, [], toQuantity(block)]), isProof),
    refusalOf(
      ask('eth_getBalance', [SOMEBODY, toQuantity(Math.min(1, newest))]),
      (answer) => typeof answer === 'string',
    ),
  ])
  const clientVersion = typeof client === 'string' ? client : ''
  return { chainId, newest, block, clientVersion, withoutProofs, withoutArchive }
}

/** Number of an endpoint's newest block. @throws {EndpointError | TrialError} */
export async function newestBlock({ ask, name }: Pick<RemoteEndpoint, 'ask' | 'name'>): Promise<number> {
  const newest = numberIn(await ask('eth_blockNumber', []))
  if (newest === undefined) throw new TrialError(`${name} answers with no block number`)
  return newest
}

async function refusalOf(asked: Promise<unknown>, isRight: (answer: unknown) => boolean): Promise<string | undefined> {
  try {
    return isRight(await asked) ? undefined : 'its answer is of another kind'
  } catch (error) {
    return errorText(error)
  }
}

function isProof(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && 'accountProof' in answer && Array.isArray(answer.accountProof)
}

function numberIn(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^0x[0-9a-f]+$/i.test(value) ? Number(value) : Number.NaN
  return Number.isSafeInteger(number) ? number : undefined
}
