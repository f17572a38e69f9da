import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Address as AddressHex, toQuantity } from '#primitives/hex.ts'
import { Button } from '#ui/components/Button.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { useFeed } from '#ui/feed/store.ts'
import { formatEth } from '#ui/format/numbers.ts'
import { useProvider } from '#ui/page/session.ts'
import { balanceQuery } from '#ui/queries/accounts.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './AccountField.module.css'
import { Address } from './Address.tsx'
import { Impersonated } from './Impersonated.tsx'

const css = classNames(styles)

/** Gas of the smallest transaction. */
const LEAST_GAS = 21_000n
/** What the button sets a balance to: 10 ETH, in wei. */
const GIFT = 10n ** 19n

/** Says who sends without a key, what it has, and gives it ether for gas if it has none. */
export function ImpersonatedNote({ address }: { address: AddressHex }) {
  const provider = useProvider()
  const queries = useQueryClient()
  const version = useFeed((feed) => feed.live?.hash ?? '')
  const baseFee = useFeed((feed) => feed.live?.baseFeePerGas ?? 0n)
  const { data: balance, error } = useQuery(balanceQuery(provider, address, version))
  const giving = useMutation({
    mutationFn: () => provider.request({ method: 'anvil_setBalance', params: [address, toQuantity(GIFT)] }),
    onSuccess: () =>
      Promise.all(
        ['eth_getBalance', 'sender', 'standing', 'eth_estimateGas'].map((first) =>
          queries.invalidateQueries({ queryKey: [first] }),
        ),
      ),
  })
  const isPoor = balance !== undefined && balance < LEAST_GAS * (baseFee > 1n ? baseFee : 1n)
  return (
    <div className={css('note')}>
      <span className={css('who')}>
        <Address address={address} says={false} />
        <Impersonated />
      </span>
      <p className="note">
        Pending balance {balance === undefined ? '…' : formatEth(balance)}. The chain sends for it without its key.
      </p>
      {isPoor && (
        <div className={css('poor')}>
          <p role="status">It has no ether for gas.</p>
          <Button size="small" disabled={giving.isPending} onClick={() => giving.mutate()}>
            Set its balance to {formatEth(GIFT)}
          </Button>
        </div>
      )}
      {(giving.error ?? error) && <ErrorNote error={giving.error ?? error} />}
    </div>
  )
}
