import { keccak256 } from 'viem'
import type { Hex } from '#primitives/hex.ts'
import { CodeBlock } from '#ui/components/CodeBlock.tsx'
import { CopyButton } from '#ui/components/CopyButton.tsx'
import { Panel } from '#ui/components/layout/Panel.tsx'
import { SignedBytes } from '#ui/compose/SignedBytes.tsx'
import { shortHex } from '#ui/format/hex.ts'
import { formatCount } from '#ui/format/numbers.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './SignedPreview.module.css'

const css = classNames(styles)

/** The signed bytes, field by field. */
export function SignedPreview({
  raw,
  snippet,
  waitingFor,
}: {
  raw: Hex | undefined
  /** Code that sends the same transaction; `undefined` while there is none. */
  snippet: string | undefined
  /** Why there are no bytes. */
  waitingFor: string
}) {
  if (!raw) {
    return (
      <Panel title="Signed bytes">
        <p className="empty">{waitingFor}</p>
        <Snippet code={snippet} />
      </Panel>
    )
  }
  return (
    <Panel
      title="Signed bytes"
      aside={
        <span className={css('aside')}>
          {formatCount(raw.length / 2 - 1, 'byte')}, hash {shortHex(keccak256(raw))}
          <CopyButton value={raw} label="Signed bytes" />
        </span>
      }
    >
      <SignedBytes raw={raw} />
      <Snippet code={snippet} />
    </Panel>
  )
}

function Snippet({ code }: { code: string | undefined }) {
  if (!code) return null
  return (
    <details className={css('details')}>
      <summary>The same with viem</summary>
      <div className={css('snippet')}>
        <CopyButton value={code} label="Viem code" />
        <CodeBlock>{code}</CodeBlock>
      </div>
    </details>
  )
}
