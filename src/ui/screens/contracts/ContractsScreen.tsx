import { lazy, useEffect } from 'react'
import { chainKeyOf } from '#client/session/chain-key.ts'
import { LazyDialog } from '#ui/components/dialog/LazyDialog.tsx'
import { HeldBack } from '#ui/components/HeldBack.tsx'
import { Workbench } from '#ui/components/layout/Workbench.tsx'
import { Panes } from '#ui/components/panes/Panes.tsx'
import { useKnownContracts } from '#ui/decode/known-contracts.ts'
import { keep, readKept } from '#ui/page/kept-text.ts'
import { useTitle } from '#ui/page/navigation.ts'
import { useSession } from '#ui/page/session.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { closeArtifacts, useArtifactsDialog } from './artifacts/artifacts-dialog.ts'
import styles from './ContractsScreen.module.css'
import { DeployPanel } from './deploy/DeployPanel.tsx'
import { SharedProjectNotice } from './files/SharedProjectNotice.tsx'
import { openProjects, saveNow } from './project/projects.ts'
import { useWorkbench } from './project/workbench.ts'
import { SourceBar } from './source/SourceBar.tsx'
import { SourcePanel } from './source/SourcePanel.tsx'
import { UsePanel } from './UsePanel.tsx'

const css = classNames(styles)

/** Kept once a contract was deployed in this browser: explanations for beginners are then a press away. */
const KNOWS_CONTRACTS = 'blinknet-knows-contracts'

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
    <Workbench title="Contracts" beside={<SourceBar />}>
      {isOpen && <SharedProjectNotice />}
      {/* A project of one's own has more buttons above. */}
      <HeldBack isHeld={!isOpen}>
        <Panes
          name="contracts"
          direction="row"
          panes={[
            { label: 'source', content: <SourcePanel />, share: 0.58, least: 380, scrolls: false },
            { label: 'deploy and use', content: <DeployAndUse />, share: 0.42, least: 340 },
          ]}
        />
      </HeldBack>
      {isAdding && (
        <LazyDialog onClose={closeArtifacts}>
          <ArtifactsDialog />
        </LazyDialog>
      )}
    </Workbench>
  )
}

/** What the contracts of the source are made into; the newest one beside the code that it came from. */
function DeployAndUse() {
  const knows = useKnownContracts().size > 0
  useEffect(() => {
    if (knows) keep(KNOWS_CONTRACTS, 'yes')
  }, [knows])
  const explains = !knows && readKept(KNOWS_CONTRACTS) === null
  return (
    <div className={css('beside')}>
      <DeployPanel explains={explains} />
      <UsePanel explains={explains} />
    </div>
  )
}
