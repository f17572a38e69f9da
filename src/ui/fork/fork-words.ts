import type { EndpointTrial } from '#client/fork/try-endpoint.ts'
import { LONGEST_NAME, othersText } from '#ui/format/contract-text.ts'
import { ExplainedError } from '#ui/format/explain-error.ts'
import { formatInteger } from '#ui/format/numbers.ts'

/** Something that an endpoint can do or not. */
export interface Finding {
  readonly can: boolean
  readonly what: string
  readonly why: string
}

/** What was found out about an endpoint, in the order in which it matters. */
export function findingsOf(trial: EndpointTrial): readonly Finding[] {
  const { chainId, newest, block, clientVersion, withoutProofs, withoutArchive } = trial
  return [
    {
      can: true,
      what: `Chain ${chainId}, newest block ${formatInteger(newest)}`,
      why: `It answers, and lets this page read its answers (CORS).${clientVersion === '' ? '' : ` It is ${othersText(clientVersion, LONGEST_NAME)}.`}`,
    },
    withoutProofs === undefined
      ? {
          can: true,
          what: `Proofs of the state at block ${formatInteger(block)}`,
          why: 'All that is fetched is checked against that block, so new state roots are the true ones.',
        }
      : {
          can: false,
          what: `No proofs of the state at block ${formatInteger(block)}`,
          why: `${withoutProofs}. A fork takes this endpoint at its word, and its state roots are not those of the real chain.`,
        },
    withoutArchive === undefined
      ? {
          can: true,
          what: 'An archive',
          why: 'It knows the state of every block, so the fork can go on for as long as you like.',
        }
      : {
          can: false,
          what: 'No archive',
          why: 'It forgets the state of older blocks, usually after some minutes. From then on the fork keeps what it has fetched, and cannot fetch more.',
        },
  ]
}

/** Start of what is wrong → what to do about it. */
const REMEDIES: readonly (readonly [part: string, remedy: (origin: string) => string])[] = [
  [
    '(CORS)',
    (origin) =>
      `Have the server allow the origin ${origin} with the header Access-Control-Allow-Origin (--http.corsdomain in geth, --allow-origin in anvil and Blinknet), or use an endpoint that allows every page. A public endpoint may also look like this when it received too many requests: then wait a while.`,
  ],
  ['http:// address', () => 'Use its https:// address, or open this page over http://.'],
  ['HTTP status 429', () => 'It received too many requests. Wait a while, or use an endpoint of your own.'],
  ['it limits how much', () => 'Wait a while, or use an endpoint of your own.'],
  ['HTTP status 40', () => 'It may require a key, which is usually part of the address, or has another path.'],
  ['has no block', () => 'Choose a block that it has.'],
  ['with an error', () => 'Choose a newer block, or an endpoint that has its state.'],
  ['is no JSON', () => 'Check the path of the address: this is no JSON-RPC endpoint.'],
  ['is refused', () => 'Its answers do not fit the chain that it claims to have. Use another endpoint.'],
]

/** What to do about an endpoint that cannot be used. @param origin - The page's. */
export function remedyFor(message: string, origin: string): string {
  const remedy = REMEDIES.find(([part]) => message.includes(part))?.[1]
  return remedy?.(origin) ?? 'Check the address and the port, and whether this browser can reach it.'
}

/** Browsers say no more than this of a connection that they could not make, each in words of its own. */
const NO_CONNECTION = /(?:Failed to fetch|NetworkError when attempting to fetch resource\.|Load failed)$/

/** What went wrong, without a browser's own words. */
export function inPlainWords(message: string): string {
  return message.replace(NO_CONNECTION, 'no connection could be made')
}

/** A failed trial, explained. */
export function explainTrial(error: unknown, origin: string): ExplainedError {
  const message = error instanceof Error ? error.message : String(error)
  return new ExplainedError(`${inPlainWords(message)}.`, remedyFor(message, origin), { cause: error })
}
