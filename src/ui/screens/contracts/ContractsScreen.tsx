import { ScreenHeading } from '#ui/components/layout/ScreenHeading.tsx'
import { useTitle } from '#ui/page/navigation.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './ContractsScreen.module.css'
import { DeployPanel } from './deploy/DeployPanel.tsx'
import { SourcePanel } from './source/SourcePanel.tsx'
import { UsePanel } from './UsePanel.tsx'

const css = classNames(styles)

/** Write, deploy and call a contract. */
export function ContractsScreen() {
  useTitle('Contracts')
  return (
    <>
      <ScreenHeading
        title="Contracts"
        lead="A contract is a program on the chain. It has an address and can hold ETH. Write one, deploy it, and use it."
      />
      <div className={css('pair')}>
        <SourcePanel />
        <DeployPanel />
      </div>
      <UsePanel />
    </>
  )
}
