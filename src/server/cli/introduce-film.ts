import { ask } from '#rpc-types/ask.ts'
import type { RpcEndpoint } from '#rpc-types/connection.ts'
import type { FilmMoments } from '#rpc-types/methods/devnet.ts'
import { VERSION } from '#rpc-types/version.ts'
import { authority, type ServedAt } from './banner.ts'

/** The server's first lines for a film: where it is, and what is in it. */
export async function introduceFilm(name: string, node: RpcEndpoint, { hosts, port, page }: ServedAt): Promise<string> {
  const { count, hiddenBlocks, runs } = (await ask(node, 'devnet_getMoments')) as FilmMoments
  const pending = Number(runs.at(-1)?.number)
  const inBlocks =
    pending === 1 ? 'Block 1, which was pending' : `Blocks 1 to ${pending - 1}, and ${pending}, which was pending`
  const [host = ''] = hosts
  return [
    `Blinknet ${VERSION}: ${name} as a film, read-only.`,
    `${inBlocks}: ${count} ${count === 1 ? 'moment' : 'moments'}, of which the last is shown.`,
    ...(hiddenBlocks > 0
      ? [`The first moment is in block ${hiddenBlocks + 1}: states of older blocks are not in the file.`]
      : []),
    ...hosts.map((each) => `Listening on http://${authority(each, port)} and ws://${authority(each, port)}`),
    page
      ? `Watch it in a browser: http://${authority(host, port)}`
      : 'devnet_getMoments lists the moments, devnet_showMoment shows one.',
  ].join('\n')
}
