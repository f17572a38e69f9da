import { create } from 'zustand'
import { DEV_ACCOUNTS, findDevAccount } from '#client/signing/dev-accounts.ts'
import type { Address } from '#primitives/hex.ts'
import { ExplainedError } from '#ui/format/explain-error.ts'

/** Who sends. */
export interface SenderChoice {
  /** Index of a development account: that of quick transfers, and of forms unless `other` says otherwise. */
  readonly index: number
  /** Any other account, for which the chain sends without its key; `undecided` until its address is entered. */
  readonly other: Address | 'undecided' | undefined
}

export const useSender = create<SenderChoice>()(() => ({ index: 0, other: undefined }))

/** A development account sends. */
export function chooseSender(index: number): void {
  useSender.setState({ index, other: undefined })
}

/**
 * Any account sends: the page's own with its key, another one impersonated.
 *
 * @param address - In lower case.
 */
export function chooseAnySender(address: Address): void {
  const own = findDevAccount(address)
  if (own) chooseSender(own.index)
  else useSender.setState({ other: address })
}

/** Nobody sends until an address is entered. */
export function leaveSenderOpen(): void {
  useSender.setState({ other: 'undecided' })
}

/** Address of the one who sends; `undefined` while that is open. */
export function senderAddress({ index, other }: SenderChoice): Address | undefined {
  if (other === 'undecided') return undefined
  return other ?? DEV_ACCOUNTS[index]?.address
}

/** What a form does that is sent while nobody is chosen to send. */
export function noSender(): never {
  throw new ExplainedError('Nobody sends this yet.', 'Under From, enter an address or choose an account.')
}
