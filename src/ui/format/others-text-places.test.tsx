import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { Router } from 'wouter'
import { BUILT_IN_CAPABILITIES } from '#client/session/capabilities.ts'
import { createObservable } from '#client/session/connection-state.ts'
import type { NodeSession } from '#client/session/session.ts'
import { RevertView, revertText } from '#ui/chain/decoded/RevertView.tsx'
import { Value } from '#ui/chain/decoded/Value.tsx'
import { CodeBlock, LongText } from '#ui/components/CodeBlock.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { MessageScreen } from '#ui/components/layout/MessageScreen.tsx'
import { EndpointDialog } from '#ui/connect/EndpointDialog.tsx'
import { RemoteScreen } from '#ui/connect/RemoteScreen.tsx'
import { WalletQuestion } from '#ui/connect/WalletQuestion.tsx'
import { rememberContract, useKnownContracts } from '#ui/decode/known-contracts.ts'
import { parseAbiJson } from '#ui/decode/parse-abi.ts'
import { decodedText } from '#ui/decode/value-text.ts'
import { SessionContext } from '#ui/page/session.ts'
import { ContractsProvider } from '#ui/queries/ContractsProvider.tsx'
import { Problems } from '#ui/screens/contracts/source/Problems.tsx'
import { answerText, valueText } from '#ui/screens/rpc-console/pins/PinsPanel.tsx'
import { Prose } from '#ui/screens/rpc-console/schema/Prose.tsx'
import { JsonView } from '#ui/screens/rpc-console/values/JsonView.tsx'
import { Steps } from '#ui/screens/tx/Steps.tsx'
import { describeFaults } from '#ui/shell/notes/FaultsNotice.tsx'
import { AskDialog } from '#ui/storage/AskDialog.tsx'
import { sniffFile } from '#ui/storage/sniff-file.ts'

/** One of each kind of character that hides, reorders or replaces its neighbours. */
const HOSTILE = `a\u202eb\u00adc\u3164d\u180ee\u{e0041}f\u2028g\u034fh\u0000i`
const HIDDEN = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u
const ACCOUNT = `0x${'ab'.repeat(20)}` as const

const endpoint = { url: 'http://node.example/', transport: 'http', host: 'node.example' } as const

/** A page attached to a chain with that client name, or one that refuses with that message. */
function remoteSession(words: string, refused = false): NodeSession {
  const status = refused
    ? ({ status: 'failed', problem: { code: 'refused', message: words } } as const)
    : ({ status: 'attached', capabilities: BUILT_IN_CAPABILITIES, chainId: 1, clientVersion: words } as const)
  return {
    provider: { request: () => new Promise(() => {}) },
    state: createObservable({ status: 'ready' }),
    remote: { endpoint, status: createObservable(status), giveUp() {} },
  } as unknown as NodeSession
}

const drawn = (content: ReactNode, session = remoteSession('')) =>
  renderToStaticMarkup(
    <Router ssrPath="/" ssrSearch="">
      <SessionContext value={session}>
        <QueryClientProvider client={new QueryClient()}>
          <ContractsProvider>{content}</ContractsProvider>
        </QueryClientProvider>
      </SessionContext>
    </Router>,
  )
const text = { kind: 'text', text: HOSTILE } as const
const asked = { dapp: HOSTILE, id: 1 } as const
const answer = () => {}

/** Renders a screen with a foreign text. */
type Place = (others: string) => string

const DIALOGS: Readonly<Record<string, Place>> = {
  'a question about a file': (others) =>
    drawn(
      <AskDialog
        action={{
          kind: 'import',
          found: { kind: 'genesis', genesis: {}, chainId: others as never, unused: [others, others] },
        }}
        onAgree={answer}
        onCancel={answer}
      />,
    ),
  'the client of an endpoint': (others) => drawn(<EndpointDialog onClose={answer} />, remoteSession(others)),
  'the refusal of an endpoint': (others) => {
    vi.stubGlobal('location', { origin: 'http://page.example' })
    const session = remoteSession(others, true)
    return drawn(session.remote && <RemoteScreen remote={session.remote} />, session)
  },
  'the reason why a transaction was dropped': (others) =>
    drawn(
      <Steps
        tx={null}
        events={[
          { kind: 'received', atMs: 1 },
          { kind: 'dropped', atMs: 2, reason: others },
        ]}
        progress={{ status: 'dropped', outcome: undefined, blockNumber: undefined, partialIndex: undefined }}
      />,
    ),
}

