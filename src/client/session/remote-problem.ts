import { DisconnectedError } from '#transport/port/connect-port.ts'

/** Why no chain could be reached. Branch on `code`. */
export type RemoteProblem =
  /** The page's address alone names the endpoint. */
  | { readonly code: 'not-agreed' }
  /** Nothing answers there. */
  | { readonly code: 'unreachable' }
  /** Something answers, but does not let this origin read the answer. */
  | { readonly code: 'cross-origin' }
  /** A plain endpoint on an HTTPS page. */
  | { readonly code: 'mixed-content' }
  /** An HTTP error status without a JSON-RPC answer. */
  | { readonly code: 'http-status'; readonly status: number }
  /** The answer is not JSON-RPC. */
  | { readonly code: 'no-json-rpc' }
  /** The endpoint did not answer in time. */
  | { readonly code: 'silent' }
  /** EIP-155 chain ids: the one in the page's address and the endpoint's. */
  | { readonly code: 'wrong-chain'; readonly expected: number; readonly actual: number }
  /** A room, whose guests need events, at an HTTP address, which has none. */
  | { readonly code: 'guest-over-http' }
  /** The endpoint refuses a call that every chain should answer; `message` is its own. */
  | { readonly code: 'refused'; readonly message: string }

const WORDS: Readonly<Record<RemoteProblem['code'], string>> = {
  'not-agreed': 'nobody has agreed yet that this page connects there',
  unreachable: 'there is no answer from this address',
  'cross-origin': 'the server does not allow this page to read its answers (CORS)',
  'mixed-content': 'the browser does not let an https:// page connect to an http:// or ws:// address',
  'http-status': 'the server answered with an HTTP error',
  'no-json-rpc': 'the server is not a JSON-RPC endpoint',
  silent: 'the server did not answer in time',
  'wrong-chain': 'the endpoint serves a different chain',
  'guest-over-http': 'guests of this room need its ws:// address',
  refused: 'the endpoint refused',
}

/** The problem in a few words, for an error message. */
export function problemWords(problem: RemoteProblem): string {
  const words = WORDS[problem.code]
  switch (problem.code) {
    case 'http-status':
      return `${words} (${problem.status})`
    case 'wrong-chain':
      return `${words} (${problem.actual} instead of ${problem.expected})`
    case 'refused':
      return `${words}: ${problem.message}`
    default:
      return words
  }
}

/** A call that ended with a {@link RemoteProblem}. */
export class RemoteDisconnectedError extends DisconnectedError {
  readonly problem: RemoteProblem

  constructor(problem: RemoteProblem, options?: ErrorOptions) {
    super(problemWords(problem), options)
    this.problem = problem
  }
}

/** The problem behind a thrown value; `undefined` if there is another reason. */
export function problemOf(thrown: unknown): RemoteProblem | undefined {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if (error instanceof RemoteDisconnectedError) return error.problem
  }
  return undefined
}
