import { findDevAccount } from '#client/signing/dev-accounts.ts'
import type { Address as AddressHex } from '#primitives/hex.ts'
import { AppLink } from '#ui/components/AppLink.tsx'
import { wellKnownName } from '#ui/decode/known-names.ts'
import { shortHex } from '#ui/format/hex.ts'
import { IMPERSONATED, useImpersonated } from '#ui/own/impersonated.ts'
import { TEST_KEYS } from '#ui/own/test-keys.ts'
import { useContracts } from '#ui/queries/use-contracts.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Address.module.css'
import { Avatar } from './Avatar.tsx'

const css = classNames(styles)

/** Name of an address: a development account, or a contract that the page knows; otherwise `undefined`. */
export function useAddressName(address: AddressHex): string | undefined {
  const { named } = useContracts()
  return findDevAccount(address)?.name ?? named(address)?.name ?? wellKnownName(address)
}

/**
 * An address with its avatar and, if it has one, its name. It links to its account screen.
 *
 * @param full - Shows every digit.
 * @param says - Whether its picture says that it is impersonated; `false` where that stands beside it in words.
 * @param link - `false` inside another link or button.
 */
export function Address({
  address,
  full = false,
  link = true,
  says = true,
}: {
  address: AddressHex
  full?: boolean
  link?: boolean
  says?: boolean
}) {
  const name = useAddressName(address)
  const isImpersonated = useImpersonated((all) => all.has(address))
  const note = isImpersonated ? IMPERSONATED : findDevAccount(address) && TEST_KEYS
  const title = note ? `${address}\n${note}` : address
  const content = (
    <>
      <Avatar
        address={address}
        size={16}
        className={css('avatar', says && isImpersonated && 'impersonated')}
        label={says && isImpersonated ? 'impersonated' : undefined}
      />
      {name && <span className={css('name')}>{name}</span>}
      {(full || !name) && <span className={css('digits', full && 'full')}>{full ? address : shortHex(address)}</span>}
    </>
  )
  if (!link) {
    return (
      <span className={css('address')} title={title}>
        {content}
      </span>
    )
  }
  return (
    <AppLink to={`/address/${address}`} className={css('address', 'link')} title={title}>
      {content}
    </AppLink>
  )
}
