import { useQuery } from '@tanstack/react-query'
import { lazy, useCallback, useMemo, useState, useSyncExternalStore } from 'react'
import type { Abi } from 'viem'
import { CompilerError, isShipped, SHIPPED_VERSION, solidityCompiler } from '#client/solidity-compiler.ts'
import type { Verification } from '#compiler/messages.ts'
import type { Address as AddressHex, Hex } from '#primitives/hex.ts'
import type { BuildSettings } from '#solidity/build/build.ts'
import type { RecognisedContract } from '#solidity/worker/messages.ts'
import { Address } from '#ui/chain/Address.tsx'
import { FileField, SourceView } from '#ui/chain/source/SourceView.tsx'
import { AppLink } from '#ui/components/AppLink.tsx'
import { Button } from '#ui/components/Button.tsx'
import { LazyDialog } from '#ui/components/dialog/LazyDialog.tsx'
import { ErrorNote, FailureNote } from '#ui/components/ErrorNote.tsx'
import { rememberContract, useKnownContract } from '#ui/decode/known-contracts.ts'
import { LONGEST_NAME, othersText } from '#ui/format/contract-text.ts'
import { formatCount } from '#ui/format/numbers.ts'
import { useCapabilities, useProvider, useSession } from '#ui/page/session.ts'
import { codeQuery } from '#ui/queries/accounts.ts'
import { useContractSource } from '#ui/queries/contract-source.ts'
import { useKnownBuilds } from '#ui/queries/known-builds.ts'
import { contractsBehind } from '#ui/queries/proxies.ts'
import { useContractAt } from '#ui/queries/use-contracts.ts'
import { useProxy } from '#ui/screens/contracts/call/use-proxy.ts'
import { CompilerDownload, explainCompilerFailure } from '#ui/screens/contracts/source/CompilerDownload.tsx'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Source.module.css'
import { useVersion } from './use-version.ts'
import { remember, useVerifications, verificationKey, verify } from './verifications.ts'

const css = classNames(styles)

const VerifyDialog = lazy(async () => ({ default: (await import('./VerifyDialog.tsx')).VerifyDialog }))

/** The sources of a contract, from a build that the page keeps or the node knows, and whether they give its code. */
export function Source({ address }: { address: AddressHex }) {
  const { data: code, error } = useQuery(codeQuery(useProvider(), address, useVersion()))
  if (error) return <ErrorNote error={error} />
  if (code === undefined) return <p className="empty">Loading the code…</p>
  if (code === '0x') return <p className="empty">There is no contract at this address.</p>
  return (
    <>
      <Behind address={address} />
      <Recognised address={address} code={code} />
    </>
  )
}

/** Most facets that are listed. */
const FACETS_SHOWN = 12

/** For a proxy, a link to the source of its implementation. */
function Behind({ address }: { address: AddressHex }) {
  const proxy = useProxy(address)
  if (!proxy) return null
  if (proxy.kind === 'diamond') {
    return (
      <p className={css('line')}>
        <span>This is a diamond. It runs the code of</span>
        {contractsBehind(proxy)
          .slice(0, FACETS_SHOWN)
          .map((facet) => (
            <Address key={facet} address={facet} />
          ))}
      </p>
    )
  }
  return (
    <p className={css('line')}>
      <span>This is a proxy. It runs the code of</span>
      <Address address={proxy.implementation} />
      <AppLink to={`/address/${proxy.implementation}/source`}>Show that source</AppLink>
    </p>
  )
}

