import { useRef } from 'react'
import { classNames } from '#ui/styles/class-names.ts'
import { LiveBlockPanel } from './LiveBlockPanel.tsx'
import { Mempool } from './Mempool.tsx'
import styles from './Ribbon.module.css'
import { SealedTiles } from './SealedTiles.tsx'

const css = classNames(styles)

/** The way of every transaction: from the mempool into the pending block, and with it to the sealed ones. */
export function Ribbon() {
  const livePanel = useRef<HTMLElement>(null)
  return (
    <div className={css('ribbon')}>
      <Mempool lane />
      <LiveBlockPanel ref={livePanel} />
      <SealedTiles livePanel={livePanel} />
    </div>
  )
}
