import { setDiagnostics } from '@codemirror/lint'
import { type EditorState } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { type Ref, useEffect, useEffectEvent, useImperativeHandle, useRef, useState } from 'react'
import type { Diagnostic } from '#compiler/messages.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Editor.module.css'
import { createState, toMarks } from './editor-extensions.ts'

const css = classNames(styles)

/** Files whose undo history and cursor are kept. */
const MAX_STATES = 60
const KEYS_ID = 'keys'
const LABEL = 'Solidity source'
/** Description for screen readers of what is shown below the editor. */
const KEYS = 'Tab indents. Press Escape, then Tab, to leave the editor. F8 goes to the next problem.'

export interface EditorHandle {
  /** Moves the cursor there, scrolls to it and focuses the editor. */
  readonly goTo: (position: number) => void
}

/** What the editor was left with, by file. */
const states = new Map<string, EditorState>()

/**
 * An editor for Solidity, in a shadow root, which can adopt its styles: the page's policy forbids adding style
 * elements.
 *
 * @param file - Identifies the file: each has a cursor and an undo history of its own.
 * @param path - The file's name in the compiler's messages.
 * @param diagnostics - The compiler's messages, about this and other files.
 */
export function Editor({
  file,
  value,
  readOnly,
  path,
  onChange,
  onSubmit,
  diagnostics,
  ref,
}: {
  file: string
  value: string
  readOnly: boolean
  path: string
  onChange: (text: string) => void
  onSubmit: () => void
  diagnostics: readonly Diagnostic[]
  ref: Ref<EditorHandle>
}) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const change = useEffectEvent(onChange)
  const submit = useEffectEvent(onSubmit)
  const stateOf = useEffectEvent((text: string) => {
    const kept = states.get(file)
    if (kept?.doc.toString() === text && kept.readOnly === readOnly) return kept
    const options = { label: LABEL, describedBy: KEYS_ID, readOnly, onChange: change, onSubmit: submit }
    return createState(text, options)
  })
  const start = useEffectEvent((parent: HTMLElement) => startEditor(parent, stateOf(value)))
  const shown = useRef(file)
  // A file that is shown again may still have the marks that it was left with.
  const markNow = useEffectEvent((editor: EditorView) => mark(editor, path, diagnostics))
  useEffect(() => {
    const editor = host.current ? start(host.current) : undefined
    view.current = editor
    return () => {
      if (editor) keepState(shown.current, editor.state)
      editor?.destroy()
      view.current = undefined
    }
  }, [])
  useEffect(() => {
    const editor = view.current
    if (!editor) return
    if (shown.current !== file || editor.state.readOnly !== readOnly) {
      keepState(shown.current, editor.state)
      shown.current = file
      editor.setState(stateOf(value))
      markNow(editor)
      return
    }
    if (editor.state.doc.toString() === value) return
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value }, selection: { anchor: 0 } })
  }, [file, readOnly, value])
  useEffect(() => {
    const editor = view.current
    if (editor) mark(editor, path, diagnostics)
  }, [path, diagnostics])
  const jump = useRef<number>(undefined)
  useEffect(() => {
    const editor = view.current
    const position = jump.current
    if (!editor || position === undefined) return
    jump.current = undefined
    const anchor = Math.min(position, editor.state.doc.length)
    editor.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) })
    editor.focus()
  })
  const [, setJumps] = useState(0)
  useImperativeHandle(ref, () => ({
    // The place may be in a file that is shown only with the next rendering.
    goTo(position) {
      jump.current = position
      setJumps((count) => count + 1)
    },
  }))
  return <div ref={host} className={css('editor')} />
}

function mark(editor: EditorView, path: string, diagnostics: readonly Diagnostic[]): void {
  const here = diagnostics.filter(({ place }) => place?.file === path)
  editor.dispatch(setDiagnostics(editor.state, toMarks(here, editor.state.doc.length)))
}

function keepState(file: string, state: EditorState): void {
  states.delete(file)
  states.set(file, state)
  const [oldest] = states.keys()
  if (states.size > MAX_STATES && oldest !== undefined) states.delete(oldest)
}

function startEditor(host: HTMLElement, state: EditorState): EditorView {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  const keys = document.createElement('p')
  keys.id = KEYS_ID
  keys.hidden = true
  keys.textContent = KEYS
  root.replaceChildren(keys)
  return new EditorView({ state, parent: root, root })
}
