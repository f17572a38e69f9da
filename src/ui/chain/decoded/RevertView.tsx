import type { ReactNode } from 'react'
import type { Hex } from '#primitives/hex.ts'
import { Glyph } from '#ui/chain/Glyph.tsx'
import { decodeRevert, type Revert } from '#ui/decode/decode-revert.ts'
import { sourceWords } from '#ui/decode/decoded.ts'
import type { Contracts } from '#ui/decode/knowledge.ts'
import { amountArguments } from '#ui/decode/token-amounts.ts'
import { decodedText } from '#ui/decode/value-text.ts'
import { othersText } from '#ui/format/contract-text.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './RevertView.module.css'
import { Arguments, Bytes } from './Value.tsx'

const css = classNames(styles)
const SHOWN_CHARACTERS = 400

/** Why something was reverted, in one line. */
export function revertText(revert: Revert): string {
  switch (revert.kind) {
    case 'silent':
      return 'without a reason'
    case 'text':
      return `“${othersText(revert.text, SHOWN_CHARACTERS)}”`
    case 'panic':
      return `panic 0x${revert.code.toString(16)}: ${revert.meaning}`
    case 'custom':
      return decodedText(revert)
    case 'unknown':
      return 'with an error that is in no ABI the page knows'
    case 'stopped':
      return `because the EVM stopped it: ${othersText(revert.reason)}`
  }
}

/** The error of revert data in one line, if the page knows it by its selector, as those of standards. */
export function revertName(contracts: Contracts, data: Hex): ReactNode | undefined {
  const revert = decodeRevert(contracts, [], data)
  if (revert.kind !== 'custom') return undefined
  return (
    <>
      <code>{decodedText(revert)}</code> <span className="note">({sourceWords(revert.source)})</span>
    </>
  )
}

/** Why something was reverted, with all known details. */
export function RevertView({ revert }: { revert: Revert }) {
  return (
    <div className={css('revert')}>
      <p className={css('what')}>
        <Glyph sign="reverted" />
        <span className={css('words')}>
          {revert.kind === 'custom' ? (
            <>
              Reverted with <code>{revert.name}</code> <span className="note">({sourceWords(revert.source)})</span>
            </>
          ) : (
            <>
              Reverted <bdi>{revertText(revert)}</bdi>
            </>
          )}
        </span>
      </p>
      {revert.kind === 'custom' && revert.args.length > 0 && (
        <Arguments
          args={revert.args}
          token={revert.raisedBy ?? undefined}
          amounts={amountArguments(revert.signature)}
        />
      )}
      {revert.kind === 'unknown' && <Bytes bytes={revert.data} label="Error" />}
    </div>
  )
}
