import { type Decoded, sourceWords } from '#ui/decode/decoded.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './DecodedView.module.css'
import { Arguments } from './Value.tsx'

const css = classNames(styles)

/** A call, event or error with its arguments, and how the page knows it. */
export function DecodedView({ decoded }: { decoded: Decoded }) {
  return (
    <div className={css('decoded')}>
      <p className={css('head')}>
        <code className={css('name')} title={decoded.signature}>
          {decoded.name}
        </code>
        <span className="note">{sourceWords(decoded.source)}</span>
      </p>
      {decoded.args.length > 0 && <Arguments args={decoded.args} />}
    </div>
  )
}
