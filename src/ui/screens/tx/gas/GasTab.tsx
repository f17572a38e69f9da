import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { Hash } from '#primitives/hex.ts'
import type { RpcReceipt } from '#rpc-types/objects.ts'
import { Glyph } from '#ui/chain/Glyph.tsx'
import { AppLink } from '#ui/components/AppLink.tsx'
import { Button } from '#ui/components/Button.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { ShowMore } from '#ui/components/ShowMore.tsx'
import { type Column, Table } from '#ui/components/Table.tsx'
import { Term } from '#ui/components/Term.tsx'
import type { Contracts } from '#ui/decode/knowledge.ts'
import { flameTree } from '#ui/execution/flame-tree.ts'
import { frameWords } from '#ui/execution/frame-words.ts'
import { type GasNode, type GasTree, gasTree, isFailed } from '#ui/execution/gas-tree.ts'
import type { Run } from '#ui/execution/run.ts'
import { othersText } from '#ui/format/contract-text.ts'
import { shortHex } from '#ui/format/hex.ts'
import { formatInteger, formatPercent } from '#ui/format/numbers.ts'
import { useCapabilities, useProvider } from '#ui/page/session.ts'
import { runQuery, versionOf } from '#ui/queries/executions.ts'
import { useStepSources } from '#ui/queries/step-sources.ts'
import { useContracts } from '#ui/queries/use-contracts.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { FlameGraph } from './FlameGraph.tsx'
import styles from './GasTab.module.css'
import { SourceGas } from './SourceGas.tsx'

const css = classNames(styles)

/** Rows of the table that are drawn at first. */
const SHOWN = 50

/**
 * What a transaction's gas was used for: by call, by function and by line.
 *
 * @param runsCode - Otherwise there are no functions and lines.
 */
export function GasTab({ hash, receipt, runsCode }: { hash: Hash; receipt: RpcReceipt; runsCode: boolean }) {
  const { devnet } = useCapabilities()
  const { data: run, error } = useQuery({
    ...runQuery(useProvider(), { kind: 'transaction', hash }, versionOf(receipt)),
    enabled: devnet,
  })
  if (!devnet) return <p className="empty">This endpoint cannot tell where the gas went.</p>
  if (error) return <ErrorNote error={error} />
  if (!run) return <p className="empty">Running it once more to see where its gas went…</p>
  return <Gas hash={hash} run={run} version={versionOf(receipt)} runsCode={runsCode} />
}

function Gas({ hash, run, version, runsCode }: { hash: Hash; run: Run; version: string; runsCode: boolean }) {
  const contracts = useContracts()
  const tree = useMemo(() => gasTree(run), [run])
  const looked = useStepSources(run, { kind: 'transaction', hash }, version)
  const flames = useMemo(() => (looked.data ? flameTree(looked.data.gas.flame) : tree.top), [looked.data, tree])
  const [chosen, setChosen] = useState<GasNode>()
  const nameOf = (node: GasNode) => nodeWords(contracts, node)
  return (
    <div className={css('gas')}>
      <Sum tree={tree} />
      <div>
        <FlameGraph top={chosen ?? flames} nameOf={nameOf} onChoose={setChosen} />
        <p className={css('hint')}>
          <span className="note">Each box is as wide as the gas it used; below it is what it called.</span>
          {chosen && chosen !== flames && (
            <Button size="small" onClick={() => setChosen(undefined)}>
              Show the whole transaction
            </Button>
          )}
        </p>
      </div>
      <CallTable hash={hash} tree={tree} nameOf={nameOf} />
      {looked.error && <ErrorNote error={looked.error} />}
      {!runsCode ? (
        <p className="note">A plain transfer runs no code.</p>
      ) : looked.data && looked.data.gas.lines.length > 0 ? (
        <SourceGas looked={looked.data} />
      ) : (
        looked.data && (
          <p className="note">
            The page has no source for this code. Compile it on the Contracts screen, or add its artifacts there, to see
            the gas of its functions and lines here.
          </p>
        )
      )}
    </div>
  )
}

