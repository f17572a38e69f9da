import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { chainKeyOf } from '#client/session/chain-key.ts'
import type { CompiledContract } from '#compiler/messages.ts'
import type { PackedBuild } from '#solidity/worker/pack-build.ts'
import { SenderField } from '#ui/chain/SenderField.tsx'
import { Button } from '#ui/components/Button.tsx'
import { Explained } from '#ui/components/Explained.tsx'
import { SelectField } from '#ui/components/form/SelectField.tsx'
import { TextField } from '#ui/components/form/TextField.tsx'
import { Panel } from '#ui/components/layout/Panel.tsx'
import { formatInteger } from '#ui/format/numbers.ts'
import { useCapabilities, useProvider, useSession } from '#ui/page/session.ts'
import { ArgumentFields } from '#ui/screens/contracts/call/ArgumentFields.tsx'
import { CallFailure } from '#ui/screens/contracts/call/CallFailure.tsx'
import { type FormValues, useCallForm } from '#ui/screens/contracts/call/use-call-form.ts'
import { exampleOf } from '#ui/screens/contracts/project/examples.ts'
import { keepBuild } from '#ui/screens/contracts/project/keep-build.ts'
import type { Project } from '#ui/screens/contracts/project/project.ts'
import { isCompiled, useWorkbench, type WorkbenchCompilation } from '#ui/screens/contracts/project/workbench.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { DeploymentView } from './DeploymentView.tsx'
import styles from './DeployPanel.module.css'
import { deploy } from './deploy.ts'
import { type Deployable, isDeployable, keyOf, nameAmong } from './link-libraries.ts'
import { useLibraries } from './use-libraries.ts'

const css = classNames(styles)

/**
 * Deploys a compiled contract.
 *
 * @param explains - Whether explanations are open.
 */
export function DeployPanel({ explains }: { explains: boolean }) {
  const compilation = useWorkbench((workbench) => workbench.compilation)
  const { accounts } = useCapabilities()
  return (
    <Panel title="Deploy">
      <div className={css('body')}>
        {explains && <AboutDeploying open />}
        {accounts.length === 0 ? (
          <p>This endpoint has no development accounts, so this page has no keys to sign with.</p>
        ) : compilation && compilation.output.contracts.length > 0 ? (
          <Choice key={compilation.output.contracts.map(keyOf).join()} compilation={compilation} />
        ) : (
          <p>{compilation ? 'There is nothing to deploy: the source has errors.' : 'Compile the source first.'}</p>
        )}
        <DeploymentView full={explains} />
      </div>
    </Panel>
  )
}

/** What a contract is, for beginners. */
export function AboutDeploying({ open }: { open: boolean }) {
  return (
    <Explained open={open} title="About contracts and deploying">
      A contract is a program on the chain that can hold ETH. Deploying sends a transaction that puts the compiled
      contract there. It then has an address, where anyone can use it and nobody can change its code.
    </Explained>
  )
}

function Choice({ compilation: { project, output } }: { compilation: WorkbenchCompilation }) {
  const deployable = output.contracts.filter(isDeployable)
  const own = deployable.filter(({ isOwn }) => isOwn)
  // The last contract of the file in the editor is usually the main one.
  const main = own.findLast(({ file }) => file === project.current) ?? own.at(-1) ?? deployable.at(-1)
  const [chosen, setChosen] = useState<string>()
  const isStale = useWorkbench((workbench) => !isCompiled(workbench))
  const contract = deployable.find((each) => keyOf(each) === chosen) ?? main
  const others = output.contracts.filter((each) => each.isOwn && !isDeployable(each))
  return (
    <>
      {isStale && <p className="note">The source has changed. Compile it again to deploy the new version.</p>}
      {deployable.length > 1 && (
        <SelectField label="Contract" value={contract && keyOf(contract)} onChange={setChosen}>
          <Options contracts={own} />
          {deployable.length > own.length && (
            <optgroup label="Imported">
              <Options contracts={deployable.filter(({ isOwn }) => !isOwn)} />
            </optgroup>
          )}
        </SelectField>
      )}
      {others.length > 0 && (
        <ul className="note">
          {others.map((each) => (
            <li key={keyOf(each)}>{each.name} cannot be deployed: some of its functions have no code.</li>
          ))}
        </ul>
      )}
      {contract && (
        <DeployForm
          key={`${keyOf(contract)} ${JSON.stringify(constructorOf(contract).inputs)}`}
          contract={contract}
          contracts={output.contracts}
          project={project}
          build={output.build}
        />
      )}
    </>
  )
}

