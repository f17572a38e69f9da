import { closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  indentUnit,
  StreamLanguage,
  syntaxHighlighting,
} from '@codemirror/language'
import { lintGutter, type Diagnostic as Mark, nextDiagnostic, previousDiagnostic } from '@codemirror/lint'
import { EditorState, type Extension } from '@codemirror/state'
import {
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { parser } from '@replit/codemirror-lang-solidity'
import type { Diagnostic } from '#compiler/messages.ts'
import { invariant } from '#primitives/invariant.ts'

const theme = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'var(--surface-raised)', color: 'var(--text)', fontSize: 'var(--text-sm)' },
  // The host has the outline.
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '1.6' },
  '.cm-content': { caretColor: 'var(--text)', padding: '10px 0' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', borderColor: 'var(--border)', color: 'var(--text-muted)' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--focus) 7%, transparent)' },
  '.cm-activeLineGutter': { backgroundColor: 'var(--surface-hover)', color: 'var(--text)' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'transparent', outline: '1px solid var(--text-muted)' },
  '.cm-tooltip': {
    maxWidth: 'min(60ch, 80vw)',
    border: '1px solid var(--border-strong)',
    borderRadius: 'var(--radius-sm)',
    backgroundColor: 'var(--surface-raised)',
    color: 'var(--text)',
  },
  '.cm-diagnostic': { fontFamily: 'var(--font)', fontSize: 'var(--text-sm)' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--failed)' },
  '.cm-diagnostic-warning': { borderLeftColor: 'var(--preconfirmed)' },
  '.cm-diagnostic-info': { borderLeftColor: 'var(--text-muted)' },
  '.cm-lintRange-error': { background: 'none', textDecoration: 'underline wavy var(--failed) 1px' },
  '.cm-lintRange-warning': { background: 'none', textDecoration: 'underline wavy var(--preconfirmed) 1px' },
  '.cm-lintRange-info': { background: 'none', textDecoration: 'underline dotted var(--text-muted) 1px' },
})

export interface EditorOptions {
  readonly label: string
  /** Id, within the shadow root, of the description of the keys. */
  readonly describedBy: string
  readonly readOnly: boolean
  readonly onChange: (text: string) => void
  /** Ctrl or ⌘ with Enter. */
  readonly onSubmit: () => void
}

/** A file in the editor, as it is opened. */
export function createState(doc: string, options: EditorOptions): EditorState {
  return EditorState.create({ doc, extensions: editorExtensions(options) })
}

function editorExtensions({ label, describedBy, readOnly, onChange, onSubmit }: EditorOptions): Extension {
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
    // Other people's sources may have characters that hide or reorder code.
    highlightSpecialChars({ addSpecialChars: /[\u180e\u202a-\u202c\u2060-\u2064\u2068\u206a-\u206f]/ }),
    history(),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    solidity,
    typingOver,
    EditorState.tabSize.of(4),
    EditorState.readOnly.of(readOnly),
    EditorView.contentAttributes.of({
      'aria-label': label,
      'aria-describedby': describedBy,
      'aria-multiline': 'true',
      // The default, but set explicitly for tools that check whether scrollable elements can be focused.
      tabindex: '0',
    }),
    keymap.of([
      // Before the default binding, which inserts a line break.
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

/** The compiler's messages as marks; those without a position have none. */
export function toMarks(diagnostics: readonly Diagnostic[], length: number): Mark[] {
  return diagnostics.flatMap(({ severity, message, place }) => {
    if (!place) return []
    const from = Math.min(place.from, length)
    return [{ from, to: Math.max(from, Math.min(place.to, length)), severity, message }]
  })
}

type Tag = NonNullable<typeof parser.tokenTable>[string]

/** One of the parser's tags, used here for more kinds of words than in the parser. */
function tag(name: string): Tag {
  const found = parser.tokenTable?.[name]
  invariant(found, `the parser has the tag ${name}`)
  return found
}

const KEYWORD = tag('contractRelated')
const FUNCTION = tag('functionName')
const LITERAL = tag('etherUnit')
const STRING = tag('version')
const COMMENT = tag('doc')

const language = StreamLanguage.define({
  ...parser,
  name: 'solidity',
  tokenTable: {
    ...parser.tokenTable,
    keyword: KEYWORD,
    errorHandling: KEYWORD,
    number: LITERAL,
    atom: LITERAL,
    string: STRING,
    comment: COMMENT,
  },
})

/** The colours are custom properties of `Editor.module.css`, which are inherited into the shadow root. */
const highlighting = HighlightStyle.define([
  { tag: KEYWORD, color: 'var(--code-keyword)' },
  { tag: FUNCTION, color: 'var(--code-function)' },
  { tag: LITERAL, color: 'var(--code-literal)' },
  { tag: STRING, color: 'var(--code-string)' },
  { tag: COMMENT, color: 'var(--text-muted)', fontStyle: 'italic' },
])

/** Support for Solidity: highlighting and indentation. */
export const solidity: Extension = [language, syntaxHighlighting(highlighting), indentUnit.of('    ')]

/**
 * Typing over a selection is handled by the editor. Otherwise Chromium joins the lines with style attributes, which the
 * page's policy forbids.
 */
export const typingOver = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { from, to, empty } = view.state.selection.main
    const text = event.data
    if (event.inputType !== 'insertText' || text === null || empty || view.composing) return false
    event.preventDefault()
    const insert = () =>
      view.state.update(view.state.replaceSelection(text), { userEvent: 'input.type', scrollIntoView: true })
    // Brackets and quotes surround the selection.
    const isHandled = view.state.facet(EditorView.inputHandler).some((handle) => handle(view, from, to, text, insert))
    if (!isHandled) view.dispatch(insert())
    return true
  },
})
