import { useState } from 'react'
import { CodeBlock } from '#ui/components/CodeBlock.tsx'
import { CopyButton } from '#ui/components/CopyButton.tsx'
import { CheckField } from '#ui/components/form/CheckField.tsx'
import { Segmented } from '#ui/components/form/Segmented.tsx'
import { NO_PORT } from '#ui/format/elsewhere.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './CopyAs.module.css'
import { type Snippet, type SnippetTarget, snippetsOf } from './copy-as.ts'

const css = classNames(styles)

/** The request as code for other programs. */
export function CopyAs({
  method,
  params,
  target,
}: {
  method: string
  params: readonly unknown[]
  target: SnippetTarget
}) {
  const [name, setName] = useState<Snippet['name']>('console')
  const [elsewhere, setElsewhere] = useState(false)
  const all = snippetsOf(method, params, target)
  const snippets = all.filter(({ needsServer }) => !needsServer || elsewhere)
  const shown = snippets.find((snippet) => snippet.name === name) ?? snippets[0]
  if (!shown) return undefined
  return (
    <details className={css('copy')}>
      <summary className={css('summary')}>Copy as code…</summary>
      {snippets.length < all.length || elsewhere ? (
        <div className={css('elsewhere')}>
          <CheckField checked={elsewhere} onChange={setElsewhere}>
            Also for other programs: curl, viem, cast
          </CheckField>
          {elsewhere && <p className="note">{NO_PORT}</p>}
        </div>
      ) : undefined}
      <div className={css('head')}>
        <Segmented
          legend="Copy as"
          options={snippets.map((snippet) => ({ value: snippet.name, label: snippet.name }))}
          value={shown.name}
          onChange={setName}
        />
        <span className="note">for {shown.note}</span>
        <CopyButton value={shown.text} label={`${shown.name} snippet`} />
      </div>
      <CodeBlock>{shown.text}</CodeBlock>
    </details>
  )
}
