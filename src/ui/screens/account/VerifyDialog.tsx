import { useMutation } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { chainKeyOf } from '#client/session/chain-key.ts'
import { CompilerError, SHIPPED_VERSION, solidityCompiler } from '#client/solidity-compiler.ts'
import type { Match } from '#compiler/messages.ts'
import type { Address, Hex } from '#primitives/hex.ts'
import { Button } from '#ui/components/Button.tsx'
import { Dialog } from '#ui/components/dialog/Dialog.tsx'
import { ErrorNote, FailureNote } from '#ui/components/ErrorNote.tsx'
import { LONGEST_NAME, othersText } from '#ui/format/contract-text.ts'
import { formatCount } from '#ui/format/numbers.ts'
import { useSession } from '#ui/page/session.ts'
import { FileField } from '#ui/screens/contracts/files/FileField.tsx'
import { useFileDrop } from '#ui/screens/contracts/files/use-file-drop.ts'
import { CompilerDownload, explainCompilerFailure } from '#ui/screens/contracts/source/CompilerDownload.tsx'
import { Problems } from '#ui/screens/contracts/source/Problems.tsx'
import { SettingsFields } from '#ui/screens/contracts/source/SettingsFields.tsx'
import { classNames } from '#ui/styles/class-names.ts'
import { claimOf, type GivenContract, isCompilable } from './sourcify.ts'
import styles from './VerifyDialog.module.css'
import {
  type ChosenSources,
  chosenSources,
  droppedSources,
  type FoundMatch,
  verifyBySources,
  WHAT_TO_CHOOSE,
} from './verify-sources.ts'

const css = classNames(styles)

/**
 * Finds the contract that some code belongs to by compiling sources that a person chooses.
 *
 * @param onFound - Called before the page looks for the source again.
 */
export function VerifyDialog({
  address,
  code,
  onFound,
  onClose,
}: {
  address: Address
  code: Hex
  onFound: (found: FoundMatch | GivenContract) => void
  onClose: () => void
}) {
  const chain = chainKeyOf(useSession())
  const [sources, setSources] = useState<ChosenSources>()
  const compiling = useMutation({
    mutationFn: (chosen: ChosenSources) => verifyBySources(chain, chosen, code, onFound),
  })
  const stop = () => {
    if (compiling.isPending) solidityCompiler.cancel()
  }
  const choosing = useMutation({
    mutationFn: (find: () => Promise<ChosenSources>) => find(),
    onMutate: () => {
      stop()
      compiling.reset()
      setSources(undefined)
    },
    onSuccess: setSources,
  })
  const drop = useFileDrop((dropped) => choosing.mutate(() => droppedSources(dropped, address)))
  const { match, isKept } = compiling.data ?? {}
  const isCancelled = compiling.error instanceof CompilerError && compiling.error.code === 'cancelled'
  const isClaim = sources?.kind === 'metadata' && !isCompilable(sources)
  // What cannot be compiled is kept as it was given.
  const isFound = compiling.isSuccess && (!match || match.outcome === 'found')
  const close = () => {
    stop()
    onClose()
  }
  useEffect(() => {
    // The source tab then shows the source, and that it is verified.
    if (isFound && isKept) onClose()
  }, [isFound, isKept, onClose])
  return (
    <Dialog
      title="Verify with its sources"
      onDismiss={close}
      actions={
        <>
          {compiling.isPending && <Button onClick={stop}>Cancel</Button>}
          <Button onClick={close}>Close</Button>
          {sources && (
            <Button look="primary" disabled={compiling.isPending} onClick={() => compiling.mutate(sources)}>
              {isClaim ? 'Use it unverified' : 'Compile and compare'}
            </Button>
          )}
        </>
      }
    >
      <div className={css('body', drop.isOver && 'over')} {...drop.handlers}>
        <p>
          The page compiles the sources in this browser and looks for the contract with this code. Choose them, or drop
          them here; also what Sourcify has of the contract.
        </p>
        <FileField
          label="The project’s folder, with its libraries in lib"
          folder
          onChoose={(files) => choosing.mutate(() => chosenSources(files, address))}
        />
        <FileField
          label="Or a zip file of it, the compiler’s standard JSON input, or a JSON file of Sourcify"
          accept=".zip,.json,.sol"
          onChoose={(files) => choosing.mutate(() => chosenSources(files, address))}
        />
        {choosing.isPending && <p role="status">Reading the files…</p>}
        {choosing.error && <ErrorNote error={choosing.error} />}
        {sources && <Chosen key={choosing.submittedAt} sources={sources} code={code} onChange={setSources} />}
        {!compiling.isIdle && (
          <div key={compiling.status} ref={bringIntoSight}>
            {compiling.isPending && <Progress />}
            {isCancelled && <p role="status">Cancelled.</p>}
            {compiling.error && !isCancelled && <Failure error={compiling.error} />}
            {isFound && !match && !isKept && <p role="status">The page has no room to keep the sources.</p>}
            {match && <Outcome match={match} sources={compiling.variables?.kind} length={code.length / 2 - 1} />}
          </div>
        )}
      </div>
    </Dialog>
  )
}

