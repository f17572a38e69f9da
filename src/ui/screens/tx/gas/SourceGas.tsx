import { useMemo, useState } from 'react'
import type { GasFunction, GasLine } from '#solidity/gas/profile-gas.ts'
import type { Looked } from '#solidity/worker/messages.ts'
import { SourceView } from '#ui/chain/source/SourceView.tsx'
import { SelectField } from '#ui/components/form/SelectField.tsx'
import { ShowMore } from '#ui/components/ShowMore.tsx'
import { type Column, Table } from '#ui/components/Table.tsx'
import { functionWords } from '#ui/execution/flame-tree.ts'
import { othersText } from '#ui/format/contract-text.ts'
import { formatInteger, formatPercent } from '#ui/format/numbers.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './GasTab.module.css'

const css = classNames(styles)

/** Functions that are listed at first. */
const SHOWN = 12

/** Gas by function, and by line beside the source. */
export function SourceGas({ looked: { gas, sources } }: { looked: Looked }) {
  return (
    <>
      <Functions functions={gas.functions} used={gas.gasUsed} />
      <Lines lines={gas.lines} files={sources.sources} elsewhere={gas.elsewhere} />
      {gas.isApproximate && (
        <p className="note">
          The optimizer moves and merges code, so a line may be charged for another one that does the same.
        </p>
      )}
    </>
  )
}

function columnsOf(used: number): readonly Column<GasFunction>[] {
  return [
    { name: 'Function', isRowHead: true, cell: ({ name }) => <code>{functionWords(name)}</code> },
    { name: 'Runs', numeric: true, cell: ({ runs }) => formatInteger(runs) },
    { name: 'Total', numeric: true, cell: ({ total }) => formatInteger(total) },
    { name: 'Self', numeric: true, cell: ({ self }) => formatInteger(self) },
    {
      name: 'Share',
      numeric: true,
      cell: ({ total }) => formatPercent(BigInt(Math.max(0, total)), BigInt(Math.max(1, used))),
    },
  ]
}

function Functions({ functions, used }: { functions: readonly GasFunction[]; used: number }) {
  const [shown, setShown] = useState(SHOWN)
  const columns = useMemo(() => columnsOf(used), [used])
  return (
    <>
      <Table
        label="Gas by function"
        columns={columns}
        items={functions.slice(0, shown)}
        keyOf={({ name }) => name}
        rows="dense"
        scrolls
        className={css('functions')}
      />
      <ShowMore left={functions.length - shown} onMore={() => setShown(shown + 8 * SHOWN)} />
    </>
  )
}

function Lines({
  lines,
  files,
  elsewhere,
}: {
  lines: readonly GasLine[]
  files: Looked['sources']['sources']
  elsewhere: number
}) {
  const known = useMemo(
    () =>
      files
        .filter(({ path }) => lines.some(({ file }) => file === path))
        .toSorted((a, b) => sum(lines, b.path) - sum(lines, a.path)),
    [files, lines],
  )
  const [chosen, setChosen] = useState<string>()
  const file = known.find(({ path }) => path === chosen) ?? known[0]
  const byLine = useMemo(
    () => new Map(lines.flatMap((line) => (line.file === file?.path ? [[line.line, line] as const] : []))),
    [lines, file],
  )
  if (!file) return null
  const [dearest] = [...byLine.values()].toSorted((a, b) => b.gas + b.inner - (a.gas + a.inner))
  const most = Math.max(1, dearest ? dearest.gas + dearest.inner : 0)
  return (
    <div className={css('byLine')}>
      <SelectField label="Gas by line" value={file.path} onChange={setChosen}>
        {known.map(({ path }) => (
          <option key={path} value={path}>
            {othersText(path)} · {formatInteger(sum(lines, path))} gas
          </option>
        ))}
      </SelectField>
      <SourceView
        key={file.path}
        label={`Gas by line of ${othersText(file.path)}`}
        content={file.content}
        start={dearest?.line}
        columns="2.75rem 5.75rem"
        marginOf={(line) => {
          const found = byLine.get(line)
          return {
            before: (
              <span
                className={css('heat')}
                title={
                  found &&
                  `${formatInteger(found.hits)} times; calls of other contracts: ${formatInteger(found.inner)} gas`
                }
              >
                {found ? formatInteger(found.gas + found.inner) : ''}
              </span>
            ),
            heat: found ? Math.sqrt((found.gas + found.inner) / most) : 0,
          }
        }}
      />
      <p className="note">
        A line’s gas includes the calls that it makes to other contracts. {formatInteger(elsewhere)} gas belongs to no
        line: finding the function, code without source, storing new code.
      </p>
    </div>
  )
}

function sum(lines: readonly GasLine[], path: string): number {
  return lines.reduce((total, { file, gas }) => total + (file === path ? gas : 0), 0)
}
