import { decodeQR } from 'qr/decode.js'
import { expect, test } from 'vitest'
import { inviteGuests } from './invitation.ts'

const URL = 'http://192.168.1.5:8545/'
const invitation = { urls: [URL, 'http://10.0.0.2:8545/'], guestPort: 8545, speakerPort: 8546 }

/** What a phone's camera would see of the lines with squares in them: white where a character is drawn. */
function photograph(lines: readonly string[]) {
  const scale = 4
  const width = lines[0]?.length ?? 0
  const rows = lines.flatMap((line) => [
    Array.from(line, (half) => half === '█' || half === '▀'),
    Array.from(line, (half) => half === '█' || half === '▄'),
  ])
  const data = new Uint8Array(width * scale * rows.length * scale * 4).fill(255)
  for (const [i] of data.entries()) {
    const [x, y] = [Math.floor((i >> 2) / scale) % width, Math.floor((i >> 2) / (width * scale) / scale)]
    if (i % 4 !== 3) data[i] = rows[y]?.[x] ? 255 : 0
  }
  return { width: width * scale, height: rows.length * scale, data }
}

test('the code in the terminal is the address, and all addresses are told', () => {
  const lines = inviteGuests(invitation, false).split('\n')
  expect(decodeQR(photograph(lines.filter((line) => /^[█▀▄ ]{20,}$/.test(line))))).toBe(URL)
  expect(lines).toContain(`For guests: ${URL}`)
  expect(lines).toContain('        or: http://10.0.0.2:8545/')
  expect(lines).toContain('For you:    http://127.0.0.1:8546/?view=projector')
})

test('in a terminal with colours the code is white and black, whatever its theme; nothing else is coloured', () => {
  const [plain, coloured] = [false, true].map((colours) => inviteGuests(invitation, colours).split('\n'))
  const changed = coloured?.filter((line, i) => line !== plain?.[i])
  expect(changed?.length).toBeGreaterThan(10)
  expect(changed?.every((line) => line.startsWith('\u001b[38;5;231;48;5;16m') && line.endsWith('\u001b[0m'))).toBe(true)
})
