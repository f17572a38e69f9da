import type { BlinknetProvider } from '#client/session/provider.ts'
import { unlessRefused } from '#client/session/provider.ts'
import { type BuildToRead, solidityReader } from '#client/solidity-reader.ts'
import type { Address } from '#primitives/hex.ts'
import type { AskedCode } from '#solidity/worker/messages.ts'

/** Codes of one question for whose builds the node is asked. */
export const MAX_ASKED_CODES = 32
/** Builds of a node that are held, and bytes of their texts together; the oldest go first. */
export const MAX_NODE_BUILDS = 20
const MAX_NODE_BUILD_BYTES = 64 * 1024 * 1024

/** A code, and the account that has it or is created with it. */
export interface CodeAt extends AskedCode {
  readonly address: Address
}

/** What a node has answered of the builds that it knows. */
export interface NodeBuilds {
  /**
   * Asks the node for the builds of codes that are of none of the others.
   *
   * @param kept - The page's builds, the best first.
   * @returns Those, and all that the node has answered so far, the newest first.
   */
  readonly find: (
    kept: readonly BuildToRead[],
    codes: readonly CodeAt[],
    signal?: AbortSignal,
  ) => Promise<readonly BuildToRead[]>
  /** A build's texts, as `ToSolidity` has them; `undefined` if it is none of these. */
  readonly read: (id: string) => Uint8Array<ArrayBuffer> | undefined
}

/** Builds of all nodes: the worker knows a build by its name. */
let answers = 0

/** Finds the codes that are of none of the builds. @returns Their indices. */
type UnknownOf = (
  builds: readonly BuildToRead[],
  codes: readonly AskedCode[],
  signal: AbortSignal | undefined,
) => Promise<readonly number[]>

const askReader: UnknownOf = (builds, codes, signal) => {
  const plain = codes.map(({ code, isCreation }) => ({ code, isCreation }))
  return solidityReader.ask('unknown', builds, { codes: plain }, signal)
}

/**
 * @param unknownOf - Replaces the page's reader in tests.
 * @param mostBytes - Of the texts of all builds.
 */
export function createNodeBuilds(
  provider: BlinknetProvider,
  unknownOf: UnknownOf = askReader,
  mostBytes = MAX_NODE_BUILD_BYTES,
): NodeBuilds {
  /** The newest first. */
  let held: readonly { readonly id: string; readonly texts: Uint8Array<ArrayBuffer> }[] = []
  /** Questions take turns: a build that one of them gets answers the next. */
  let turn: Promise<unknown> = Promise.resolve()

  const all = (kept: readonly BuildToRead[]) => [
    ...kept,
    ...held.map(({ id, texts }) => ({ id, read: async () => texts.slice() })),
  ]

  /** Whether there was one that could be taken. */
  async function ask({ address, code, isCreation }: CodeAt): Promise<boolean> {
    // An account whose creation failed has no code.
    const of = isCreation ? { initcode: code } : address
    const build = await unlessRefused(provider.request({ method: 'devnet_getBuild', params: [of] }))
    const texts = build ? textsOf(build.compiler, build.input, build.output) : undefined
    if (!texts || texts.length > mostBytes) return false
    answers++
    held = fitting([{ id: `build ${answers} of a node`, texts }, ...held], mostBytes)
    return true
  }

  async function find(kept: readonly BuildToRead[], codes: readonly CodeAt[], signal?: AbortSignal) {
    let left = distinct(codes).slice(0, MAX_ASKED_CODES)
    let isNew = true
    for (;;) {
      signal?.throwIfAborted()
      const known = all(kept)
      if (isNew && known.length > 0 && left.length > 0) {
        const unknown = new Set(await unknownOf(known, left, signal))
        left = left.filter((_code, i) => unknown.has(i))
      }
      const [next, ...others] = left
      if (!next) return known
      isNew = await ask(next)
      left = others
    }
  }

  return {
    find(kept, codes, signal) {
      const found = turn.then(() => find(kept, codes, signal))
      turn = found.catch(() => undefined)
      return found
    },
    read: (id) => held.find((build) => build.id === id)?.texts.slice(),
  }
}

function distinct(codes: readonly CodeAt[]): CodeAt[] {
  const byCode = new Map(codes.filter(({ code }) => code !== '0x').map((asked) => [asked.code, asked] as const))
  return [...byCode.values()]
}

/** The first ones that fit. */
function fitting<Held extends { readonly texts: Uint8Array }>(
  builds: readonly Held[],
  mostBytes: number,
): readonly Held[] {
  let bytes = 0
  return builds.slice(0, MAX_NODE_BUILDS).filter(({ texts }) => {
    bytes += texts.length
    return bytes <= mostBytes
  })
}

/** `undefined` if the values take more stack than there is; each browser has an error of its own for that. */
function textsOf(compiler: string, input: unknown, output: unknown): Uint8Array<ArrayBuffer> | undefined {
  try {
    return new TextEncoder().encode(JSON.stringify([compiler, JSON.stringify(input), JSON.stringify(output)]))
  } catch {
    return undefined
  }
}
