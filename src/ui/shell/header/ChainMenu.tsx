import { ChevronDown, HardDrive, Plug, Share2 } from 'lucide-react'
import { type ToggleEvent, useId, useRef } from 'react'
import { Button } from '#ui/components/Button.tsx'
import { placePopover } from '#ui/components/Popover.tsx'
import { useSession } from '#ui/page/session.ts'
import { openDialog } from '#ui/page/shell-dialog.ts'
import { useStatus } from '#ui/queries/status.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './ChainMenu.module.css'

const css = classNames(styles)

/** Shows the chain's name and storage, with a way to connect to a remote chain. */
export function ChainMenu() {
  const { chain, fork } = useSession()
  const id = useId()
  const menu = useRef<HTMLDivElement>(null)
  const anchor = useRef<HTMLDivElement>(null)
  const name = useStatus((status) => fork?.name(status)) ?? chain ?? 'in memory'

  function place({ newState }: ToggleEvent<HTMLDivElement>): void {
    if (newState === 'open' && menu.current && anchor.current) placePopover(menu.current, anchor.current)
  }

  function show(which: 'storage' | 'endpoint' | 'fork'): void {
    menu.current?.hidePopover()
    openDialog(which)
  }

  return (
    <div ref={anchor}>
      <Button size="small" popoverTarget={id} aria-label={`Chain: ${name}`}>
        <HardDrive size={14} aria-hidden="true" />
        <span className={fork ? undefined : css('name')}>{name}</span>
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
        <button type="button" className={css('item')} onClick={() => show('fork')}>
          <Share2 size={15} aria-hidden="true" />
          Fork a chain…
        </button>
      </div>
    </div>
  )
}
