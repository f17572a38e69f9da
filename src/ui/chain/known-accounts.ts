import { useMemo } from 'react'
import { DEV_ACCOUNTS } from '#client/signing/dev-accounts.ts'
import type { Address } from '#primitives/hex.ts'
import { useKnownContracts } from '#ui/decode/known-contracts.ts'
import { LASTING_CONTRACTS } from '#ui/decode/known-names.ts'
import { parseRecipient } from '#ui/own/transfer-form.ts'

/** An address with a name. */
export interface KnownAccount {
  readonly name: string
  readonly address: Address
}

/** The accounts and contracts that the page knows by a name, its own accounts first. */
export function useKnownAccounts(): readonly KnownAccount[] {
  const contracts = useKnownContracts()
  return useMemo(() => {
    const known = new Map<Address, KnownAccount>()
    const add = (name: string, address: Address) => known.set(address, known.get(address) ?? { name, address })
    for (const { name, address } of DEV_ACCOUNTS) add(name, address)
    for (const [address, { name }] of [...contracts].toReversed()) add(name, address)
    for (const [address, name] of LASTING_CONTRACTS) add(name, address)
    return [...known.values()]
  }, [contracts])
}

/**
 * The account that a person means: by its address, whose checksum must match, or by a name that the page knows.
 *
 * @param text - As typed.
 */
export function findAccount(
  text: string,
  known: readonly KnownAccount[],
): { readonly ok: true; readonly address: Address } | { readonly ok: false; readonly error: string } {
  const trimmed = text.trim()
  if (trimmed === '') return { ok: false, error: 'Enter an address, or a name that this page knows.' }
  if (/^0x/i.test(trimmed)) return parseRecipient(trimmed)
  const named = known.filter(({ name }) => name.toLowerCase() === trimmed.toLowerCase())
  const [first] = named
  if (!first) {
    return { ok: false, error: 'This page knows no account of that name. Enter 0x and 40 hexadecimal digits.' }
  }
  if (named.length === 1) return { ok: true, address: first.address }
  return { ok: false, error: `${named.length} contracts have that name. Enter the address of the one that you mean.` }
}
