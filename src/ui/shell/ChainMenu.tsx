import { ChevronDown, HardDrive, Plug } from 'lucide-react'
import { type ToggleEvent, useId, useRef, useState } from 'react'
import { Button } from '#ui/components/Button.tsx'
import { EndpointDialog } from '#ui/connect/EndpointDialog.tsx'
import { useSession } from '#ui/session.ts'
import { StorageDialog } from '#ui/storage/StorageDialog.tsx'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './ChainMenu.module.css'

const css = classNames(styles)

/** Pixels between the button and what it opens, and at the least to the window's edge. */
const GAP = 6

/** Which chain this is, where it is kept, and the way to one that runs elsewhere. */
export function ChainMenu() {
  const { chain } = useSession()
  const [dialog, setDialog] = useState<'storage' | 'endpoint'>()
  const id = useId()
  const menu = useRef<HTMLDivElement>(null)
  const anchor = useRef<HTMLDivElement>(null)
  const name = chain ?? 'in memory'

  function place({ newState }: ToggleEvent<HTMLDivElement>): void {
    const box = anchor.current?.getBoundingClientRect()
    if (newState !== 'open' || !box || !menu.current) return
    const { style, offsetWidth } = menu.current
    const furthest = document.documentElement.clientWidth - offsetWidth - GAP
    style.top = `${box.bottom + GAP}px`
    style.left = `${Math.max(GAP, Math.min(box.left, furthest))}px`
  }

  function show(which: 'storage' | 'endpoint'): void {
    menu.current?.hidePopover()
    setDialog(which)
  }

  return (
    <div ref={anchor}>
      <Button size="small" popoverTarget={id} aria-label={`Chain: ${name}`}>
        <HardDrive size={14} aria-hidden="true" />
        <span className={css('name')}>{name}</span>
        <ChevronDown size={14} aria-hidden="true" />
      </Button>
      <div ref={menu} id={id} popover="auto" className={css('menu')} onToggle={place}>
        <button type="button" className={css('item')} onClick={() => show('storage')}>
          <HardDrive size={15} aria-hidden="true" />
          Chain storage…
        </button>
        <button type="button" className={css('item')} onClick={() => show('endpoint')}>
          <Plug size={15} aria-hidden="true" />
          Endpoint…
        </button>
      </div>
      {dialog === 'storage' && <StorageDialog onClose={() => setDialog(undefined)} />}
      {dialog === 'endpoint' && <EndpointDialog onClose={() => setDialog(undefined)} />}
    </div>
  )
}
