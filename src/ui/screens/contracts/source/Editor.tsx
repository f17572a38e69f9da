import { setDiagnostics } from '@codemirror/lint'
import { EditorView } from '@codemirror/view'
import { type Ref, useEffect, useEffectEvent, useImperativeHandle, useRef } from 'react'
import type { Diagnostic } from '#compiler/messages.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Editor.module.css'
import { editorExtensions, toMarks } from './editor-extensions.ts'

const css = classNames(styles)

const KEYS_ID = 'keys'
const LABEL = 'Solidity source'
/** Description for screen readers of what is shown below the editor. */
const KEYS = 'Tab indents. Press Escape, then Tab, to leave the editor. F8 goes to the next problem.'

export interface EditorHandle {
  /** Moves the cursor there, scrolls to it and focuses the editor. */
  readonly goTo: (position: number) => void
}

/**
 * An editor for Solidity, in a shadow root, which can adopt its styles: the page's policy forbids adding style
 * elements.
 *
 * @param diagnostics - The compiler's messages about the current text.
 */
export function Editor({
  value,
  onChange,
  onSubmit,
  diagnostics,
  ref,
}: {
  value: string
  onChange: (text: string) => void
  onSubmit: () => void
  diagnostics: readonly Diagnostic[]
  ref: Ref<EditorHandle>
}) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const change = useEffectEvent(onChange)
  const submit = useEffectEvent(onSubmit)
  const start = useEffectEvent((parent: HTMLElement) =>
    startEditor(parent, value, { onChange: change, onSubmit: submit }),
  )
  useEffect(() => {
    const editor = host.current ? start(host.current) : undefined
    view.current = editor
    return () => {
      editor?.destroy()
      view.current = undefined
    }
  }, [])
  useEffect(() => {
    const editor = view.current
    if (!editor || editor.state.doc.toString() === value) return
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value }, selection: { anchor: 0 } })
  }, [value])
  useEffect(() => {
    const editor = view.current
    if (editor) editor.dispatch(setDiagnostics(editor.state, toMarks(diagnostics, editor.state.doc.length)))
  }, [diagnostics])
  useImperativeHandle(ref, () => ({
    goTo(position) {
      const editor = view.current
      if (!editor) return
      const anchor = Math.min(position, editor.state.doc.length)
      editor.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) })
      editor.focus()
    },
  }))
  return <div ref={host} className={css('editor')} />
}

function startEditor(
  host: HTMLElement,
  doc: string,
  handlers: { onChange: (text: string) => void; onSubmit: () => void },
): EditorView {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  const keys = document.createElement('p')
  keys.id = KEYS_ID
  keys.hidden = true
  keys.textContent = KEYS
  root.replaceChildren(keys)
  return new EditorView({
    doc,
    extensions: editorExtensions({ label: LABEL, describedBy: KEYS_ID, ...handlers }),
    parent: root,
    root,
  })
}
