/** How the commands about a file are written, and what they do. */
export const SUBCOMMANDS = {
  record: {
    usage: 'blinknet record FILE [--fork-url URL …] -- COMMAND',
    does: 'runs a command, such as a test suite, and records into a fork file what its chains ask of the real one.',
  },
  check: {
    usage: 'blinknet check FILE --fork-url URL',
    does: 'asks an endpoint whether a fork file is of the real chain.',
  },
  update: {
    usage: 'blinknet update FILE --fork-url URL [--fork-block N]',
    does: 'moves a fork file to another block, and prints what is different there, contract by contract.',
  },
  prepare: {
    usage: 'blinknet prepare FILE [options] -- COMMAND',
    does: 'runs a command, such as a deployment, against a chain that seals at once, and writes the chain to a file.',
  },
} as const

/** What `--help` says of them. */
export const SUBCOMMANDS_HELP = Object.values(SUBCOMMANDS)
  .map(({ usage, does }) => `       ${usage}\n${does}`)
  .join('\n')
