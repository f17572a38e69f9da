import { closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { bracketMatching, indentOnInput } from '@codemirror/language'
import { lintGutter, type Diagnostic as Mark, nextDiagnostic, previousDiagnostic } from '@codemirror/lint'
import { EditorState, type Extension } from '@codemirror/state'
import { EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from '@codemirror/view'
import type { Diagnostic } from '#compiler/messages.ts'
import { solidity } from './solidity-language.ts'
import { typingOver } from './typing-over.ts'

const theme = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'var(--surface-raised)', color: 'var(--text)', fontSize: '13px' },
  // The host has it.
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '1.6' },
  '.cm-content': { caretColor: 'var(--text)', padding: '10px 0' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', borderColor: 'var(--border)', color: 'var(--text-muted)' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--focus) 7%, transparent)' },
  '.cm-activeLineGutter': { backgroundColor: 'var(--surface-hover)', color: 'var(--text)' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--sealed-tint)', outline: '1px solid var(--sealed)' },
  '.cm-tooltip': {
    maxWidth: 'min(60ch, 80vw)',
    border: '1px solid var(--border-strong)',
    borderRadius: 'var(--radius-sm)',
    backgroundColor: 'var(--surface-raised)',
    color: 'var(--text)',
  },
  '.cm-diagnostic': { fontFamily: 'var(--font)', fontSize: '13px' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--failed)' },
  '.cm-diagnostic-warning': { borderLeftColor: 'var(--preconfirmed)' },
  '.cm-diagnostic-info': { borderLeftColor: 'var(--sealed)' },
  '.cm-lintRange-error': { background: 'none', textDecoration: 'underline wavy var(--failed) 1px' },
  '.cm-lintRange-warning': { background: 'none', textDecoration: 'underline wavy var(--preconfirmed) 1px' },
  '.cm-lintRange-info': { background: 'none', textDecoration: 'underline dotted var(--sealed) 1px' },
})

export interface EditorOptions {
  readonly label: string
  /** Id, inside of the shadow root, of what is said about the keys. */
  readonly describedBy: string
  readonly onChange: (text: string) => void
  /** Ctrl or ⌘ with Enter. */
  readonly onSubmit: () => void
}

/** What the editor can do. */
export function editorExtensions({ label, describedBy, onChange, onSubmit }: EditorOptions): Extension {
  const submit = () => {
    onSubmit()
    return true
  }
  return [
    theme,
    lintGutter(),
    lineNumbers(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    history(),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    solidity,
    typingOver,
    EditorState.tabSize.of(4),
    EditorView.contentAttributes.of({
      'aria-label': label,
      'aria-describedby': describedBy,
      'aria-multiline': 'true',
      // As it is anyway; said for those who ask what scrolls whether it can have the focus.
      tabindex: '0',
    }),
    keymap.of([
      // Before the default, which begins a new line.
      { key: 'Mod-Enter', run: submit },
      { key: 'F8', run: nextDiagnostic, shift: previousDiagnostic },
      ...closeBracketsKeymap,
      ...historyKeymap,
      // Esc lets the next Tab leave the editor.
      indentWithTab,
      ...defaultKeymap,
    ]),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) onChange(update.state.doc.toString())
    }),
  ]
}

/** The compiler's words as marks; those about no place in particular have none. */
export function toMarks(diagnostics: readonly Diagnostic[], length: number): Mark[] {
  return diagnostics.flatMap(({ severity, message, range }) => {
    if (!range) return []
    const from = Math.min(range.from, length)
    return [{ from, to: Math.max(from, Math.min(range.to, length)), severity, message }]
  })
}