/** The parts that add up to the receipt's gas. */
function Sum({ tree: { top, refund, used } }: { tree: GasTree }) {
  return (
    <p className={css('sum')}>
      <strong>{formatInteger(used)} gas</strong>
      {' = '}
      {top.children.map(({ kind, gas }, i) => (
        <span key={kind}>
          {i > 0 && ' + '}
          {formatInteger(gas)} {kind === 'call' ? 'execution' : PAID[kind === 'floor' ? 'floor' : 'intrinsic']}
        </span>
      ))}
      {refund > 0 && ` − ${formatInteger(refund)} refund`}
      <span className="muted">
        {' '}
        <Term of="gas">gas</Term> (matches the receipt)
      </span>
    </p>
  )
}

const PAID = {
  intrinsic: 'intrinsic',
  floor: 'extra, because its input costs more than its execution',
} as const

function nodeWords(contracts: Contracts, { kind, frame, name }: GasNode): string {
  if (name !== undefined) return name
  switch (kind) {
    case 'transaction':
      return 'the transaction'
    case 'intrinsic':
    case 'floor':
      return PAID[kind]
    case 'call':
    case 'function':
      return frame
        ? `${contracts.get(frame.codeAddress)?.name ?? shortHex(frame.to)}.${frameWords(contracts, frame)}`
        : ''
  }
}

interface Row {
  readonly node: GasNode
  readonly depth: number
}

function rowsOf(top: GasNode): readonly Row[] {
  const rows: Row[] = []
  const waiting: Row[] = [{ node: top, depth: 0 }]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    rows.push(next)
    for (const node of next.node.children.toReversed()) waiting.push({ node, depth: next.depth + 1 })
  }
  return rows
}

/** Deepest indentation of a row. */
const DEEPEST = 12

function columnsOf(hash: Hash, tree: GasTree, nameOf: (node: GasNode) => string): readonly Column<Row>[] {
  return [
    {
      name: 'Call',
      isRowHead: true,
      cell: ({ node, depth }) => (
        <span style={{ paddingLeft: `${Math.min(depth, DEEPEST) * 16}px` }} className={css('name')}>
          {node.frame && <span className={css('type')}>{node.frame.type}</span>}
          <span>{nameOf(node)}</span>
          {isFailed(node) && (
            <span className={css('failed')}>
              <Glyph sign="reverted" size={10} /> {othersText(node.frame?.error ?? '')}
            </span>
          )}
        </span>
      ),
    },
    { name: 'Total', numeric: true, cell: ({ node }) => formatInteger(node.gas) },
    { name: 'Self', numeric: true, cell: ({ node }) => formatInteger(node.own) },
    { name: 'Share', numeric: true, cell: ({ node }) => formatPercent(BigInt(node.gas), BigInt(tree.top.gas)) },
    {
      name: 'Debugger',
      head: <span className="visually-hidden">Debugger</span>,
      cell: ({ node }) =>
        node.frame &&
        node.frame.endStep > node.frame.firstStep && (
          <AppLink
            to={`/tx/${hash}/debug?step=${node.frame.firstStep}`}
            aria-label={`Debug ${nameOf(node)} from its start`}
          >
            debug
          </AppLink>
        ),
    },
  ]
}

function CallTable({ hash, tree, nameOf }: { hash: Hash; tree: GasTree; nameOf: (node: GasNode) => string }) {
  const [shown, setShown] = useState(SHOWN)
  const rows = useMemo(() => rowsOf(tree.top), [tree])
  const columns = columnsOf(hash, tree, nameOf)
  return (
    <>
      <Table
        label="Gas by call"
        columns={columns}
        items={rows.slice(0, shown)}
        // A call may come twice: its place is the key.
        keyOf={(_row, place) => place}
        rows="dense"
        scrolls
        className={css('table')}
      />
      <ShowMore left={rows.length - shown} onMore={() => setShown(shown + 8 * SHOWN)} />
    </>
  )
}