/** On a small screen the settings fill the dialog, and the outcome comes after them. */
function bringIntoSight(outcome: Element | null): void {
  outcome?.scrollIntoView({ block: 'nearest' })
}

/** What will be compiled, and how. */
function Chosen({
  sources,
  code,
  onChange,
}: {
  sources: ChosenSources
  code: Hex
  onChange: (sources: ChosenSources) => void
}) {
  if (sources.kind === 'metadata') return <Given contract={sources} code={code} />
  if (sources.kind === 'standard JSON') {
    return <p role="status">Chosen: standard JSON input, with its own settings.</p>
  }
  const { files, remappings, settings } = sources
  const rules = remappings.split('\n').filter((line) => line.includes('=')).length
  return (
    <>
      <p role="status">
        Chosen: {formatCount(Object.keys(files).length, 'Solidity file')}
        {rules > 0 && ` and ${formatCount(rules, 'remapping')}`}. Use the settings of the contract:
      </p>
      <div className={css('settings')}>
        <SettingsFields
          settings={settings}
          onChange={(change) => onChange({ ...sources, settings: { ...settings, ...change } })}
        />
      </div>
    </>
  )
}

/** What Sourcify says of the contract, and how far that can be checked. */
function Given({ contract, code }: { contract: GivenContract; code: Hex }) {
  const { metadata, sources } = contract
  const { name, compiler } = metadata
  const missing = metadata.sources.length - sources.size
  return (
    <>
      <p role="status">
        Chosen: {othersText(name, LONGEST_NAME)}, compiled by {compilerName(metadata)}{' '}
        {othersText(compiler, LONGEST_NAME)}, with {formatCount(sources.size, 'source')}
        {missing > 0 && `; ${formatCount(missing, 'source')} missing`}.
      </p>
      {!isCompilable(contract) && (
        <p>
          {missing > 0
            ? 'Choose the folder that has them, too.'
            : `The page cannot compile it: it has solc ${SHIPPED_VERSION}.`}{' '}
          {claimOf(contract, code) === 'by hash'
            ? 'The code names these sources by a hash.'
            : 'Nothing ties the code to these sources.'}{' '}
          They are not verified.
        </p>
      )}
    </>
  )
}

function compilerName({ language }: GivenContract['metadata']): string {
  return language === 'Vyper' ? 'Vyper' : 'solc'
}

function Progress() {
  const state = useSyncExternalStore(solidityCompiler.state.subscribe, solidityCompiler.state.get)
  if (state.status === 'loading') return <CompilerDownload state={state} />
  return <p role="status">{state.status === 'starting' ? 'Starting the compiler…' : 'Compiling…'}</p>
}

function Failure({ error }: { error: Error }) {
  if (!(error instanceof CompilerError)) return <ErrorNote error={error} />
  return (
    <div role="alert">
      <FailureNote {...explainCompilerFailure(error)} />
    </div>
  )
}

/** @param length - Bytes of the deployed code. */
function Outcome({
  match,
  sources,
  length,
}: {
  match: Match
  sources: ChosenSources['kind'] | undefined
  length: number
}) {
  switch (match.outcome) {
    case 'found':
      return (
        <p role="status">
          ✓ Verified: it is {othersText(match.name, LONGEST_NAME)} in {othersText(match.path)}. The page has no room to
          keep the source, so the source tab cannot show it.
        </p>
      )
    case 'none':
      return (
        <div role="alert">
          <FailureNote {...explainMismatch(match, length)} />
        </div>
      )
    case 'errors':
      return (
        <div role="alert">
          <p>These sources do not compile:</p>
          <Problems diagnostics={match.diagnostics} />
        </div>
      )
    case 'unreadable':
      return (
        <div role="alert">
          <FailureNote
            what={`This cannot be compiled: ${othersText(match.reason)}.`}
            why={
              sources === 'project'
                ? WHAT_TO_CHOOSE
                : 'Standard JSON input has the text of each source. Foundry prints it: forge verify-contract --show-standard-json-input; Hardhat writes it into artifacts/build-info.'
            }
          />
        </div>
      )
  }
}

function explainMismatch({ compiledBy, here, closest }: Extract<Match, { outcome: 'none' }>, length: number) {
  const what = 'None of these contracts has this code.'
  if (compiledBy !== undefined && !here.startsWith(`${compiledBy}+`)) {
    return {
      what,
      why: `Its metadata names solc ${compiledBy}, and this page has solc ${here}. Another compiler version gives other bytecode. Add its artifacts on Contracts to see its source.`,
    }
  }
  const nearest = closest
    ? `The closest is ${othersText(closest.name, LONGEST_NAME)} in ${othersText(closest.path)} with ${formatCount(closest.bytes, 'byte')}; ${formatCount(length, 'byte')} are deployed. ${closest.hasSameFunctions ? 'It has the same functions, so try other settings: the optimizer, its runs, the EVM version, via Yul. ' : ''}`
    : ''
  return {
    what,
    why: `${nearest}If it is the right contract, check the settings and the versions of its libraries. Standard JSON input has both.`,
  }
}
