import { ArrowRight } from 'lucide-react'
import { useRef } from 'react'
import { classNames } from '#ui/styles/class-names.ts'
import { LiveBlockPanel } from './LiveBlockPanel.tsx'
import { Mempool } from './Mempool.tsx'
import styles from './Ribbon.module.css'
import { SealedBlocks } from './SealedBlocks.tsx'

const css = classNames(styles)

/** The path of every transaction: from the mempool into the pending block, and with it to the sealed ones. */
export function Ribbon() {
  const livePanel = useRef<HTMLElement>(null)
  return (
    <div className={css('ribbon')}>
      <Mempool />
      <Arrow />
      <LiveBlockPanel ref={livePanel} />
      <Arrow />
      <SealedBlocks livePanel={livePanel} />
    </div>
  )
}

function Arrow() {
  return <ArrowRight size={18} aria-hidden="true" className={css('arrow')} />
}
