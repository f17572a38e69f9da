import { HighlightStyle, indentUnit, StreamLanguage, syntaxHighlighting } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { parser } from '@replit/codemirror-lang-solidity'
import { invariant } from '#primitives/invariant.ts'

type Tag = NonNullable<typeof parser.tokenTable>[string]

/** One of the tags that the parser defines. They are used for more kinds of words here than it has in mind. */
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

/** The colours are properties of `Editor.module.css`, which pass into the shadow root. */
const highlighting = HighlightStyle.define([
  { tag: KEYWORD, color: 'var(--code-keyword)' },
  { tag: FUNCTION, color: 'var(--code-function)' },
  { tag: LITERAL, color: 'var(--code-literal)' },
  { tag: STRING, color: 'var(--code-string)' },
  { tag: COMMENT, color: 'var(--text-muted)', fontStyle: 'italic' },
])

/** Solidity as far as its words go: colours, and how far a line is indented. */
export const solidity: Extension = [language, syntaxHighlighting(highlighting), indentUnit.of('    ')]