function Recognised({ address, code }: { address: AddressHex; code: Hex }) {
  const { data: contract, error } = useContractSource(address, code)
  const known = useContractAt(address)
  const { devnet } = useCapabilities()
  const asksServer = useSession().remote !== undefined && devnet
  if (error) return <ErrorNote error={error} />
  if (contract === undefined) {
    return (
      <p role="status" className="empty">
        Looking for its source…
      </p>
    )
  }
  if (contract) return <Sources address={address} contract={contract} code={code} />
  if (known?.source !== undefined) {
    return (
      <>
        <p className="note">
          This is the file from which the page deployed it. The page no longer keeps its build, so it cannot verify the
          code.
        </p>
        <VerifyWithSources address={address} code={code} />
        <SourceView label={`Source of ${known.name}`} content={known.source} />
      </>
    )
  }
  return (
    <>
      <p className="empty">
        {asksServer ? 'Neither the page nor the server has a' : 'The page has no'} source of this code. Compile its
        project on <AppLink to="/contracts">Contracts</AppLink>, or add its artifacts there
        {asksServer && ', or start the server with --artifacts'}, and the page finds it by its bytecode.
      </p>
      <VerifyWithSources address={address} code={code} />
    </>
  )
}

/** Leads to the source if there is a project but no artifacts. */
function VerifyWithSources({ address, code }: { address: AddressHex; code: Hex }) {
  const [isOpen, setIsOpen] = useState(false)
  const remembered = useKnownContract(address)
  const here = useContractAt(address)
  const close = useCallback(() => setIsOpen(false), [])
  return (
    <div className={css('verify')}>
      <Button onClick={() => setIsOpen(true)}>Verify with its sources…</Button>
      {isOpen && (
        <LazyDialog onClose={close}>
          <VerifyDialog
            address={address}
            code={code}
            onFound={(found) => {
              const { name, abi } = 'metadata' in found ? found.metadata : found
              if ('build' in found) {
                const { build, path, verification } = found
                remember(verificationKey({ buildId: build.id, path, name }, code), verification)
              }
              // What a person named stays, unless other code stands here now.
              if (!remembered || here !== remembered) rememberContract(address, { name, abi: abi as Abi })
            }}
            onClose={close}
          />
        </LazyDialog>
      )}
    </div>
  )
}

function Sources({ address, contract, code }: { address: AddressHex; contract: RecognisedContract; code: Hex }) {
  const [shown, setShown] = useState(0)
  const { name, files, compiler, settings } = contract
  const file = files[shown] ?? files[0]
  return (
    <>
      <p className={css('line')}>
        <strong>{othersText(name, LONGEST_NAME)}</strong>
        <span className="muted">
          {contract.language === 'Vyper' ? 'Vyper' : 'solc'} {othersText(compiler, LONGEST_NAME)},{' '}
          {settingsWords(settings)} · {foundWords(contract)}
        </span>
      </p>
      {contract.claimed ? (
        <>
          <p className={css('standing')}>{claimWords(contract)}</p>
          <VerifyWithSources address={address} code={code} />
        </>
      ) : (
        <>
          <Standing contract={contract} code={code} />
          {!contract.isExact && (
            <>
              <p className="note">
                Another contract has the same code, and these are its sources: names and comments may be others here.
                Give this contract’s own to see them.
              </p>
              <VerifyWithSources address={address} code={code} />
            </>
          )}
        </>
      )}
      {file ? (
        <>
          <FileField paths={files.map(({ path }) => path)} shown={shown} onShow={setShown} />
          <SourceView key={file.path} label={`Source ${othersText(file.path)}`} content={file.content} />
          <p className="note">
            {contract.claimed ? 'As given' : 'As compiled'}: {formatCount(files.length, 'file')}.
          </p>
        </>
      ) : (
        <p className="empty">The build has no texts of its sources.</p>
      )}
    </>
  )
}

function foundWords({ isExact, claimed }: RecognisedContract): string {
  if (claimed) return isExact ? 'as it was given' : 'as it was given for code with other metadata'
  return isExact ? 'found by its bytecode' : 'found by its bytecode; its metadata differs'
}

