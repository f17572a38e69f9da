import { useQuery, useQueryClient } from '@tanstack/react-query'
import { DEV_ACCOUNTS } from '#client/signing/dev-accounts.ts'
import { devSigner } from '#client/signing/dev-signer.ts'
import { type Address, type Hex } from '#primitives/hex.ts'
import { invariant } from '#primitives/invariant.ts'
import { resultOf } from '#ui/execution/refused-call.ts'
import { useFeed } from '#ui/feed/store.ts'
import { useOwnTransactions } from '#ui/own/own-transactions.ts'
import { type SenderChoice, senderAddress, useSender } from '#ui/own/sender.ts'
import { useCapabilities, useProvider } from '#ui/page/session.ts'
import type { SenderFacts } from '#ui/queries/sender.ts'
import { gasQuery, senderQuery } from '#ui/queries/sender.ts'
import { authorizeComplete } from './authorize-complete.ts'
import { AUTHORIZATION_GAS, type CompleteTransaction, completeTransaction } from './complete.ts'
import { type DraftKind, useDraft } from './draft.ts'
import { type Composition, type DraftErrors, type DraftResult, readDraft } from './read-draft.ts'

/** The form's content: parsed, completed and signed as far as possible. */
export interface Composed {
  readonly sender: SenderChoice
  readonly errors: DraftErrors
  readonly composition: Composition | undefined
  readonly facts: SenderFacts | undefined
  /** The node's gas estimate. */
  readonly estimate: bigint | undefined
  readonly tx: CompleteTransaction | undefined
  /** The bytes of `tx`, signed; there are none of an account whose key the page does not have. */
  readonly raw: Hex | undefined
  /** Resolves with `tx` once the node has provided the missing values; rejects if the node refuses. */
  readonly complete: () => Promise<CompleteTransaction>
  /** Why there is no estimate. */
  readonly estimateError: unknown
  /** Why the sender's account could not be read. */
  readonly factsError: unknown
}

/** Asked for nothing: stands where nobody is chosen yet. */
const NOBODY: Address = `0x${'00'.repeat(20)}`
const NO_QUESTION = { to: null, value: 0n, data: '0x' } as const

/** Follows the draft: every change of it or of the sender's account creates the bytes again. */
export function useComposition(kind: Exclude<DraftKind, 'raw'>): Composed {
  const provider = useProvider()
  const client = useQueryClient()
  const sender = useSender()
  const from = senderAddress(sender)
  const draft = useDraft()
  const { devnet } = useCapabilities()
  const liveHash = useFeed((feed) => feed.live?.hash)
  const liveNumber = useFeed((feed) => feed.live?.number ?? 0)
  const newest = useOwnTransactions(({ sent }) => sent[0]?.hash)
  const ofSender = senderQuery(provider, from ?? NOBODY, `${liveHash} ${newest}`, devnet)
  const facts = useQuery({ ...ofSender, enabled: from !== undefined })
  const read = authorizedBy(readDraft(kind, draft), sender)
  const composition = read.ok && from !== undefined ? read.composition : undefined
  const ofGas = gasQuery(provider, { from: from ?? NOBODY, ...(composition ?? NO_QUESTION) }, liveNumber)
  const estimate = useQuery({
    ...ofGas,
    enabled: composition !== undefined && composition.gas === undefined,
  })
  const { data: answer } = estimate
  const estimated = answer && 'result' in answer ? withAuthorization(answer.result, composition) : undefined
  const gas = composition?.gas ?? (estimate.isError ? undefined : estimated)
  const authorityIndex = composition?.delegation?.authority ?? sender.index
  const authorityAddress = DEV_ACCOUNTS[authorityIndex]?.address ?? NOBODY
  const ofAuthority = senderQuery(provider, authorityAddress, `${liveHash} ${newest}`, devnet)
  const authorityFacts = useQuery({ ...ofAuthority, enabled: composition?.delegation !== undefined })
  const authorityOf = ({ nextNonce }: SenderFacts) => ({
    index: authorityIndex,
    isSender: authorityAddress === from,
    nextNonce,
  })
  const authority = authorityFacts.data && authorityOf(authorityFacts.data)
  const tx =
    composition && facts.data && gas !== undefined && (authority || !composition.delegation)
      ? completeTransaction(composition, facts.data, gas, authority)
      : undefined

  async function complete(): Promise<CompleteTransaction> {
    if (tx) return tx
    invariant(composition, 'only what makes sense is completed')
    const [known, needed, signing] = await Promise.all([
      client.ensureQueryData(ofSender),
      composition.gas ?? client.ensureQueryData(ofGas).then((bare) => withAuthorization(resultOf(bare), composition)),
      client.ensureQueryData(ofAuthority),
    ])
    return completeTransaction(composition, known, needed, authorityOf(signing))
  }

  const key = tx && JSON.stringify(tx, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
  const signed = useQuery({
    queryKey: ['signed', from, key],
    queryFn: async () => {
      invariant(tx, 'only what is complete is signed')
      return devSigner(sender.index).signTransaction(await authorizeComplete(tx))
    },
    enabled: tx !== undefined && sender.other === undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 5_000,
    placeholderData: (previous) => (tx ? previous : undefined),
  })
  return {
    sender,
    errors: read.ok ? {} : read.errors,
    composition,
    facts: facts.data,
    estimate: estimated,
    tx,
    raw: sender.other === undefined ? tx && signed.data : undefined,
    complete,
    estimateError:
      composition?.gas === undefined ? (answer && 'error' in answer ? answer.error : estimate.error) : null,
    factsError: facts.error,
  }
}

/** An account without a key cannot sign an authorization. */
function authorizedBy(read: DraftResult, { other }: SenderChoice): DraftResult {
  const isOwn = !read.ok || !read.composition.delegation || read.composition.delegation.authority !== undefined
  if (isOwn || other === undefined) return read
  return {
    ok: false,
    errors: { authority: 'An impersonated account has no key to sign an authorization. Choose another account here.' },
  }
}

/** The estimate covers the call alone. */
function withAuthorization(gas: bigint, composition: Composition | undefined): bigint {
  return composition?.delegation ? gas + AUTHORIZATION_GAS : gas
}
