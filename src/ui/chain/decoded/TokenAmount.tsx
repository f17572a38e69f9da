import { useQuery } from '@tanstack/react-query'
import { chainKeyOf } from '#client/session/chain-key.ts'
import type { Address } from '#primitives/hex.ts'
import { formatTokenAmount } from '#ui/format/token-amount.ts'
import { useProvider, useSession } from '#ui/page/session.ts'
import { tokenWordsQuery } from '#ui/queries/tokens.ts'

/** An amount of a token by its decimals, with its symbol; nothing if the contract has none, as an ERC-721 token. */
export function TokenAmount({ token, value }: { token: Address; value: bigint }) {
  const { data: words } = useQuery(tokenWordsQuery(useProvider(), chainKeyOf(useSession()), token))
  const decimals = words?.decimals
  // An amount without a bound has no decimals that tell anything.
  if (decimals === undefined || decimals === 0 || value >= 2n ** 255n) return null
  return (
    <span className="muted" title={`${decimals} decimals, as the token says`}>
      {' = '}
      {formatTokenAmount(value, decimals)}
      {words?.symbol !== undefined && ` ${words.symbol}`}
    </span>
  )
}
