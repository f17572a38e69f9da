import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { ForkCommand } from '#server/cli/fork-flags.ts'
import { FORK_DEFAULTS } from '#server/cli/fork-flags.ts'
import { record } from '#server/fork-file/record.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'

/** What a command prints to the test that runs it, and waits for the status that it ends with. */
const TELL = `fetch(process.argv[1], { method: 'POST', body: process.env.BLINKNET_RECORDINGS })
  .then((answer) => answer.text()).then((status) => process.exit(Number(status)))`

export const endpointAt = (url: string, blockNumber?: number): ForkCommand => ({
  ...FORK_DEFAULTS,
  url,
  retries: 0,
  ...(blockNumber !== undefined && { blockNumber }),
})

/**
 * Records a fork file by a command whose part the test plays.
 *
 * @param play - Runs while the command does, in whose environment it is; answers the command's status.
 * @returns The status of the recording, and what it printed.
 */
export async function recordBy(
  file: string,
  fork: ForkCommand | undefined,
  play: () => Promise<number>,
): Promise<{ readonly status: number; readonly printed: readonly string[] }> {
  const printed: string[] = []
  const answer = async (body: string, response: ServerResponse) => {
    process.env['BLINKNET_RECORDINGS'] = body
    try {
      response.end(String(await play()))
    } catch (error) {
      failure = error as Error
      response.end('99')
    } finally {
      delete process.env['BLINKNET_RECORDINGS']
    }
  }
  let failure: Error | undefined
  const server = createServer((request, response) => void text(request).then((body) => answer(body, response)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const command = { file, command: [process.execPath, '-e', TELL, url], ...(fork && { fork }) }
    const print = (line: string) => void printed.push(line)
    const status = await record(command, {
      clock: new FakeClock(),
      print,
      log: (_level, line) => print(line),
      env: process.env,
    })
    if (failure !== undefined) throw failure
    return { status, printed }
  } finally {
    server.close()
    server.closeAllConnections()
  }
}
