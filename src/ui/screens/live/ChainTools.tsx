import { Presentation } from 'lucide-react'
import { Button } from '#ui/components/Button.tsx'
import { Panel } from '#ui/components/layout/Panel.tsx'
import { useOpenView } from '#ui/page/view-address.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './ChainTools.module.css'
import { FaultsPanel } from './faults/FaultsPanel.tsx'
import { LoadPanel } from './LoadPanel.tsx'

const css = classNames(styles)

/** Tools for a Blinknet chain, loaded after the first view. */
export function ChainTools() {
  return (
    <>
      <LoadPanel />
      <FaultsPanel />
      <PresentPanel />
    </>
  )
}

/** The way to the stage. */
function PresentPanel() {
  const open = useOpenView()
  return (
    <Panel title="On a stage">
      <div className={css('present')}>
        <p className="muted">For a projector, with scenes.</p>
        <Button size="small" onClick={() => open('projector')}>
          <Presentation size={14} aria-hidden="true" />
          Present
        </Button>
      </div>
    </Panel>
  )
}
