import { memo, useState } from 'react'
import type { Address as AddressHex, Hex, Quantity } from '#primitives/hex.ts'
import { Address, useAddressName } from '#ui/chain/Address.tsx'
import { CopyButton } from '#ui/components/CopyButton.tsx'
import { Panel } from '#ui/components/layout/Panel.tsx'
import { ShowMore } from '#ui/components/ShowMore.tsx'
import type { FullStep } from '#ui/execution/step-windows.ts'
import { mediumHex } from '#ui/format/hex.ts'
import { formatCount, formatInteger } from '#ui/format/numbers.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { operandNames } from './operands.ts'
import styles from './StatePanes.module.css'

const css = classNames(styles)

/** Words of the stack, and lines of bytes, that are drawn at first. */
const SHOWN_WORDS = 16
const SHOWN_LINES = 12

/** The stack before the step, top first, with the names of what the instruction takes. */
export const StackPane = memo(function StackPane({ step }: { step: FullStep | undefined }) {
  const [shown, setShown] = useState(SHOWN_WORDS)
  const words = step?.stack.toReversed() ?? []
  const names = step ? operandNames(step.op) : []
  return (
    <Panel title="Stack" aside={step ? formatCount(words.length, 'word') : '…'}>
      {step && words.length === 0 && <p className="muted">It is empty.</p>}
      <ol className={css('words')} aria-label="Stack, top first">
        {words.slice(0, shown).map((word, i) => (
          // Only its position identifies a word of the stack.
          <li key={i} className={css('word', i < names.length && 'taken')}>
            <span className={css('position')}>{i}</span>
            <Word word={word} />
            {names[i] !== undefined && <span className={css('name')}>{names[i]}</span>}
          </li>
        ))}
      </ol>
      <ShowMore left={words.length - shown} onMore={() => setShown(shown + 8 * SHOWN_WORDS)} />
    </Panel>
  )
})

const ADDRESS_DIGITS = 40

/** A word: its digits, and what they may mean. */
export function Word({ word }: { word: Quantity }) {
  const address: AddressHex = `0x${word.slice(2).padStart(ADDRESS_DIGITS, '0')}`
  const name = useAddressName(word.length <= 2 + ADDRESS_DIGITS && word.length > 12 ? address : '0x')
  const hint = wordHint(word)
  return (
    <span className={css('value')}>
      <code className={css('digits')} title={word}>
        {mediumHex(word)}
      </code>
      {name !== undefined ? (
        <Address address={address} />
      ) : (
        hint !== undefined && <span className={css('hint')}>{hint}</span>
      )}
    </span>
  )
}

/** Bytes of the memory, of what the frame was called with, or of what it got back: 32 a line. */
export const BytesPane = memo(function BytesPane({ title, bytes }: { title: string; bytes: Hex | undefined }) {
  const [shown, setShown] = useState(SHOWN_LINES)
  const lines = bytes === undefined ? [] : memoryLines(bytes, shown)
  return (
    <Panel
      title={title}
      aside={
        bytes === undefined ? (
          '…'
        ) : (
          <span className={css('aside')}>
            {formatCount(bytes.length / 2 - 1, 'byte')}
            {bytes !== '0x' && <CopyButton value={bytes} label={title} />}
          </span>
        )
      }
    >
      {bytes === '0x' && <p className="muted">It is empty.</p>}
      {lines.length > 0 && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <div className={css('scroll')} role="region" aria-label={`${title}, bytes`} tabIndex={0}>
          <ol className={css('lines')}>
            {lines.map(({ offset, groups, characters }) => (
              <li key={offset} className={css('line')}>
                <span className={css('position')}>{offset.toString(16).padStart(4, '0')}</span>
                {groups.map((group, i) => (
                  <span key={i} className={css(/^0+$/.test(group) && 'zero')}>
                    {group}
                  </span>
                ))}
                <span className={css('characters')} aria-hidden="true">
                  {characters}
                </span>
              </li>
            ))}
          </ol>
        </div>
      )}
      {bytes !== undefined && (
        <ShowMore left={countLines(bytes) - shown} onMore={() => setShown(shown + 16 * SHOWN_LINES)} />
      )}
    </Panel>
  )
})

const WORD_DIGITS = 64

/** 32 bytes of memory or calldata. */
interface MemoryLine {
  /** Bytes from the start. */
  readonly offset: number
  /** In groups of eight bytes; the last line may be shorter. */
  readonly groups: readonly string[]
  /** Printable characters of the line; a dot for each other byte. */
  readonly characters: string
}

/** The first lines of some bytes, 32 bytes each. */
function memoryLines(bytes: Hex, count: number): readonly MemoryLine[] {
  const lines: MemoryLine[] = []
  for (let at = 2; at < bytes.length && lines.length < count; at += WORD_DIGITS) {
    const digits = bytes.slice(at, at + WORD_DIGITS)
    lines.push({
      offset: (at - 2) / 2,
      groups: digits.match(/.{1,16}/g) ?? [],
      characters: digits.replace(/../g, (pair) => (isPrintable(pair) ? characterOf(pair) : '·')),
    })
  }
  return lines
}

/** How many lines there are. */
function countLines(bytes: Hex): number {
  return Math.ceil((bytes.length - 2) / WORD_DIGITS)
}

const LARGEST = 1n << 256n
/** Numbers this close to 0, or to 2^256 below it, are shown as decimals. */
const SMALL = 1n << 64n
/** Numbers whose hexadecimal and decimal digits are the same. */
const ONE_DIGIT = 10n
/** The shortest text that is recognised, in bytes. */
const SHORTEST_TEXT = 3

/** What a word of the stack or the storage may mean: a number or a text; `undefined` if its digits say it all. */
function wordHint(word: Quantity): string | undefined {
  const value = BigInt(word)
  if (value < ONE_DIGIT) return undefined
  if (value < SMALL) return formatInteger(value)
  if (LARGEST - value <= SMALL) return `−${formatInteger(LARGEST - value)}`
  return textOf(word)
}

/** A short text as Solidity keeps it: characters, then zeros. */
function textOf(word: Quantity): string | undefined {
  const digits = word.slice(2)
  if (digits.length !== WORD_DIGITS) return undefined
  const bytes = digits.match(/../g) ?? []
  const end = bytes.findIndex((pair) => !isPrintable(pair))
  const length = end === -1 ? bytes.length : end
  // In storage the last byte has the length.
  const isPadded = bytes.slice(length, -1).every((pair) => pair === '00')
  if (length < SHORTEST_TEXT || !isPadded) return undefined
  return `“${bytes.slice(0, length).map(characterOf).join('')}”`
}

const characterOf = (pair: string) => String.fromCharCode(Number.parseInt(pair, 16))

function isPrintable(pair: string): boolean {
  const code = Number.parseInt(pair, 16)
  return code >= 0x20 && code < 0x7f
}
