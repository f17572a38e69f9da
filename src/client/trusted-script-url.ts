/** The part of Trusted Types used here. Not every browser has them, and TypeScript's DOM types do not. */
interface TrustedTypePolicyFactory {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): unknown }
}

declare global {
  interface Window {
    readonly trustedTypes?: TrustedTypePolicyFactory
  }
}

/** The only policy that the page's Content-Security-Policy allows. It approves addresses of scripts, never markup. */
const policy = globalThis.window?.trustedTypes?.createPolicy('blinknet', { createScriptURL: requireOwnScript })

/**
 * The address of a worker's script, in the form the browser requires.
 *
 * @throws {TypeError} If the script is not one of the page's own.
 */
export function trustedScriptUrl(url: string): string {
  return (policy?.createScriptURL(url) as string | undefined) ?? requireOwnScript(url)
}

function requireOwnScript(url: string): string {
  const folder = new URL(import.meta.env.BASE_URL, location.href)
  const script = new URL(url, location.href)
  if (script.origin !== folder.origin || !script.pathname.startsWith(folder.pathname)) {
    throw new TypeError(`${script.href} is not a script of this page`)
  }
  return url
}
