import { readdirSync, readFileSync } from 'node:fs'

/** Milliseconds of processor time of a process, by its threads that still run; NaN where the system does not say (Linux does). @param {number} pid */
export function processorMs(pid) {
  const threads = `/proc/${pid}/task`
  try {
    const nanoseconds = readdirSync(threads).map((thread) =>
      Number(readFileSync(`${threads}/${thread}/schedstat`, 'utf8').split(' ')[0]),
    )
    return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e6
  } catch {
    return Number.NaN
  }
}

/** Milliseconds of processor time of all pages of a browser and their workers. @param {import('@playwright/test').Browser} browser */
export async function pagesMs(browser) {
  const cdp = await browser.newBrowserCDPSession()
  const { processInfo } = await cdp.send('SystemInfo.getProcessInfo')
  await cdp.detach()
  return processInfo.reduce((sum, { type, cpuTime }) => sum + (type === 'renderer' ? cpuTime * 1_000 : 0), 0)
}
