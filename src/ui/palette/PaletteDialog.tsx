import { useMutation } from '@tanstack/react-query'
import { CommandGroup, CommandInput, CommandItem, CommandList, CommandRoot } from 'cmdk'
import { Search } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Modal } from '#ui/components/dialog/Modal.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { Kbd } from '#ui/components/Kbd.tsx'
import { highlight, highlightedNow, type Wanted } from '#ui/feed/highlight.ts'
import { typedAhead } from '#ui/page/shell-dialog.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { type Command, type Outcome, searchCommands } from './command.ts'
import styles from './PaletteDialog.module.css'
import { useCommands } from './use-commands.ts'
import { useFound } from './use-found.ts'

const css = classNames(styles)

/** One field for everything: finds blocks, transactions and addresses, opens screens, runs commands. */
export function PaletteDialog({ onClose }: { onClose: () => void }) {
  const [query, setQuery] = useState(typedAhead)
  const input = useRef<HTMLInputElement>(null)
  // Runs after the dialog's own effect, which shows it and focuses an element before the field. What was typed between
  // the first drawing of this dialog, which may have been long before, and now is in nobody's field yet.
  useLayoutEffect(() => {
    input.current?.focus()
    // oxlint-disable-next-line react/set-state-in-effect -- the text is outside React until the field takes the keys
    setQuery(typedAhead())
  }, [])
  const commands = useCommands(query.trim() !== '')
  const found = useFound(query)
  const keepHighlight = useHighlighting(found.wanted)
  const acting = useMutation({
    mutationFn: (act: () => Promise<Outcome>) => act(),
    onSuccess: (outcome) => {
      if (typeof outcome === 'function') closeAnd(outcome)
    },
  })
  const said = typeof acting.data === 'string' ? acting.data : undefined
  const groups = [
    ...(found.commands.length > 0 ? [{ group: 'Found' as const, commands: found.commands }] : []),
    ...searchCommands(commands, query),
  ]

  function run({ run: command, group }: Command): void {
    if (group === 'Found') keepHighlight()
    if (typeof command !== 'function') return acting.mutate(command.later)
    closeAnd(command)
  }

  /** The dialog returns the focus when it closes, so `act`, which may move the focus, comes after. */
  function closeAnd(act: () => void): void {
    flushSync(onClose)
    act()
  }

  return (
    <Modal className={css('dialog')} name={{ label: 'Search and commands' }} lightDismiss onDismiss={onClose}>
      <CommandRoot label="Search, or run a command" shouldFilter={false} loop className={css('palette')}>
        <div className={css('field')}>
          <Search size={17} aria-hidden="true" />
          <CommandInput
            ref={input}
            className={css('input')}
            placeholder="Block, transaction, address, contract, method or command"
            value={query}
            onValueChange={(text) => {
              acting.reset()
              setQuery(text)
            }}
          />
          <button type="button" className={css('close')} onClick={onClose}>
            Esc<span className="visually-hidden">, close</span>
          </button>
        </div>
        <div className={css('said')}>
          <p role="status">{acting.isPending ? 'Working…' : (said ?? note())}</p>
          {acting.error && <ErrorNote error={acting.error} />}
        </div>
        <CommandList className={css('list')} label="Results">
          {groups.map(({ group, commands: members }) => (
            <CommandGroup key={group} heading={group} className={css('group')}>
              {members.map((command) => (
                <Entry key={command.id} command={command} onRun={() => run(command)} />
              ))}
            </CommandGroup>
          ))}
        </CommandList>
      </CommandRoot>
    </Modal>
  )

  function note(): string | undefined {
    if (found.note !== undefined || groups.length > 0) return found.note
    return `Nothing matches “${query.trim()}”. Find blocks by number or hash, transactions by hash, accounts by address, contracts and RPC methods by name.`
  }
}

function Entry({
  command: { id, group, icon: Icon, label, detail, shortcut },
  onRun,
}: {
  command: Command
  onRun: () => void
}) {
  return (
    <CommandItem value={`${group} ${id}`} onSelect={onRun} className={css('item')}>
      <Icon size={16} aria-hidden="true" className={css('icon')} />
      <span className={css('label')}>{label}</span>
      {detail !== undefined && <span className={css('detail')}>{detail}</span>}
      {shortcut !== undefined && <Kbd>{shortcut}</Kbd>}
    </CommandItem>
  )
}

/**
 * Highlights the squares that match the typed text, and restores the earlier highlight afterwards.
 *
 * @returns Call it when the match is chosen: the highlight then stays.
 */
export function useHighlighting(wanted: Wanted | undefined): () => void {
  const before = useRef(highlightedNow())
  useEffect(() => highlight(wanted ?? before.current), [wanted])
  useEffect(() => () => highlight(before.current), [])
  return () => {
    before.current = wanted
  }
}
