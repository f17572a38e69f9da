import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'

/** A program of Foundry. For each platform, an npm package has its binary. */
export type FoundryTool = 'anvil' | 'cast' | 'forge'

const PLATFORMS: Readonly<Record<string, string>> = { darwin: 'darwin', linux: 'linux', win32: 'win32' }
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' }

const require = createRequire(import.meta.url)
const run = promisify(execFile)

/** Path of the binary of `tool`; `undefined` if npm has none for this platform. */
export function foundryBinary(tool: FoundryTool): string | undefined {
  const platform = PLATFORMS[process.platform]
  const architecture = ARCHITECTURES[process.arch]
  const file = platform === 'win32' ? `${tool}.exe` : tool
  try {
    return require.resolve(`@foundry-rs/${tool}-${platform}-${architecture}/bin/${file}`)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return undefined
    throw error
  }
}

/** The outcome of a run of `cast` or `forge`. */
export interface FoundryOutcome {
  /** Exit code; 0 for success. */
  readonly code: number
  /** Standard output without the newline at its end. */
  readonly output: string
  readonly errors: string
}

/**
 * Runs `cast` or `forge` (at `binary`) with `args` against the node at `url`, ignoring this machine's Foundry
 * configuration.
 *
 * @param cwd - The directory of the forge project.
 * @throws {Error} If it cannot be started.
 */
export async function runFoundry(
  binary: string,
  url: string,
  args: readonly string[],
  cwd?: string,
): Promise<FoundryOutcome> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent', ETH_RPC_URL: url, NO_COLOR: '1' }
  try {
    const { stdout, stderr } = await run(binary, args, { env, cwd })
    return { code: 0, output: stdout.trimEnd(), errors: stderr }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: unknown; stdout: string; stderr: string }
    if (typeof code !== 'number') throw error
    return { code, output: stdout.trimEnd(), errors: stderr }
  }
}
