import { createNode } from '#node/node.ts'
import { createSystemClock, type TimerHost } from '#primitives/system-clock.ts'
import { VERSION } from '#rpc-types/version.ts'
import { banner, explainListenError } from './banner.ts'
import { type Command, HELP, parseCommand } from './cli.ts'
import { type RunningServer, startServer } from './start-server.ts'

type Log = (level: 'info' | 'warn' | 'error', message: string, details?: unknown) => void

/** Exit codes: 1 could not run, 2 the command line makes no sense. */
const FAILED = 1
const BAD_USAGE = 2

const log: Log = (level, message, details) => {
  process.stderr.write(`${level}: ${message}\n`)
  if (details !== undefined) console.error(details)
}

async function run({ host, port, options }: Extract<Command, { kind: 'run' }>): Promise<void> {
  // Node's MessagePort has `onmessage`, as the browser's has; its type declarations do not.
  const clock = createSystemClock(globalThis as unknown as TimerHost)
  const node = await createNode(options, { clock, log })
  let server: RunningServer
  try {
    server = await startServer(node, { host, port, log })
  } catch (error) {
    await node.close()
    throw error
  }
  node.start()
  console.log(banner(server.host, server.port, options))

  let stopping = false
  const stop = async () => {
    // Ctrl-C under npm arrives twice: from the terminal, and passed on by npm.
    if (stopping) return
    stopping = true
    await server.close()
    await node.close()
    process.exit(0)
  }
  process.on('SIGINT', () => void stop())
  process.on('SIGTERM', () => void stop())
}

async function main(): Promise<void> {
  const command = parseCommand(process.argv.slice(2))
  switch (command.kind) {
    case 'help':
      console.log(HELP)
      return
    case 'version':
      console.log(VERSION)
      return
    case 'bad':
      console.error(`${command.message}\nTry --help for the options.`)
      process.exitCode = BAD_USAGE
      return
    case 'run':
      try {
        await run(command)
      } catch (error) {
        const sentence = explainListenError(error, command.host, command.port)
        if (sentence === undefined) throw error
        console.error(sentence)
        process.exitCode = FAILED
      }
  }
}

await main()
