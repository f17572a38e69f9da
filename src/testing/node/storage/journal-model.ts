import fc from 'fast-check'
import { expect } from 'vitest'
import {
  type Durability,
  JOURNAL_PARTS,
  type Journal,
  type JournalChange,
  type JournalPart,
} from '#node/storage/journal.ts'

/** The operations of a property test on a journal. */
export type JournalCommand =
  | { readonly kind: 'write'; readonly changes: readonly JournalChange[]; readonly durability: Durability }
  /** Waits for all writes started so far. */
  | { readonly kind: 'settle' }
  /** Closes it first, or takes it over if possible. */
  | { readonly kind: 'reopen'; readonly close: boolean }
  | { readonly kind: 'compare'; readonly part: JournalPart }

/** Only a few parts and keys, so that entries are often replaced and deleted. */
const part = fc.constantFrom(...JOURNAL_PARTS.slice(0, 3))
const key = fc.oneof(
  fc.constantFrom('', 'a', 'b', 'B', 'é', '\u{1F600}', '\uFFFF', '\uDC00'),
  fc.string({ maxLength: 3 }),
)
const value = fc.uint8Array({ maxLength: 200 })
const change: fc.Arbitrary<JournalChange> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('put' as const), part, key, value }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('delete' as const), part, key }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('clear' as const), part }) },
)

/** Overlapping writes, with pauses, comparisons and reopenings between them. */
export function journalCommands(): fc.Arbitrary<readonly JournalCommand[]> {
  const command: fc.Arbitrary<JournalCommand> = fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        kind: fc.constant('write' as const),
        changes: fc.array(change, { maxLength: 6 }),
        durability: fc.constantFrom('relaxed' as const, 'strict' as const),
      }),
    },
    { weight: 1, arbitrary: fc.constant({ kind: 'settle' as const }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('reopen' as const), close: fc.boolean() }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('compare' as const), part }) },
  )
  return fc.array(command, { maxLength: 40 })
}

/** Runs the commands on a journal and on a map, which must agree. */
export async function runAgainstModel(
  host: { open(): Promise<Journal> },
  secondOwner: 'takes-over' | 'is-refused',
  commands: readonly JournalCommand[],
): Promise<void> {
  const model = new Map(JOURNAL_PARTS.map((name) => [name, new Map<string, Uint8Array>()]))
  let journal = await host.open()
  let begun: Promise<void>[] = []
  const settle = async () => {
    await Promise.all(begun)
    begun = []
  }
  const compare = async (name: JournalPart) => {
    const expected = [...(model.get(name) ?? [])].sort(([a], [b]) => (a < b ? -1 : 1))
    expect(await journal.readAll(name)).toEqual(expected)
  }
  for (const command of commands) {
    switch (command.kind) {
      case 'write':
        begun.push(journal.write(command.changes, command.durability))
        for (const made of command.changes) apply(model, made)
        break
      case 'settle':
        await settle()
        break
      case 'compare':
        await compare(command.part)
        break
      case 'reopen':
        if (command.close || secondOwner === 'is-refused') await journal.close()
        await settle()
        journal = await host.open()
    }
  }
  await settle()
  for (const name of JOURNAL_PARTS) await compare(name)
  await journal.close()
}

function apply(model: ReadonlyMap<JournalPart, Map<string, Uint8Array>>, made: JournalChange): void {
  const rows = model.get(made.part)
  switch (made.kind) {
    case 'put':
      rows?.set(made.key, made.value)
      return
    case 'delete':
      rows?.delete(made.key)
      return
    case 'clear':
      rows?.clear()
  }
}
