import { keccak256 } from 'viem'
import { createObservable, type Observable } from '#client/session/connection-state.ts'
import { type BlinknetProvider, ProviderRpcError } from '#client/session/provider.ts'
import { DEV_ACCOUNTS } from '#client/signing/dev-accounts.ts'
import { signerFor } from '#client/signing/dev-signer.ts'
import type { Address, Hash, Hex } from '#primitives/hex.ts'
import { invariant } from '#primitives/invariant.ts'
import { ERROR_CODES } from '#rpc-types/error-codes.ts'
import type { TimelineEvent } from '#rpc-types/methods/devnet.ts'
import { MAX_TOLD_IN_BEAT, type RoomBeat, type RoomPlace } from '#rpc-types/methods/room.ts'
import type { RpcReceipt } from '#rpc-types/objects.ts'
import { type FeeFacts, fetchFeeFacts, suggestedFeeCap } from '#ui/own/fee-facts.ts'
import { inTurn } from '#ui/own/in-turn.ts'
import { type Progress, progressByAnswers, progressOf, stepTimes } from '#ui/own/progress.ts'
import { keepGuest, readGuest } from './guest-key.ts'
import { callRoom } from './room-calls.ts'

/** Wei that one press sends to the speaker: test money for thousands of presses. */
export const GUEST_VALUE = 10n ** 15n
/** How many transactions a phone shows. */
export const MAX_SHOWN = 20
/** How long one call waits for the pre-confirmation, in milliseconds; after it, the room's events tell. */
const SYNC_MS = 6_000

/** A transaction as its sender's phone shows it. */
export interface GuestTransaction {
  readonly hash: Hash
  readonly progress: Progress
  /** Milliseconds from sending until the phone knew the result. */
  readonly preconfirmedMs: number | undefined
  /** When the node pre-confirmed and sealed it, in milliseconds since the Unix epoch by the node's clock. */
  readonly preconfirmedAtMs: number | undefined
  readonly sealedAtMs: number | undefined
  /** How often a fault took it out of its block. */
  readonly withdrawals: number
}

export interface GuestState {
  /** As the guest typed it last; empty before the first time. */
  readonly name: string
  /** `undefined` outside the room. */
  readonly place: RoomPlace | undefined
  /** Wei, as of the newest partial block; `undefined` before it is known. */
  readonly balance: bigint | undefined
  readonly joining: boolean
  /** Why the last step failed. */
  readonly error: unknown
  /** Newest first. */
  readonly sent: readonly GuestTransaction[]
}

/** A guest of a room, with a key of its own. */
export interface Guest {
  readonly address: Address
  readonly state: Observable<GuestState>
  /** Enters the room, or changes the name. */
  readonly join: (name: string) => Promise<void>
  /** Sends one transfer to the speaker; failures are in the state. */
  readonly send: () => Promise<void>
}

const WAITING: Progress = progressOf([])
const NO_TIMES = { preconfirmedMs: undefined, preconfirmedAtMs: undefined, sealedAtMs: undefined }
/** After these errors the node may have the transaction all the same: the time ran out, or the connection was lost. */
const MAYBE_SENT: ReadonlySet<number> = new Set([ERROR_CODES.timeout, ERROR_CODES.disconnected])
const [SPEAKER] = DEV_ACCOUNTS