function Options({ contracts }: { contracts: readonly CompiledContract[] }) {
  return contracts.map((each) => (
    <option key={keyOf(each)} value={keyOf(each)}>
      {nameAmong(each, contracts)}
    </option>
  ))
}

/** The constructor's ABI; a contract without one has an empty one. */
function constructorOf({ abi }: CompiledContract) {
  return abi.find((item) => item.type === 'constructor') ?? { inputs: [], stateMutability: 'nonpayable' }
}

function DeployForm({
  contract,
  contracts,
  project,
  build,
}: {
  contract: Deployable
  /** All contracts of the compilation. */
  contracts: readonly CompiledContract[]
  project: Project
  build: PackedBuild | undefined
}) {
  const provider = useProvider()
  const chain = chainKeyOf(useSession())
  const { inputs, stateMutability } = constructorOf(contract)
  const libraries = useLibraries(contract, contracts, project.files)
  const stop = useRef(new AbortController())
  const { mutate, error, isPending, reset } = useMutation({
    mutationFn: async (values: FormValues) => {
      stop.current = new AbortController()
      const links = await libraries.link(provider, stop.current.signal)
      await deploy(provider, { contract, source: project.files[contract.file], values, links })
      if (build) void keepBuild(chain, build, true)
    },
  })
  const payable = stateMutability === 'payable'
  const onSubmit = (values: FormValues) => {
    if (libraries.problems.size === 0) mutate(values)
  }
  const form = useCallForm(inputs, payable, onSubmit, exampleOf(project)?.constructorArgs?.get(contract.name))
  return (
    <form
      className={css('form')}
      onSubmit={(event) => {
        // Before the form looks for the first field with an error.
        flushSync(() => libraries.setChecked(true))
        form.submit(event)
      }}
      onChange={() => error && reset()}
      noValidate
    >
      <p>
        <span className={css('name')}>{contract.name}</span>
        <span className="muted"> · {formatInteger(contract.codeBytes)} bytes of code</span>
      </p>
      <ArgumentFields parameters={inputs} texts={form.texts} errors={form.argumentErrors} onChange={form.setTexts} />
      {libraries.needed.map(({ key, name, file, contract: library }) => (
        <TextField
          key={key}
          label={`Library ${name}: its address`}
          look="mono"
          hint={library ? `From ${file}. Leave it empty to deploy the library first.` : `From ${file}.`}
          error={libraries.checked ? libraries.problems.get(key) : undefined}
          value={libraries.textOf(key)}
          onChange={(text) => libraries.setText(key, text)}
        />
      ))}
      {payable && (
        <TextField
          label="Amount in ETH"
          look="number"
          hint="Sent to the new contract."
          error={form.amountError}
          value={form.amount}
          onChange={form.setAmount}
        />
      )}
      {error && <CallFailure error={error} address={null} />}
      <div className={css('send')}>
        <div className={css('sender')}>
          <SenderField checked={error !== null} />
        </div>
        <Button type="submit" look="primary" disabled={isPending}>
          {isPending ? 'Deploying…' : `Deploy ${contract.name}`}
        </Button>
        {libraries.progress && (
          <>
            <Button onClick={() => stop.current.abort()}>Cancel</Button>
            <span role="status">
              Library {libraries.progress.nth} of {libraries.progress.count}: {libraries.progress.name} was sent, and
              waits for a block.
            </span>
          </>
        )}
      </div>
    </form>
  )
}
