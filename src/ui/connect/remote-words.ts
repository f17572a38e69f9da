import { type Capabilities, isReadOnly } from '#client/session/capabilities.ts'
import type { ChainAddress } from '#client/session/remote-endpoint.ts'
import type { RemoteProblem } from '#client/session/remote-problem.ts'

/** A problem explained in plain words. */
export interface ProblemExplanation {
  readonly title: string
  /** What happened. */
  readonly what: string
  /** The advice. */
  readonly remedy: string
}

/**
 * Explains why no chain can be reached at an endpoint.
 *
 * @param origin - The page's origin, such as `https://blinknet.example`.
 * @param served - Whether the page came from the endpoint.
 */
export function explainProblem(
  problem: RemoteProblem,
  { url, host }: ChainAddress,
  origin: string,
  served = false,
): ProblemExplanation {
  switch (problem.code) {
    case 'not-agreed':
      return {
        title: 'Not connected yet',
        what: `The address of this page names ${host}, and nothing was sent there yet.`,
        remedy: 'Agree to it, or go back to the built-in chain.',
      }
    case 'unreachable':
      if (served) {
        return {
          title: 'The server does not answer',
          what: `${host}, where this page came from, no longer answers. It has stopped or is full, or this device has left its network.`,
          remedy: 'Check that this device is on the same network as before, then try again.',
        }
      }
      return {
        title: 'No answer from this address',
        what: `No server answers at ${url}.`,
        remedy: 'Check the address and the port. Is the node running, and can this browser reach it?',
      }
    case 'cross-origin':
      return {
        title: 'The server does not allow this page',
        what:
          `A server answers at ${url}, but it does not allow this page to read its answers. Browsers require that ` +
          'permission for servers of another origin (CORS).',
        remedy:
          `Configure the server to allow the origin ${origin} with the header Access-Control-Allow-Origin. Most nodes have an ` +
          'option for it: --http.corsdomain in geth, --allow-origin in anvil and npm run node.',
      }
    case 'mixed-content':
      return {
        title: 'The browser blocks this connection',
        what: `This page was loaded over https://, but ${url} is not encrypted. Browsers allow that only for this machine.`,
        remedy: 'Use the https:// or wss:// address of the node, or open this page over http://.',
      }
    case 'http-status':
      return {
        title: 'The server refused the request',
        what: `The server at ${url} answered with HTTP status ${problem.status}.`,
        remedy: statusRemedy(problem.status),
      }
    case 'no-json-rpc':
      return {
        title: 'This is not a JSON-RPC endpoint',
        what: `The server at ${url} does not speak JSON-RPC.`,
        remedy: 'Check the path of the address: many nodes serve JSON-RPC at / or at /rpc.',
      }
    case 'silent':
      return {
        title: 'The server did not answer in time',
        what: `The server at ${url} did not answer within half a minute.`,
        remedy: 'Check whether the node is overloaded, or whether a firewall blocks the connection.',
      }
    case 'wrong-chain':
      return {
        title: 'This is a different chain',
        what: `The endpoint serves chain ${problem.actual}; the address of this page asks for chain ${problem.expected}.`,
        remedy: `Use another endpoint, or remove chainId=${problem.expected} from the address of this page.`,
      }
    case 'guest-over-http':
      return {
        title: 'Guests need the ws:// address',
        what: `You are a guest of the room at ${url}. This page learns from the room’s events what becomes of your transactions, and an http:// address sends none.`,
        remedy: `Use ${withEvents(url)} instead, or open the address of the room’s QR code.`,
      }
    case 'refused':
      return {
        title: 'The endpoint refused a request',
        what: `The endpoint at ${url} says: ${problem.message}`,
        remedy: 'This page needs that answer. Try again later, or use another endpoint.',
      }
  }
}

function statusRemedy(status: number): string {
  if (status === 401 || status === 403) return 'It requires a key, which is usually part of the address.'
  if (status === 404) return 'Check the path of the address.'
  if (status === 429) return 'It received too many requests. Wait a while, or use an endpoint of your own.'
  return 'Try again later, or use another endpoint.'
}

/**
 * The WebSocket address of a node that can push partial blocks only over WebSocket; `undefined` if it would not help.
 * Blinknet's nodes serve both on one port.
 */
export function pushingAddress(
  { url, transport }: Pick<ChainAddress, 'url' | 'transport'>,
  { preconfirms, partialBlocks }: Pick<Capabilities, 'preconfirms' | 'partialBlocks'>,
): string | undefined {
  return transport === 'http' && preconfirms && partialBlocks === 'none' ? withEvents(url) : undefined
}

function withEvents(httpUrl: string): string {
  return httpUrl.replace(/^http/, 'ws')
}

/** The features that an endpoint lacks and what that means for this page, one sentence each. */
export function missingFeatures(capabilities: Capabilities): readonly string[] {
  const { preconfirms, partialBlocks, devnet, accounts } = capabilities
  return [
    ...(preconfirms && partialBlocks === 'none'
      ? [
          'An http:// address cannot send updates, so this page asks for the pending block a few times a second and ' +
            'may show a transaction one partial block late. With the node’s ws:// address, updates arrive at once.',
        ]
      : []),
    ...(preconfirms
      ? []
      : [
          'This endpoint has no pre-confirmations: nothing is certain about a transaction until its block is sealed. ' +
            'The pending block is only the node’s guess at the next block, not a promise.',
        ]),
    ...(devnet
      ? []
      : [
          'It is not a Blinknet node: there are no clock controls, and no record of when each step of a transaction happened.',
        ]),
    // A film and a room say themselves that nothing can be sent.
    ...(accounts.length > 0 || isReadOnly(capabilities)
      ? []
      : ['It has no development accounts, so this page has no keys to sign with and cannot send transactions.']),
  ]
}
