import { consoleLibrary } from '#solidity/console-library.ts'

/** The source of the console's library, wherever remappings lead to it. */
export function consoleSource(name: string): string | undefined {
  const path = /(?:^|\/)((?:hardhat|forge-std)\/(?:src\/)?console2?\.sol)$/.exec(name)?.[1]
  return path === undefined ? undefined : consoleLibrary(path)
}
