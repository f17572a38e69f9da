import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { CompiledContract } from '#compiler/messages.ts'
import { SenderField } from '#ui/chain/SenderField.tsx'
import { Button } from '#ui/components/Button.tsx'
import { Field, fieldClass } from '#ui/components/form/Field.tsx'
import { TextField } from '#ui/components/form/TextField.tsx'
import { Panel } from '#ui/components/layout/Panel.tsx'
import { formatInteger } from '#ui/format/numbers.ts'
import { TEST_KEYS } from '#ui/own/test-keys.ts'
import { useCapabilities, useProvider } from '#ui/page/session.ts'
import { ArgumentFields } from '#ui/screens/contracts/call/ArgumentFields.tsx'
import { CallFailure } from '#ui/screens/contracts/call/CallFailure.tsx'
import { useCallForm } from '#ui/screens/contracts/call/use-call-form.ts'
import { exampleOf } from '#ui/screens/contracts/source/examples.ts'
import { type Compilation, useWorkbench } from '#ui/screens/contracts/source/workbench.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { DeploymentView } from './DeploymentView.tsx'
import styles from './DeployPanel.module.css'
import { type Deployable, deploy } from './deploy.ts'

const css = classNames(styles)

/** Deploys a compiled contract. */
export function DeployPanel() {
  const compilation = useWorkbench((workbench) => workbench.compilation)
  const { accounts } = useCapabilities()
  return (
    <Panel title="2. Deploy">
      <div className={css('body')}>
        <p className="note">
          Deploying sends a transaction that puts the compiled contract on the chain. The contract then has an address,
          where anyone can use it and nobody can change its code.
        </p>
        {accounts.length === 0 ? (
          <p>This endpoint has no development accounts, so this page has no keys to sign with.</p>
        ) : compilation && compilation.output.contracts.length > 0 ? (
          <Choice key={compilation.output.contracts.map(({ name }) => name).join()} compilation={compilation} />
        ) : (
          <p>{compilation ? 'There is nothing to deploy: the source has errors.' : 'Compile the source first.'}</p>
        )}
        <DeploymentView />
      </div>
    </Panel>
  )
}

function isDeployable(contract: CompiledContract): contract is Deployable {
  return contract.bytecode !== undefined
}

function Choice({ compilation: { draft, output } }: { compilation: Compilation }) {
  const deployable = output.contracts.filter(isDeployable)
  // The last contract is usually the main one.
  const [name, setName] = useState(deployable.at(-1)?.name)
  const isStale = useWorkbench((workbench) => workbench.draft.source !== draft.source)
  const contract = deployable.find((each) => each.name === name) ?? deployable.at(-1)
  const others = output.contracts.filter((each) => !isDeployable(each))
  return (
    <>
      {isStale && <p className="note">The source has changed. Compile it again to deploy the new version.</p>}
      {deployable.length > 1 && (
        <Field label="Contract">
          {(props) => (
            <select
              {...props}
              className={fieldClass}
              value={contract?.name}
              onChange={(event) => setName(event.target.value)}
            >
              {deployable.map((each) => (
                <option key={each.name}>{each.name}</option>
              ))}
            </select>
          )}
        </Field>
      )}
      {others.length > 0 && (
        <ul className="note">
          {others.map(({ name: other, obstacle }) => (
            <li key={other}>
              {other} cannot be deployed:{' '}
              {obstacle === 'unlinked' ? 'it needs the address of a library.' : 'some of its functions have no code.'}
            </li>
          ))}
        </ul>
      )}
      {contract && (
        <DeployForm
          key={`${contract.name} ${JSON.stringify(constructorOf(contract).inputs)}`}
          contract={contract}
          source={draft.source}
        />
      )}
    </>
  )
}

/** The constructor's ABI; a contract without one has an empty one. */
function constructorOf({ abi }: CompiledContract) {
  return abi.find((item) => item.type === 'constructor') ?? { inputs: [], stateMutability: 'nonpayable' }
}

function DeployForm({ contract, source }: { contract: Deployable; source: string }) {
  const provider = useProvider()
  const { inputs, stateMutability } = constructorOf(contract)
  const { mutate, error, isPending, reset } = useMutation({
    mutationFn: deploy.bind(undefined, provider),
  })
  const payable = stateMutability === 'payable'
  const form = useCallForm(
    inputs,
    payable,
    (values) => mutate({ contract, source, values }),
    exampleOf(source)?.constructorArgs,
  )
  return (
    <form className={css('form')} onSubmit={form.submit} onChange={() => error && reset()} noValidate>
      <p>
        <span className={css('name')}>{contract.name}</span>
        <span className="muted"> · {formatInteger(contract.codeBytes)} bytes of code</span>
      </p>
      <ArgumentFields parameters={inputs} texts={form.texts} errors={form.argumentErrors} onChange={form.setTexts} />
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
      <SenderField hint={TEST_KEYS} />
      {error && <CallFailure error={error} address={null} />}
      <div>
        <Button type="submit" look="primary" disabled={isPending}>
          {isPending ? 'Deploying …' : `Deploy ${contract.name}`}
        </Button>
      </div>
    </form>
  )
}