/** @param room - Its address: in each room a phone is another guest. */
export function createGuest(provider: BlinknetProvider, room: string): Guest {
  const kept = readGuest(room)
  const signer = signerFor(kept)
  const address = signer.address.toLowerCase() as Address
  const state = createObservable<GuestState>({
    name: kept.name,
    place: undefined,
    balance: undefined,
    joining: false,
    error: undefined,
    sent: [],
  })
  const change = (changes: Partial<GuestState>) => state.set({ ...state.get(), ...changes })
  /** What the next transaction needs; `undefined` when only the node knows. */
  let facts: FeeFacts | undefined
  /** Transactions whose call has not been answered yet. */
  const waiting = new Set<Hash>()
  /** The id of the room's events. */
  let following: string | undefined
  /** How often the chain has gone back, by the newest event; `undefined` before the first. */
  let rewinds: number | undefined
  /** Whether the chain has gone back since the phone began to ask, or the room refused to tell. */
  let outdated = false
  let asking = false
  let { secret } = kept

  async function join(name: string): Promise<void> {
    change({ joining: true, error: undefined })
    facts = undefined
    rewinds = undefined
    try {
      const place = await callRoom(provider, 'room_join', { name, address, ...(secret && { secret }) })
      secret = place.secret
      following = await provider.request({ method: 'eth_subscribe', params: ['room'] })
      keepGuest(room, { privateKey: kept.privateKey, name, secret })
      change({ name, place, balance: BigInt(place.balance), joining: false })
      void catchUp()
    } catch (error) {
      change({ place: undefined, joining: false, error })
    }
  }

  async function send(): Promise<void> {
    change({ error: undefined })
    try {
      const { raw, hash } = await inTurn(sign)
      show({ hash, progress: WAITING, ...NO_TIMES, withdrawals: 0 })
      await submit(raw, hash)
    } catch (error) {
      facts = undefined
      change({ error })
    }
  }

  async function sign(): Promise<{ readonly raw: Hex; readonly hash: Hash }> {
    invariant(SPEAKER, 'there are development accounts')
    facts ??= await fetchFeeFacts(provider, address)
    const { chainId, nextNonce, baseFee, tip } = facts
    facts = { ...facts, nextNonce: nextNonce + 1 }
    const raw = await signer.signTransaction({
      type: 'eip1559',
      chainId,
      nonce: nextNonce,
      to: SPEAKER.address,
      value: GUEST_VALUE,
      gas: 21_000n,
      maxFeePerGas: suggestedFeeCap(baseFee, tip),
      maxPriorityFeePerGas: tip,
    })
    return { raw, hash: keccak256(raw) }
  }

  /** The answer comes with the pre-confirmation, so the time is what the phone sees. */
  async function submit(raw: Hex, hash: Hash): Promise<void> {
    const sentAtMs = performance.now()
    waiting.add(hash)
    try {
      const receipt = await provider.request({ method: 'eth_sendRawTransactionSync', params: [raw, SYNC_MS] })
      const preconfirmedMs = Math.round(performance.now() - sentAtMs)
      if (facts) facts = { ...facts, baseFee: BigInt(receipt.effectiveGasPrice) - facts.tip }
      pay(receipt)
      replace(hash, (tx) => ({ ...tx, preconfirmedMs, progress: progressByAnswers(null, receipt) }))
      // A refusal is no reason to tell a guest of a failure.
      callRoom(provider, 'room_report', { hash, preconfirmedMs }).then(
        ({ preconfirmedAtMs }) => replace(hash, (tx) => ({ ...tx, preconfirmedAtMs })),
        ignoreRefusal,
      )
    } catch (error) {
      const isOpen = error instanceof ProviderRpcError && MAYBE_SENT.has(error.code)
      if (!isOpen && !(await lookUp(hash).catch(() => false))) {
        hide(hash)
        throw error
      }
    } finally {
      waiting.delete(hash)
    }
  }

  /** @returns Whether the node knows the transaction. */
  async function lookUp(hash: Hash): Promise<boolean> {
    const timeline = await provider.request({ method: 'devnet_getTransactionTimeline', params: [hash] })
    if (!timeline) return false
    const { events } = timeline
    replace(hash, (tx) => withEvents(tx, events))
    // The transaction's nonce is free again.
    if (progressOf(events).status === 'dropped') facts = undefined
    return true
  }

  async function countMoney(): Promise<void> {
    const balance = await provider.request({ method: 'eth_getBalance', params: [address, 'pending'] })
    change({ balance: BigInt(balance) })
  }

  /** Takes what a transaction has cost from the balance, so that the phone need not ask. */
  function pay({ status, gasUsed, effectiveGasPrice }: RpcReceipt): void {
    const { balance } = state.get()
    const cost = BigInt(gasUsed) * BigInt(effectiveGasPrice) + (status === '0x1' ? GUEST_VALUE : 0n)
    if (balance !== undefined) change({ balance: balance - cost })
  }

  function onBeat(beat: RoomBeat): void {
    // Before the first event, whoever has just joined asks anyway.
    if (rewinds !== undefined && rewinds !== beat.rewinds) outdated = true
    rewinds = beat.rewinds
    if (outdated) return void catchUp()
    const open = state.get().sent.filter((tx) => isUnsealed(tx) && !waiting.has(tx.hash))
    if (beat.sealed) for (const tx of open) seal(tx, beat)
    const isNews =
      beat.sealed || beat.guests.length >= MAX_TOLD_IN_BEAT || beat.guests.includes(state.get().place?.number ?? 0)
    if (isNews && open.some(({ progress: { status } }) => status === 'mempool')) void catchUp()
  }

  function seal({ hash, progress }: GuestTransaction, { block, atMs }: RoomBeat): void {
    if (progress.status !== 'preconfirmed' || progress.blockNumber === undefined || progress.blockNumber > block) return
    // If the room's event of its own block did not come, nobody has told when that was sealed.
    const sealedAtMs = progress.blockNumber === block ? atMs : undefined
    replace(hash, (tx) => ({ ...tx, sealedAtMs, progress: { ...progress, status: 'sealed' } }))
  }

  /** Asks what became of all transactions: while the phone slept or was away, or when the chain has gone back. */
  async function catchUp(): Promise<void> {
    if (asking || state.get().sent.length === 0) return
    asking = true
    try {
      do {
        outdated = false
        for (const { hash } of state.get().sent) {
          if (!waiting.has(hash) && !(await lookUp(hash))) hide(hash)
        }
        await countMoney()
      } while (outdated)
    } catch (error) {
      outdated = true
      ignoreRefusal(error)
    } finally {
      asking = false
    }
  }

  function show(tx: GuestTransaction): void {
    change({ sent: [tx, ...state.get().sent].slice(0, MAX_SHOWN) })
  }
  function hide(hash: Hash): void {
    change({ sent: state.get().sent.filter((tx) => tx.hash !== hash) })
  }
  function replace(hash: Hash, by: (tx: GuestTransaction) => GuestTransaction): void {
    change({ sent: state.get().sent.map((tx) => (tx.hash === hash ? by(tx) : tx)) })
  }

  // After a lost connection the room has to be told again who this is.
  provider.on('connect', () => void (state.get().name !== '' && join(state.get().name)))
  provider.on('message', ({ data }) => {
    // The session has checked its shape.
    if (data.subscription === following && 'result' in data) onBeat(data.result as RoomBeat)
  })
  // A phone that slept may have missed something; if its connection is gone, this finds out.
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) void catchUp()
  })
  if (kept.name !== '') void join(kept.name)
  return { address, state, join, send }
}

