import { type KeyboardEvent, memo, useEffect, useId, useMemo, useRef } from 'react'
import type { OpenRpcMethod } from '#rpc-types/open-rpc.ts'
import { Field, fieldClass } from '#ui/components/form/Field.tsx'
import { Panel } from '#ui/components/layout/Panel.tsx'
import { LONGEST_NAME, othersText } from '#ui/format/contract-text.ts'
import { formatCount } from '#ui/format/numbers.ts'
import { chooseMethod, searchMethods, useConsole } from '#ui/screens/rpc-console/store/console-store.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './MethodPicker.module.css'

const css = classNames(styles)

/** CSS pixels that are shown above and below the chosen method. */
const SHOWN_ABOVE = 34
const SHOWN_BELOW = 8

/** The form of a method's name. */
const METHOD_NAME = /^\w+[_.]\w+$/

/** All methods of the node by namespace, to search and to choose from. */
export function MethodPicker({ methods }: { methods: readonly OpenRpcMethod[] }) {
  const search = useConsole((state) => state.search)
  const chosen = useConsole((state) => state.method)
  // Not deferred: a key right after the last letter must act on the whole text.
  const groups = useMemo(() => groupMethods(methods, search), [methods, search])
  const list = useRef<HTMLDivElement>(null)
  const found = groups.reduce((sum, group) => sum + group.methods.length, 0)
  const typed = search.trim()

  // In full, below the name of its namespace.
  useEffect(() => {
    const scroller = list.current
    const options = scroller?.querySelectorAll<HTMLElement>('[role=option]') ?? []
    const option = [...options].find(({ dataset }) => dataset['method'] === chosen)
    if (!scroller || !option) return
    const top = option.offsetTop - SHOWN_ABOVE
    const bottom = option.offsetTop + option.offsetHeight + SHOWN_BELOW
    if (scroller.scrollTop > top) scroller.scrollTop = top
    else if (scroller.scrollTop + scroller.clientHeight < bottom) scroller.scrollTop = bottom - scroller.clientHeight
  }, [chosen])

  const options = () => [...(list.current?.querySelectorAll<HTMLElement>('[role=option]') ?? [])]

  function onSearchKey(event: KeyboardEvent): void {
    if (event.key === 'ArrowDown') {
      event.preventDefault()
      options()[0]?.focus()
    } else if (event.key === 'Enter') {
      event.preventDefault()
      const first = groups[0]?.methods[0]
      if (first) chooseMethod(first.name)
    }
  }

  function onListKey(event: KeyboardEvent): void {
    const all = options()
    const at = all.indexOf(document.activeElement as HTMLElement)
    const target = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key]
    if (target === undefined) return
    event.preventDefault()
    all[Math.max(0, Math.min(target, all.length - 1))]?.focus()
  }

  return (
    <Panel title="Methods" aside={search.trim() === '' ? formatCount(found, 'method') : `${found} found`}>
      <div className={css('picker')}>
        <Field label="Search methods">
          {(props) => (
            <input
              {...props}
              type="search"
              className={fieldClass}
              placeholder="balance, eth_call, snapshot…"
              value={search}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => searchMethods(event.target.value)}
              onKeyDown={onSearchKey}
            />
          )}
        </Field>
        <div ref={list} role="listbox" aria-label="Methods" tabIndex={-1} className={css('list')} onKeyDown={onListKey}>
          <Groups groups={groups} chosen={chosen} />
        </div>
        {found === 0 && (
          <div className={css('empty')}>
            <p>No method has this in its name or summary.</p>
            {METHOD_NAME.test(typed) && (
              <button type="button" className={css('anyway')} onClick={() => chooseMethod(typed, [])}>
                Call <code>{typed}</code> anyway
              </button>
            )}
          </div>
        )}
      </div>
    </Panel>
  )
}

const Groups = memo(function Groups({
  groups,
  chosen,
}: {
  groups: readonly MethodGroup<OpenRpcMethod>[]
  chosen: string
}) {
  const inList = groups.some((group) => group.methods.some(({ name }) => name === chosen))
  const entry = inList ? chosen : groups[0]?.methods[0]?.name
  return groups.map(({ namespace, methods }) => (
    <Group key={namespace} namespace={namespace} methods={methods} chosen={chosen} entry={entry} />
  ))
})

/** @param entry - The method that Tab focuses. */
function Group({
  namespace,
  methods,
  chosen,
  entry,
}: MethodGroup<OpenRpcMethod> & { chosen: string; entry: string | undefined }) {
  const id = useId()
  return (
    <div role="group" aria-labelledby={id}>
      <div id={id} role="presentation" className={css('namespace')}>
        {othersText(namespace, LONGEST_NAME)}
      </div>
      {methods.map(({ name, summary }) => (
        <button
          key={name}
          type="button"
          role="option"
          aria-selected={name === chosen}
          tabIndex={name === entry ? 0 : -1}
          className={css('option')}
          data-method={name}
          title={othersText(summary)}
          onClick={() => chooseMethod(name)}
        >
          {othersText(name, LONGEST_NAME)}
        </button>
      ))}
    </div>
  )
}

/** Methods with the same namespace, the part before the underscore. */
export interface MethodGroup<Method> {
  readonly namespace: string
  readonly methods: readonly Method[]
}

/** Namespaces that newcomers need first; the others follow alphabetically. */
const FIRST = ['eth', 'chain', 'devnet', 'debug', 'txpool', 'net', 'web3', 'wallet', 'personal', 'rpc']

/** `eth` of `eth_call`; `rpc` of `rpc.discover`. */
function namespaceOf(name: string): string {
  return /^[^_.]*/.exec(name)?.[0] ?? name
}

/**
 * The methods whose name or summary contains every word of the search, by namespace. Matches in the name come first in
 * their group.
 */
export function groupMethods<Method extends { readonly name: string; readonly summary: string }>(
  methods: readonly Method[],
  search: string,
): readonly MethodGroup<Method>[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const groups = new Map<string, Method[]>()
  for (const method of methods) {
    const text = `${method.name} ${method.summary}`.toLowerCase()
    if (!words.every((word) => text.includes(word))) continue
    const namespace = namespaceOf(method.name)
    groups.set(namespace, [...(groups.get(namespace) ?? []), method])
  }
  const inName = ({ name }: Method) => words.every((word) => name.toLowerCase().includes(word))
  return [...groups]
    .toSorted(([a], [b]) => rank(a) - rank(b) || a.localeCompare(b))
    .map(([namespace, found]) => ({
      namespace,
      methods: found.toSorted((a, b) => Number(inName(b)) - Number(inName(a)) || a.name.localeCompare(b.name)),
    }))
}

function rank(namespace: string): number {
  const index = FIRST.indexOf(namespace)
  return index < 0 ? FIRST.length : index
}
