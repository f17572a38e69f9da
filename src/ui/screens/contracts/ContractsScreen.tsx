import { lazy, useEffect } from 'react'
import { chainKeyOf } from '#client/session/chain-key.ts'
import { LazyDialog } from '#ui/components/dialog/LazyDialog.tsx'
import { ScreenHeading } from '#ui/components/layout/ScreenHeading.tsx'
import { useTitle } from '#ui/page/navigation.ts'
import { useSession } from '#ui/page/session.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { closeArtifacts, useArtifactsDialog } from './artifacts/artifacts-dialog.ts'
import styles from './ContractsScreen.module.css'
import { DeployPanel } from './deploy/DeployPanel.tsx'
import { SharedProjectNotice } from './files/SharedProjectNotice.tsx'
import { openProjects, saveNow } from './project/projects.ts'
import { useWorkbench } from './project/workbench.ts'
import { SourcePanel } from './source/SourcePanel.tsx'
import { UsePanel } from './UsePanel.tsx'

const css = classNames(styles)

const ArtifactsDialog = lazy(async () => ({
  default: (await import('./artifacts/ArtifactsDialog.tsx')).ArtifactsDialog,
}))

/** Write, deploy and call a contract. */
export function ContractsScreen() {
  useTitle('Contracts')
  const chain = chainKeyOf(useSession())
  const isOpen = useWorkbench((workbench) => workbench.chain === chain)
  const isAdding = useArtifactsDialog((dialog) => dialog.isOpen)
  useEffect(() => {
    void openProjects(chain)
  }, [chain])
  useEffect(() => {
    const onHide = () => void saveNow()
    document.addEventListener('visibilitychange', onHide)
    return () => document.removeEventListener('visibilitychange', onHide)
  }, [])
  return (
    <>
      <ScreenHeading
        title="Contracts"
        lead="A contract is a program on the chain. It has an address and can hold ETH. Write one, deploy it, and use it."
      />
      {isOpen && <SharedProjectNotice />}
      <div className={css('pair')}>
        <SourcePanel />
        <DeployPanel />
      </div>
      <UsePanel />
      {isAdding && (
        <LazyDialog onClose={closeArtifacts}>
          <ArtifactsDialog />
        </LazyDialog>
      )}
    </>
  )
}