function isUnsealed({ progress: { status } }: GuestTransaction): boolean {
  return status === 'mempool' || status === 'preconfirmed'
}

function withEvents(tx: GuestTransaction, events: readonly TimelineEvent[]): GuestTransaction {
  const progress = progressOf(events)
  const { receivedAtMs = 0, preconfirmedMs, sealedMs } = stepTimes(events)
  return {
    ...tx,
    progress,
    // Where the phone did not see it happen, as the node measured it.
    preconfirmedMs: tx.preconfirmedMs ?? preconfirmedMs,
    preconfirmedAtMs: preconfirmedMs === undefined ? undefined : receivedAtMs + preconfirmedMs,
    sealedAtMs: sealedMs === undefined ? undefined : receivedAtMs + sealedMs,
    withdrawals: events.filter(({ kind }) => kind === 'withdrawn').length,
  }
}

/** A refusal is shown at the next press, and a server that is gone by the session. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof ProviderRpcError)) throw error
}

const guests = new WeakMap<BlinknetProvider, Guest>()

/** The guest of this page: the same one after it has looked around. */
export function guestOf(provider: BlinknetProvider, room: string): Guest {
  let guest = guests.get(provider)
  if (!guest) {
    guest = createGuest(provider, room)
    guests.set(provider, guest)
  }
  return guest
}
