import type { Capabilities } from '#client/remote-capabilities.ts'
import type { RemoteEndpoint } from '#client/remote-endpoint.ts'
import type { RemoteProblem } from '#client/remote-problem.ts'

/** A problem in a person's words. */
export interface ProblemExplanation {
  readonly title: string
  /** What is the case. */
  readonly what: string
  /** What can be done about it. */
  readonly remedy: string
}

/**
 * Explains why there is no chain at an endpoint.
 *
 * @param origin - Of the page, such as `https://blinknet.example`.
 */
export function explainProblem(problem: RemoteProblem, { url }: RemoteEndpoint, origin: string): ProblemExplanation {
  switch (problem.code) {
    case 'unreachable':
      return {
        title: 'Nothing answers there',
        what: `No server answers at ${url}.`,
        remedy: 'Check the address and the port, and that the node runs and can be reached from this browser.',
      }
    case 'cross-origin':
      return {
        title: 'The server keeps its answers from this page',
        what:
          `Something answers at ${url}, but a browser shows a page the answers of another origin only if that server ` +
          'allows it (CORS), and it does not.',
        remedy:
          `The server has to allow the origin ${origin}, by the header Access-Control-Allow-Origin. Most nodes have ` +
          'an option for it: --http.corsdomain in geth, --allow-origin in anvil.',
      }
    case 'mixed-content':
      return {
        title: 'The browser forbids this connection',
        what: `This page came over https://, and ${url} is not encrypted: browsers allow that to this machine only.`,
        remedy: 'Use the https:// or wss:// address of the node, or open this page over http://.',
      }
    case 'http-status':
      return {
        title: 'The server refused',
        what: `The server at ${url} answered with the HTTP status ${problem.status}.`,
        remedy: statusRemedy(problem.status),
      }
    case 'no-json-rpc':
      return {
        title: 'That is no JSON-RPC endpoint',
        what: `What answers at ${url} does not speak JSON-RPC.`,
        remedy: 'Check the path of the address: many nodes serve JSON-RPC at / or at /rpc.',
      }
    case 'silent':
      return {
        title: 'The server does not answer in time',
        what: `The server at ${url} was reached, or seemed to be, and did not answer for half a minute.`,
        remedy: 'Check that the node is not overloaded and that no firewall swallows the connection.',
      }
    case 'wrong-chain':
      return {
        title: 'That is another chain',
        what: `The endpoint serves chain ${problem.actual}; the address of this page asks for chain ${problem.expected}.`,
        remedy: `Use another endpoint, or take chainId=${problem.expected} out of the address of this page.`,
      }
    case 'refused':
      return {
        title: 'The endpoint refused',
        what: `The endpoint at ${url} says: ${problem.message}`,
        remedy: 'This page cannot do without what it refused. Try again later, or use another endpoint.',
      }
  }
}

function statusRemedy(status: number): string {
  if (status === 401 || status === 403) return 'It wants a key, most often as a part of the address.'
  if (status === 404) return 'Check the path of the address.'
  if (status === 429) return 'It was asked too often. Wait a while, or use an endpoint of your own.'
  return 'Try again later, or use another endpoint.'
}

/** What an endpoint lacks and what that means for this page, a sentence each; nothing if it lacks nothing. */
export function missingFeatures({ preconfirms, partialBlocks, devnet, accounts }: Capabilities): readonly string[] {
  return [
    ...(preconfirms && partialBlocks === 'none'
      ? [
          'Over this connection nothing arrives by itself: the pending block is asked for a few times a second, and a ' +
            'transaction may show a partial block late. With the ws:// address of the node, each arrives as it is cut.',
        ]
      : []),
    ...(preconfirms
      ? []
      : [
          'This endpoint has no pre-confirmations: it does not say of a transaction that it will be sealed before it ' +
            'is. The pending block is what the node would put into the next block now, and promises nothing.',
        ]),
    ...(devnet
      ? []
      : ['It is no Blinknet: there are no clock controls, and the times of a transaction’s steps are not kept.']),
    ...(accounts.length > 0
      ? []
      : ['It lists no development accounts, so this page has no key to sign with and sends nothing.']),
  ]
}