rememberContract(ACCOUNT, { name: HOSTILE, abi: [] })

const PLACES: Readonly<Record<string, () => string>> = {
  'an error note': () => drawn(<ErrorNote error={new Error(HOSTILE)} />),
  'a screen of words': () =>
    drawn(
      <MessageScreen title="Failed" reason={HOSTILE}>
        words
      </MessageScreen>,
    ),
  'a snippet': () => drawn(<CodeBlock>{HOSTILE}</CodeBlock>),
  'a long text': () => drawn(<LongText label="Text">{HOSTILE}</LongText>),
  'a message to sign': () =>
    drawn(
      <WalletQuestion
        pending={{ ...asked, request: { kind: 'message', account: ACCOUNT, message: HOSTILE } } as never}
        others={0}
        onAnswer={answer}
      />,
    ),
  'typed data to sign': () =>
    drawn(
      <WalletQuestion
        pending={
          { ...asked, request: { kind: 'typed-data', account: ACCOUNT, typedData: { [HOSTILE]: HOSTILE } } } as never
        }
        others={0}
        onAnswer={answer}
      />,
    ),
  'a decoded value': () => drawn(<Value value={text} label="name" />),
  'a decoded call': () => decodedText({ name: 'f', args: [{ name: 'a', type: 'string', value: text }] }),
  'a reason for a revert': () => drawn(<RevertView revert={text} />),
  'the words of a machine': () => revertText({ kind: 'stopped', reason: HOSTILE }),
  'the name of a contract': () => useKnownContracts.getState().get(ACCOUNT)?.name ?? '',
  'a compiler’s message': () =>
    drawn(
      <Problems
        diagnostics={[
          { severity: 'error', message: HOSTILE, code: undefined, place: undefined, advice: HOSTILE } as never,
        ]}
        onGoTo={answer}
      />,
    ),
  'JSON in the console': () => drawn(<JsonView label="Answer" value={{ [HOSTILE]: HOSTILE }} />),
  'a pinned answer': () => answerText({ ok: false, message: HOSTILE }) + valueText(HOSTILE),
  'documentation of a method': () => drawn(<Prose text={HOSTILE} />),
  'a planned fault': () =>
    describeFaults({
      stalledTicks: 0,
      sealDelayMs: 0,
      failNext: [{ methods: [HOSTILE], error: { code: 1, message: HOSTILE } }],
    }).join(),
}

test.each(Object.entries(DIALOGS))('%s is spelt out and cut, however long it is', (_place, draw) => {
  const shown = draw(HOSTILE)
  expect(shown).toContain('{202e}')
  expect(shown.match(HIDDEN)?.[0].codePointAt(0)?.toString(16)).toBeUndefined()
  const long = draw(`<b>${'w'.repeat(100_000)}`)
  expect(long).toContain('www…')
  expect(long).not.toContain('<b>')
  expect(long.length - draw('').length).toBeLessThan(2_000)
})

test('a file’s own text appears in an error, cut', async () => {
  const sniff = (content: string) => sniffFile(new TextEncoder().encode(content))
  for (const content of [
    JSON.stringify({ format: HOSTILE.repeat(1_000) }),
    JSON.stringify({ format: 'blinknet-state', version: HOSTILE.repeat(1_000) }),
    JSON.stringify({ [HOSTILE.repeat(1_000)]: 1 }),
  ]) {
    const error = await sniff(content).catch((thrown: unknown) => thrown)
    const shown = drawn(<ErrorNote error={error} />)
    expect(shown).toContain('The file')
    expect(shown.match(HIDDEN)?.[0].codePointAt(0)?.toString(16)).toBeUndefined()
    expect(shown.length).toBeLessThan(8_000)
  }
})

test.each(Object.entries(PLACES))('%s shows no character that hides or reorders others', (_place, draw) => {
  const shown = draw()
  expect(shown).toContain('{202e}')
  expect(shown.match(HIDDEN)?.[0].codePointAt(0)?.toString(16)).toBeUndefined()
})

test('an ABI with hidden characters in names is refused', () => {
  for (const item of [
    { type: 'function', name: HOSTILE },
    { type: 'event', name: 'Sent', inputs: [{ type: 'uint256', name: HOSTILE }] },
  ]) {
    expect(parseAbiJson(JSON.stringify([item]))).toMatchObject({ ok: false })
  }
})
