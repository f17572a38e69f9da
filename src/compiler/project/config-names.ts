/** Foundry's file of settings, in a project's root. */
export const FOUNDRY_FILE = 'foundry.toml'

/** Whether a file's name is that of a tool's settings. */
export function isConfigName(name: string): boolean {
  return name === FOUNDRY_FILE || isHardhatName(name)
}

/** Whether a file's name is that of Hardhat's settings. */
export function isHardhatName(name: string): boolean {
  return /^hardhat\.config\.[cm]?[jt]s$/.test(name)
}