/** What is known of sources that the page could not compile. */
function claimWords({ claimed, isExact, compiler }: RecognisedContract): string {
  const why = isShipped(compiler)
    ? 'as some are missing'
    : `as it has solc ${SHIPPED_VERSION}, and another compiler version gives other bytecode`
  return claimed === 'by hash' && isExact
    ? `Not verified: the code names exactly these sources by the hash of its metadata, but the page cannot recompile them, ${why}.`
    : `Not verified: nothing shows that the code was made of these sources, and the page cannot recompile them, ${why}.`
}

function settingsWords({ optimizer, runs, viaIR, evmVersion, given }: BuildSettings): string {
  const remappings = Array.isArray(given?.['remappings']) ? given['remappings'].length : 0
  return [
    optimizer ? `optimizer for ${formatCount(runs, 'run')}` : 'no optimizer',
    ...(evmVersion === undefined ? [] : [`EVM version ${othersText(evmVersion, LONGEST_NAME)}`]),
    ...(viaIR ? ['via Yul'] : []),
    ...(remappings > 0 ? [formatCount(remappings, 'remapping')] : []),
  ].join(', ')
}

/** What no outcome covers. */
const NOT_COMPARED =
  'The constructor is not compared, as it is not part of the deployed code; nor are the values of immutable variables and the addresses of libraries.'

/** Whether it is verified, and the button to find out. */
function Standing({ contract, code }: { contract: RecognisedContract; code: Hex }) {
  const { read } = useKnownBuilds()
  const key = useMemo(() => verificationKey(contract, code), [contract, code])
  const verified = useVerifications((all) => all.get(key))
  const compiling = useSyncExternalStore(solidityCompiler.state.subscribe, solidityCompiler.state.get)
  const isBusy = compiling.status !== 'off' && compiling.status !== 'idle'
  if (verified && 'cancel' in verified) {
    return (
      <div className={css('standing')}>
        <div className={css('words')}>
          {compiling.status === 'loading' ? (
            <CompilerDownload state={compiling} />
          ) : (
            <p role="status">
              {compiling.status === 'starting' ? 'Starting the compiler…' : 'Recompiling the sources…'}
            </p>
          )}
        </div>
        <Button size="small" onClick={verified.cancel}>
          Cancel
        </Button>
      </div>
    )
  }
  return (
    <div className={css('standing', verified && !(verified instanceof CompilerError) && lookOf(verified))}>
      <div className={css('words')}>
        {verified instanceof CompilerError ? (
          <div role="alert">
            <FailureNote {...explainCompilerFailure(verified)} />
          </div>
        ) : (
          <p role="status">{verified ? wordsFor(verified) : NOT_YET}</p>
        )}
      </div>
      {(!verified || verified instanceof CompilerError) && (
        <Button size="small" disabled={isBusy} onClick={() => void verify(read, contract, code)}>
          Verify
        </Button>
      )}
    </div>
  )
}

const NOT_YET = `Not verified yet: the page recompiles these sources in this browser and compares the result with the deployed code. ${NOT_COMPARED}`

function lookOf({ outcome }: Verification): string | undefined {
  if (outcome === 'same' || outcome === 'same but metadata') return 'verified'
  return outcome === 'different' ? 'different' : undefined
}

/** The outcome in words. */
function wordsFor(verification: Verification): string {
  switch (verification.outcome) {
    case 'same':
      return `✓ Verified: recompiling gives the same deployed code, metadata included. ${NOT_COMPARED}`
    case 'same but metadata':
      return `✓ Verified: recompiling gives the same deployed code but for the metadata, so comments, names or file paths may differ. ${NOT_COMPARED}`
    case 'different':
      return '✕ Not the same: recompiling these sources gives other code than is deployed here.'
    case 'other compiler':
      return `Not verified: these sources were compiled by solc ${othersText(verification.compiler, LONGEST_NAME)}, and this page has solc ${verification.here}. Another compiler version gives other bytecode.`
    case 'unreadable':
      return `Not verified: the build cannot be compiled again: ${othersText(verification.reason)}.`
  }
}
