import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type Address, type Hash, toWord } from '#primitives/hex.ts'
import type { NamedAccount } from '#solidity/worker/messages.ts'
import { Glyph } from '#ui/chain/Glyph.tsx'
import { LayoutWords } from '#ui/chain/storage/LayoutWords.tsx'
import { VariableTable } from '#ui/chain/storage/VariableTable.tsx'
import { Button } from '#ui/components/Button.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { FieldList, FieldRow } from '#ui/components/FieldList.tsx'
import { Segmented } from '#ui/components/form/Segmented.tsx'
import { TextField } from '#ui/components/form/TextField.tsx'
import { ShowMore } from '#ui/components/ShowMore.tsx'
import { type Column, Table } from '#ui/components/Table.tsx'
import { useFeed } from '#ui/feed/store.ts'
import { LONGEST_NAME, othersText } from '#ui/format/contract-text.ts'
import { formatCount, formatInteger } from '#ui/format/numbers.ts'
import { useCapabilities, useProvider } from '#ui/page/session.ts'
import { fetchSlot } from '#ui/queries/accounts.ts'
import { type AccountStorage, useAccountStorage } from '#ui/queries/storage.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Storage.module.css'

const css = classNames(styles)

/** How many slots are drawn at first. */
const SHOWN = 50

/** Shows the account's storage. */
export function Storage({ address }: { address: Address }) {
  const { devnet } = useCapabilities()
  return (
    <>
      <SlotForm address={address} />
      {devnet ? (
        <AllSlots address={address} />
      ) : (
        <p className="muted">This endpoint cannot list an account’s slots, but you can read them one at a time.</p>
      )}
    </>
  )
}

function AllSlots({ address }: { address: Address }) {
  const live = useFeed((feed) => feed.live?.hash)
  const head = useFeed((feed) => feed.sealed[0]?.hash)
  const { data, error } = useAccountStorage(address, `${head} ${live}`)
  const [chosen, setChosen] = useState<'variables' | 'slots'>()
  if (error) return <ErrorNote error={error} />
  if (!data) return <p className="empty">Reading the storage…</p>
  const { sealed, pending, named, implementation } = data
  const { slots, isWhole } = pending
  const reading = chosen ?? (named?.hasLayout ? 'variables' : 'slots')
  return (
    <>
      <div className="spread">
        <p role="status" className="muted">
          {isWhole ? standWords(slots.length) : `The first ${formatInteger(slots.length)} slots that are not 0`}, as of
          the pending block.
        </p>
        <div className={css('choices')}>
          {named?.hasLayout && (
            <Segmented
              legend="Storage as"
              options={[
                { value: 'variables', label: 'Variables' },
                { value: 'slots', label: 'Slots' },
              ]}
              value={reading}
              onChange={setChosen}
            />
          )}
        </div>
      </div>
      {slots.length > 0 && (
        <p className="note">
          {isWhole && sealed.isWhole ? (
            <LayoutWords named={named} implementation={implementation} />
          ) : (
            'Some slots are missing here, so variables are not shown: a missing value would look like 0.'
          )}
        </p>
      )}
      {reading === 'slots' || !named ? (
        <SlotTable slots={slots} />
      ) : (
        <Variables named={named} sealed={sealed} pending={pending} />
      )}
    </>
  )
}

/** Where nothing is pending, the values stand once. */
function Variables({
  named,
  sealed,
  pending,
}: {
  named: NamedAccount
  sealed: AccountStorage['sealed']
  pending: AccountStorage['pending']
}) {
  const views = [new Map(sealed.slots), new Map(pending.slots)]
  const differs =
    named.variables.some(({ values }) => values[0] !== values[1]) ||
    named.unnamed.some((slot) => views[0]?.get(slot) !== views[1]?.get(slot))
  const head = (sign: 'sealed' | 'preconfirmed', words: string) => (
    <span className={css('state')}>
      <Glyph sign={sign} /> {words}
    </span>
  )
  const once = { ...named, variables: named.variables.map((each) => ({ ...each, values: each.values.slice(1) })) }
  return (
    <VariableTable
      label={`Variables of ${othersText(named.contract, LONGEST_NAME)}`}
      columns={differs ? [head('sealed', 'Sealed'), head('preconfirmed', 'Pre-confirmed')] : ['Value']}
      named={differs ? named : once}
      views={differs ? views : views.slice(1)}
    />
  )
}

