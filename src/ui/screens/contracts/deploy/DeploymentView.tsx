import { Address } from '#ui/chain/Address.tsx'
import { ConsoleLines } from '#ui/chain/console/ConsoleLines.tsx'
import { CopyButton } from '#ui/components/CopyButton.tsx'
import { versionOf } from '#ui/queries/executions.ts'
import { useTransaction } from '#ui/queries/transactions.ts'
import { RevertReason } from '#ui/screens/contracts/call/RevertReason.tsx'
import { SentTransaction } from '#ui/screens/send/SentTransaction.tsx'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './DeploymentView.module.css'
import { type Deployment, useShown } from './deploy.ts'

const css = classNames(styles)

/**
 * Progress of the last deployment.
 *
 * @param full - With the time of each step.
 */
export function DeploymentView({ full }: { full: boolean }) {
  const deployment = useShown((shown) => shown.deployment)
  return deployment && <View key={deployment.hash} deployment={deployment} full={full} />
}

function View({ deployment: { hash, name }, full }: { deployment: Deployment; full: boolean }) {
  const { data } = useTransaction(hash)
  const receipt = data?.receipt
  return (
    <section className={css('deployment')} aria-label={`Deployment of ${name}`}>
      <h3 className="visually-hidden">Deployment of {name}</h3>
      <SentTransaction hash={hash} full={full} />
      {receipt?.status === '0x1' && receipt.contractAddress && (
        <p className={css('address')}>
          <span className={full ? undefined : 'visually-hidden'}>Address: </span>
          <Address address={receipt.contractAddress} full />
          <CopyButton value={receipt.contractAddress} label="Address" />
        </p>
      )}
      {receipt && <ConsoleLines subject={{ kind: 'transaction', hash }} version={versionOf(receipt)} />}
      {receipt?.status === '0x0' && <RevertReason hash={hash} block={receipt.blockHash} />}
    </section>
  )
}
