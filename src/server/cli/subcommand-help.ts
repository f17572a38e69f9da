/** What `--help` says of the commands that run none, or run another command. */
export const SUBCOMMANDS_HELP = [
  [
    '       blinknet record FILE [--fork-url URL …] -- COMMAND',
    'runs a command, such as a test suite, and records into a fork file what its chains ask of the real one.',
  ].join('\n'),
  [
    '       blinknet check FILE --fork-url URL',
    'asks an endpoint whether a fork file is of the real chain.',
  ].join('\n'),
  [
    '       blinknet update FILE --fork-url URL [--fork-block N]',
    'moves a fork file to another block, and prints what is different there, contract by contract.',
  ].join('\n'),
  [
    '       blinknet prepare FILE [options] -- COMMAND',
    'runs a command, such as a deployment, against a chain that seals at once, and writes its chain file if all went well.',
  ].join('\n'),
].join('\n')
