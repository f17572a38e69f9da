import type { Address } from '#primitives/hex.ts'
import { type Decoded, sourceWords } from '#ui/decode/decoded.ts'
import { amountArguments } from '#ui/decode/token-amounts.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './DecodedView.module.css'
import { Arguments } from './Value.tsx'

const css = classNames(styles)

/**
 * A call, event or error with its arguments, and how the page knows it.
 *
 * @param token - The contract that is called, or that emitted: amounts are shown by its decimals if it is a token.
 */
export function DecodedView({ decoded, token }: { decoded: Decoded; token?: Address | null | undefined }) {
  return (
    <div className={css('decoded')}>
      <p className={css('head')}>
        <code className={css('name')} title={decoded.signature}>
          {decoded.name}
        </code>
        <span className="note">{sourceWords(decoded.source)}</span>
      </p>
      {decoded.args.length > 0 && (
        <Arguments args={decoded.args} token={token ?? undefined} amounts={amountArguments(decoded.signature)} />
      )}
    </div>
  )
}
