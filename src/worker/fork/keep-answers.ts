import { AnswerError, bytesOf, listOf, membersOf, parsedAnswer, proofNodesOf } from '#node/fork/answers.ts'
import { ForkError } from '#node/fork/fork-error.ts'
import { type ForkHeader, readForkHeader } from '#node/fork/fork-header.ts'
import { ForkState } from '#node/fork/fork-state.ts'
import { ProofError } from '#node/fork/reveal.ts'
import type { Remote } from '#node/fork/state-source.ts'
import type { Address, Hash } from '#primitives/hex.ts'
import { toQuantity } from '#primitives/hex.ts'
import type { KeptTexts } from './kept-texts.ts'

/** An account as it is kept: the answers about it, which prove themselves. */
interface KeptAccount {
  readonly accountProof: unknown
  readonly code: unknown
}

/**
 * Keeps what a fork is answered that proves itself, for later forks of the same block: its header, and the proofs and
 * codes of accounts and slots. What is kept is checked before it is used, so that a wrong answer costs no more than to be
 * asked for again. If the endpoint cannot be reached, its chain and the block are taken from what was kept.
 *
 * @param place - Names the endpoint's address.
 */
export function keepAnswers(remote: Remote, place: string, texts: KeptTexts): Remote {
  let header: ForkHeader | undefined

  /** Asks the endpoint, or takes what it said when it could be reached. */
  async function askOrKept(method: string, params: readonly unknown[]): Promise<unknown> {
    const name = nameOf(method, params)
    try {
      const answer = await remote.ask(method, params)
      void texts.put(place, new Map([[name, JSON.stringify(answer)]]))
      return answer
    } catch (error) {
      if (!(error instanceof ForkError) || error.answered) throw error
      const [kept] = await texts.get(place, [name])
      if (kept === undefined) throw error
      return parsedAnswer(kept)
    }
  }

  /** The fork's block is the first that is asked for. */
  async function block(params: readonly unknown[]): Promise<unknown> {
    if (header) return remote.ask('eth_getBlockByNumber', params)
    const answer = await askOrKept('eth_getBlockByNumber', params)
    try {
      header = readForkHeader(answer)
      // The newest block is asked for by its number the next time.
      const name = nameOf('eth_getBlockByNumber', [toQuantity(header.header.number), false])
      void texts.put(place, new Map([[name, JSON.stringify(answer)]]))
    } catch (error) {
      // The node refuses it, and says why.
      if (!(error instanceof AnswerError)) throw error
    }
    return answer
  }

  async function code({ hash, header: { stateRoot } }: ForkHeader, address: Address, params: readonly unknown[]) {
    const account = await keptAccount(hash, stateRoot, address)
    if (account) return account.code
    const answer = await remote.ask('eth_getCode', params)
    void texts.put(hash, new Map([[`${address} code`, JSON.stringify(answer)]]))
    return answer
  }

  async function proof(
    { hash, header: { stateRoot } }: ForkHeader,
    address: Address,
    slots: readonly Hash[],
    params: readonly unknown[],
  ): Promise<unknown> {
    const account = await keptAccount(hash, stateRoot, address)
    const kept = new Map<Hash, unknown>()
    if (account) {
      const found = await texts.get(
        hash,
        slots.map((slot) => `${address} ${slot}`),
      )
      for (const [i, slot] of slots.entries()) {
        const each = parsedAnswer(found[i])
        if (each !== undefined && isProven(stateRoot, address, account, slot, each)) kept.set(slot, each)
      }
    }
    const missing = slots.filter((slot) => !kept.has(slot))
    const proofOf = (accountProof: unknown) => ({
      accountProof,
      storageProof: slots.map((slot) => ({ proof: kept.get(slot) })),
    })
    if (account && missing.length === 0) return proofOf(account.accountProof)
    const answer = await remote.ask('eth_getProof', [address, missing, ...params.slice(2)])
    const fresh = partsOf(answer, missing.length)
    // The node refuses it, and says why.
    if (!fresh) return answer
    const rows = new Map([[`${address} account`, JSON.stringify(fresh.accountProof)]])
    for (const [i, slot] of missing.entries()) {
      kept.set(slot, fresh.storageProofs[i])
      rows.set(`${address} ${slot}`, JSON.stringify(fresh.storageProofs[i]))
    }
    void texts.put(hash, rows)
    return proofOf(fresh.accountProof)
  }

  /** What is kept of an account, if it is proven. */
  async function keptAccount(hash: Hash, stateRoot: Hash, address: Address): Promise<KeptAccount | undefined> {
    const [accountProof, codeText] = (await texts.get(hash, [`${address} account`, `${address} code`])).map(
      parsedAnswer,
    )
    const account = { accountProof, code: codeText }
    return isProven(stateRoot, address, account) ? account : undefined
  }

  return {
    name: remote.name,
    ask(method, params) {
      if (method === 'eth_chainId' || method === 'eth_blockNumber') return askOrKept(method, params)
      if (method === 'eth_getBlockByNumber') return block(params)
      const [address, second, third] = params as readonly [Address, unknown, unknown]
      const at = header && toQuantity(header.header.number)
      if (header && method === 'eth_getCode' && second === at) return code(header, address, params)
      if (header && method === 'eth_getProof' && third === at) return proof(header, address, second as Hash[], params)
      return remote.ask(method, params)
    },
  }
}

/** The name of what an endpoint says of itself. */
function nameOf(method: string, params: readonly unknown[]): string {
  return JSON.stringify([method, ...params])
}

/** Whether an account is what the state root says, and one of its slots, if any is given. */
function isProven(
  stateRoot: Hash,
  address: Address,
  { accountProof, code }: KeptAccount,
  slot?: Hash,
  slotProof?: unknown,
): boolean {
  try {
    new ForkState(stateRoot).accept(address, slot === undefined ? [] : [slot], {
      accountProof: proofNodesOf(accountProof, 'accountProof'),
      storageProofs: slot === undefined ? [] : [proofNodesOf(slotProof, 'a proof of storageProof')],
      code: bytesOf(code, 'its code'),
    })
    return true
  } catch (error) {
    if (error instanceof ProofError || error instanceof AnswerError) return false
    throw error
  }
}

/** The parts of an answer to `eth_getProof`; `undefined` if it is none. */
function partsOf(answer: unknown, slots: number) {
  try {
    const { accountProof, storageProof } = membersOf(answer, 'the proof')
    const storageProofs = listOf(storageProof, 'storageProof').map((each) => membersOf(each, 'a proof')['proof'])
    return storageProofs.length === slots ? { accountProof, storageProofs } : undefined
  } catch (error) {
    if (error instanceof AnswerError) return undefined
    throw error
  }
}