function SlotTable({ slots }: { slots: AccountStorage['pending']['slots'] }) {
  const [shown, setShown] = useState(SHOWN)
  if (slots.length === 0) return null
  return (
    <>
      <Table
        label="Storage slots"
        columns={SLOT_COLUMNS}
        items={slots.slice(0, shown)}
        keyOf={([slot]) => slot}
        rows="compact"
        scrolls
        className="mono"
      />
      <ShowMore left={slots.length - shown} onMore={() => setShown(shown + 4 * SHOWN)} />
    </>
  )
}

const SLOT_COLUMNS: readonly Column<AccountStorage['pending']['slots'][number]>[] = [
  {
    name: 'Slot',
    isRowHead: true,
    className: css('slot'),
    cell: ([slot]) => <span title={slot}>{slotName(slot)}</span>,
  },
  { name: 'Value', cell: ([, word]) => word },
  { name: 'As a number', numeric: true, cell: ([, word]) => numberOf(word) },
]

function standWords(count: number): string {
  if (count === 0) return 'All slots are 0'
  return `${formatCount(count, 'slot')} ${count === 1 ? 'is' : 'are'} not 0`
}

/** Low slots are variables in order; others are hashes, used for mappings, arrays and names. */
const NUMBERED = 100_000n
/** A larger word is hardly a number. */
const READABLE = 10n ** 30n

function slotName(slot: Hash): string {
  return BigInt(slot) < NUMBERED ? String(BigInt(slot)) : slot
}

function numberOf(word: Hash): string {
  return BigInt(word) < READABLE ? formatInteger(BigInt(word)) : '–'
}

function SlotForm({ address }: { address: Address }) {
  const provider = useProvider()
  const [text, setText] = useState('0')
  const [problem, setProblem] = useState<string>()
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: async (slot: bigint) => ({ slot, word: await fetchSlot(provider, address, slot) }),
  })
  function submit(event: FormEvent): void {
    event.preventDefault()
    const parsed = parseSlot(text)
    setProblem(parsed.ok ? undefined : parsed.problem)
    if (parsed.ok) mutate(parsed.slot)
  }
  return (
    <>
      <form className={css('form')} onSubmit={submit} noValidate>
        <TextField
          label="One slot"
          hint="Slot number, or 32 bytes in hex."
          look="mono"
          error={problem}
          value={text}
          onChange={setText}
        />
        <Button type="submit" disabled={isPending}>
          Read
        </Button>
      </form>
      {error && <ErrorNote error={error} />}
      {data && (
        <FieldList>
          <FieldRow name={`Slot ${slotName(toWord(data.slot))}`} raw={data.word} mono>
            {data.word}
          </FieldRow>
        </FieldList>
      )}
    </>
  )
}

export type SlotResult = { readonly ok: true; readonly slot: bigint } | { readonly ok: false; readonly problem: string }

/** Parses a storage slot, decimal or hexadecimal. */
export function parseSlot(text: string): SlotResult {
  const trimmed = text.trim()
  if (!/^(\d+|0x[0-9a-f]+)$/i.test(trimmed)) {
    return { ok: false, problem: 'Not a slot. Enter digits, or 0x and hexadecimal digits.' }
  }
  const slot = BigInt(trimmed)
  return slot < 2n ** 256n ? { ok: true, slot } : { ok: false, problem: 'Slots go from 0 to 2^256 − 1.' }
}
