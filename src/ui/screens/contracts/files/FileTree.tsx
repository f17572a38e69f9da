import { ChevronDown, FileText, Folder } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { TreeNode } from '#ui/screens/contracts/project/project.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './FileTree.module.css'

const css = classNames(styles)

/** Folders that start closed, as they hold other people's code. */
const CLOSED = ['lib', 'node_modules']

interface Row {
  readonly node: TreeNode
  readonly level: number
  readonly position: number
  readonly siblings: number
  readonly parent: string | undefined
}

/**
 * A project's files and folders, as a tree to walk with the arrow keys.
 *
 * @param active - The file or folder that the buttons beside the tree are about.
 * @param current - The file in the editor.
 */
export function FileTree({
  nodes,
  active,
  current,
  problems,
  onActivate,
  onOpen,
  onRename,
  onDelete,
}: {
  nodes: readonly TreeNode[]
  active: string
  current: string
  problems: ReadonlySet<string>
  onActivate: (path: string) => void
  onOpen: (path: string) => void
  onRename: () => void
  onDelete: () => void
}) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(() => new Set(CLOSED))
  const tree = useRef<HTMLUListElement>(null)
  /** The item with the focus is being deleted. */
  const losesFocus = useRef(false)
  useEffect(() => {
    if (!losesFocus.current) return
    losesFocus.current = false
    tree.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
  })
  const rows = rowsOf(nodes, closed)
  const hasFolders = nodes.some(({ children }) => children !== undefined)
  const focusable = rows.some(({ node }) => node.path === active) ? active : rows[0]?.node.path
  const toggle = (path: string) =>
    setClosed((before) => new Set(before.has(path) ? [...before].filter((other) => other !== path) : [...before, path]))
  const goTo = (row: Row | undefined) => {
    if (!row) return
    onActivate(row.node.path)
    const items = tree.current?.querySelectorAll<HTMLElement>('[role=treeitem]')
    items?.[rows.indexOf(row)]?.focus()
  }
  const activate = ({ path, children }: TreeNode) => {
    onActivate(path)
    if (children) toggle(path)
    else onOpen(path)
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const at = rows.findIndex(({ node }) => node.path === focusable)
    const row = rows[at]
    if (!row) return
    const { node, parent } = row
    const isOpen = node.children !== undefined && !closed.has(node.path)
    const acts: Readonly<Record<string, () => void>> = {
      ArrowDown: () => goTo(rows[at + 1]),
      ArrowUp: () => goTo(rows[at - 1]),
      Home: () => goTo(rows[0]),
      End: () => goTo(rows.at(-1)),
      ArrowRight: () => (isOpen ? goTo(rows[at + 1]) : node.children && toggle(node.path)),
      ArrowLeft: () => (isOpen ? toggle(node.path) : goTo(rows.find((other) => other.node.path === parent))),
      Enter: () => activate(node),
      ' ': () => activate(node),
      F2: onRename,
      Delete: () => {
        losesFocus.current = true
        onDelete()
      },
    }
    const act = acts[event.key]
    if (!act) return
    event.preventDefault()
    event.stopPropagation()
    act()
  }

  return (
    <ul ref={tree} role="tree" aria-label="Files" className={css('tree')} onKeyDown={onKeyDown}>
      {rows.map(({ node, level, position, siblings }) => (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the tree has them
        <li
          key={node.path}
          role="treeitem"
          aria-level={level}
          aria-posinset={position}
          aria-setsize={siblings}
          aria-expanded={node.children ? !closed.has(node.path) : undefined}
          aria-selected={node.path === current}
          aria-label={problems.has(node.path) ? `${node.name}, has problems` : node.name}
          tabIndex={node.path === focusable ? 0 : -1}
          className={css('item', node.path === current && 'current', problems.has(node.path) && 'wrong')}
          style={{ paddingInlineStart: `${(level - 1) * 14 + 6}px` }}
          onClick={() => activate(node)}
        >
          {node.children ? (
            <>
              <ChevronDown size={14} aria-hidden className={css(closed.has(node.path) && 'closed')} />
              <Folder size={14} aria-hidden />
            </>
          ) : (
            <FileText size={14} aria-hidden className={css(hasFolders && 'file')} />
          )}
          <span className={css('name')} title={node.name}>
            {node.name}
          </span>
        </li>
      ))}
    </ul>
  )
}

function rowsOf(nodes: readonly TreeNode[], closed: ReadonlySet<string>, level = 1, parent?: string): readonly Row[] {
  return nodes.flatMap((node, i) => [
    { node, level, position: i + 1, siblings: nodes.length, parent },
    ...(node.children && !closed.has(node.path) ? rowsOf(node.children, closed, level + 1, node.path) : []),
  ])
}
