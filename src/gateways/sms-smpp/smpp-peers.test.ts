import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, describe, it } from 'node:test'
import { eventually } from '#test/support/wait.ts'
import { findFreePort } from '../../lib/net/free-port.ts'
import { systemClock } from '../../lib/time/clock.ts'
import type { GatewayOutcome, MessageGateway, OutgoingSms, SmsReceipt, SmsReply } from '../gateway.ts'
import { readSmppSettings } from './settings.ts'
import { openSmppGateway } from './smpp.ts'

// Message centres that are not of our making: what two ends of one hand agree on is not yet SMPP.

const dataDir = await mkdtemp(join(tmpdir(), 'stentor-peers-'))
const opened: MessageGateway<OutgoingSms>[] = []
after(async () => {
  await Promise.all(opened.map((gateway) => gateway.close(0)))
  await rm(dataDir, { recursive: true, force: true })
})

const secrets = { systemId: 'shop', password: 'secret' }
const long = `${'a'.repeat(152)}€${'b'.repeat(200)}`
const sms = (id: number, text: string, encoding: OutgoingSms['encoding'] = 'gsm7', from = 'SHOP'): OutgoingSms => ({
  id,
  to: '+33601020304',
  from,
  text,
  encoding,
})

function open(port: number, settings: object = {}) {
  const receipts: SmsReceipt[] = []
  const replies: SmsReply[] = []
  const outcomes: GatewayOutcome[] = []
  const inbox = {
    onReceipt: async (_: string, receipt: SmsReceipt) => void receipts.push(receipt),
    onReply: async (_: string, reply: SmsReply) => void replies.push(reply),
  }
  const gateway = openSmppGateway(
    'peer',
    { settings: readSmppSettings({ host: '127.0.0.1', port, reconnectMs: 50, ...settings }), secrets },
    { dataDir, clock: systemClock, inbox },
  )
  opened.push(gateway)
  return {
    gateway,
    receipts,
    replies,
    outcomes,
    /** Offers messages until they are taken: a message centre may not have let us bind yet. */
    send: (batch: OutgoingSms[]) =>
      eventually(async () => {
        const { taken } = await gateway.send(batch, { outcome: (one) => outcomes.push(one) })
        return taken > 0
      }),
  }
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** What this test uses of the npm package smpp, which has no types. */
interface NodeSmpp {
  createServer(serve: (session: NodeSmppSession) => void): Server
}
interface NodeSmppPdu {
  response(fields?: object): object
  system_id: string
  password: string
  source_addr: string
  source_addr_ton: number
  destination_addr: string
  short_message: { message: string; udh?: Buffer[] }
  message_payload?: { message: string }
  sar_msg_ref_num?: number
  sar_total_segments?: number
  sar_segment_seqnum?: number
  validity_period: string | Date
  data_coding: number
  command_status: number
}
interface NodeSmppSession {
  on(event: string, listener: (pdu: NodeSmppPdu) => void): void
  send(pdu: object): void
  deliver_sm(fields: object, answered: (pdu: NodeSmppPdu) => void): void
  close(): void
}

describe('message centre of the npm package smpp', () => {
  const { createServer: createSmppServer } = createRequire(import.meta.url)('smpp') as NodeSmpp

  async function serving(work: (port: number, seen: NodeSmppPdu[], sessions: NodeSmppSession[]) => Promise<void>) {
    const seen: NodeSmppPdu[] = []
    const sessions: NodeSmppSession[] = []
    const server = createSmppServer((session) => {
      session.on('error', () => {})
      session.on('bind_transceiver', (pdu) => {
        const isRight = pdu.system_id === secrets.systemId && pdu.password === secrets.password
        session.send(pdu.response(isRight ? { system_id: 'node' } : { command_status: 0x0e }))
        sessions.push(session)
      })
      session.on('submit_sm', (pdu) => {
        seen.push(pdu)
        session.send(pdu.response({ message_id: `node-${seen.length}` }))
      })
      session.on('enquire_link', (pdu) => session.send(pdu.response()))
      session.on('unbind', (pdu) => {
        session.send(pdu.response())
        session.close()
      })
    })
    const port = await listening(server)
    try {
      await work(port, seen, sessions)
    } finally {
      server.close()
    }
  }

  it('reads what we write with each way of sending long messages', async () => {
    for (const way of ['udh8', 'udh16', 'sar', 'payload'])
      await serving(async (port, seen) => {
        const { gateway, send, outcomes } = open(port, { long: way })
        await send([sms(1, 'Hello {€} @é'), sms(2, 'Ça va 🎉', 'ucs2', '+33700000001'), sms(3, long)])
        await gateway.close()
        assert.deepEqual(
          outcomes.map((one) => one.result === 'accepted' && one.reference),
          ['node-1', 'node-2', 'node-3'],
        )
        const [first, second, ...parts] = seen
        assert.deepEqual(
          [first, second].map((pdu) => [
            pdu?.source_addr,
            pdu?.source_addr_ton,
            pdu?.destination_addr,
            pdu?.short_message.message,
          ]),
          [
            ['SHOP', 5, '33601020304', 'Hello {€} @é'],
            ['33700000001', 1, '33601020304', 'Ça va 🎉'],
          ],
        )
        const texts = parts.map((pdu) => (way === 'payload' ? pdu.message_payload?.message : pdu.short_message.message))
        assert.equal(texts.join(''), long)
        const places = parts.map((pdu) =>
          way === 'sar'
            ? [pdu.sar_msg_ref_num, pdu.sar_total_segments, pdu.sar_segment_seqnum]
            : (pdu.short_message.udh?.[0]?.toString('hex') ?? null),
        )
        const expected = {
          udh8: ['0003030301', '0003030302', '0003030303'],
          udh16: ['080400030301', '080400030302', '080400030303'],
          sar: [
            [3, 3, 1],
            [3, 3, 2],
            [3, 3, 3],
          ],
          payload: [null],
        }
        assert.deepEqual(places, expected[way as keyof typeof expected])
      })
  })

  it('sends receipts, replies and parts of replies that we can read', () =>
    serving(async (port, _, sessions) => {
      const { gateway, receipts, replies } = open(port)
      await eventually(() => sessions.length === 1)
      const statuses: number[] = []
      const deliver = (fields: object) =>
        new Promise<void>((resolve) =>
          sessions[0]?.deliver_sm(
            { source_addr: '33601020304', source_addr_ton: 1, destination_addr: '36111', ...fields },
            (pdu) => {
              statuses.push(pdu.command_status)
              resolve()
            },
          ),
        )
      await deliver({
        esm_class: 4,
        short_message: 'x',
        receipted_message_id: 'node-1',
        message_state: 2,
        network_error_code: Buffer.of(3, 0, 0),
      })
      await deliver({ short_message: 'Arrêt 🎉', data_coding: 8 })
      await deliver({ short_message: { udh: Buffer.of(5, 0, 3, 9, 2, 2), message: 'world €' } })
      await deliver({ short_message: { udh: Buffer.of(5, 0, 3, 9, 2, 1), message: 'Hello, ' } })
      await gateway.close()
      assert.deepEqual(statuses, [0, 0, 0, 0])
      assert.deepEqual(
        receipts.map(({ reference, state, error, to }) => [reference, state, error, to]),
        [['node-1', 'DELIVRD', null, '+33601020304']],
      )
      assert.deepEqual(
        replies.map(({ text }) => text),
        ['Arrêt 🎉', 'Hello, world €'],
      )
    }))
})

const NET_SMPP = '/usr/share/perl5/Net/SMPP.pm'

describe('message centre of Net::SMPP', () => {
  const skip = existsSync(NET_SMPP) ? false : 'Net::SMPP is not installed: npm run test:setup'

  it('exchanges messages with us in both directions', { skip }, async () => {
    const port = await findFreePort()
    const script = join(import.meta.dirname, '../../../test/fakes/sms/net-smpp-server.pl')
    const child = spawn('perl', [script, String(port)], { stdio: ['ignore', 'pipe', 'inherit'] })
    const lines: Record<string, unknown>[] = []
    createInterface(child.stdout).on('line', (line) => lines.push(JSON.parse(line)))
    try {
      await eventually(() => lines.length === 1)
      const { gateway, send, outcomes, receipts, replies } = open(port, { receiptId: 'dec' })
      await send([
        sms(1, 'Hello {€} @é'),
        sms(2, 'Ça va 🎉', 'ucs2'),
        { ...sms(3, long), expiresAt: systemClock.now() + 86_400_000 },
      ])
      await eventually(() => lines.filter((line) => 'answered' in line).length === 10)
      await gateway.close()
      await eventually(() => lines.some((line) => 'unbound' in line))
      assert.deepEqual(lines[1], { bind: 'shop', password: 'secret', version: 0x34 })
      assert.ok(lines.filter((line) => 'answered' in line).every(({ answered }) => answered === 0))
      const read = lines.filter((line) => 'text' in line)
      assert.deepEqual(
        read.map(({ source, sourceTon, destination, esmClass, dataCoding }) => [
          source,
          sourceTon,
          destination,
          esmClass,
          dataCoding,
        ]),
        [0, 0, 64, 64, 64].map((esmClass, n) => ['SHOP', 5, '33601020304', esmClass, n === 1 ? 8 : 0]),
      )
      assert.deepEqual(
        read.slice(0, 2).map(({ text }) => text),
        [
          Buffer.from('Hello \x1b(\x1be\x1b) \0\x05', 'latin1').toString('hex'),
          Buffer.from('Ça va 🎉', 'utf16le').swap16().toString('hex'),
        ],
      )
      assert.deepEqual(
        read.slice(2).map(({ text }) => String(text).slice(0, 12)),
        ['050003030301', '050003030302', '050003030303'],
      )
      assert.match(String(read[2]?.['validity']), /^0000(01000000|00235959)000R$/)
      assert.deepEqual(
        outcomes.map((one) => one.result === 'accepted' && (one.references ?? one.reference)),
        ['65', '66', ['67', '68', '69']],
      )
      assert.deepEqual(
        receipts.map(({ reference, state, error }) => [reference, state, error]),
        ['65', '66', '67', '68', '69'].map((id) => [id, 'UNDELIV', '027']),
      )
      assert.deepEqual(replies.map(({ text }) => text).sort(), ['Hello {€} @é', long, 'Ça va 🎉'].sort())
    } finally {
      child.kill()
    }
  })
})

const KANNEL = '/usr/lib/kannel/test/drive_smpp'

describe('message centre of Kannel (drive_smpp)', () => {
  const skip = existsSync(KANNEL) ? false : `${KANNEL} is not installed: npm run test:setup`

  it('binds our transmitter and receiver, accepts our messages and sends messages that we can read', {
    skip,
  }, async () => {
    const port = await findFreePort()
    const child = spawn(KANNEL, ['-v', '0', '-p', String(port), '-m', '20'], {
      cwd: dataDir,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const lines: string[] = []
    createInterface(child.stderr).on('line', (line) => lines.push(line))
    const has = (words: string) => lines.some((line) => line.includes(words))
    try {
      await eventually(() => has('accept_thread'))
      const { gateway, send, outcomes, replies } = open(port, { bind: 'pair' })
      await send([sms(1, 'Hello, world'), sms(2, long), sms(3, 'Ça va', 'ucs2')])
      await eventually(() => replies.length === 20)
      await eventually(() => lines.filter((line) => line.includes('type deliver_sm_resp')).length === 20)
      await gateway.close()
      assert.deepEqual(
        outcomes.map(({ result }) => result),
        ['accepted', 'accepted', 'accepted'],
      )
      assert.ok(has('short_message = <Hello, world>'))
      assert.equal(lines.filter((line) => line.includes('type submit_sm')).length, 5)
      assert.deepEqual(
        replies.map(({ text }) => text),
        Array.from({ length: 20 }, (_, n) => String(n + 1)),
      )
      const complaints = lines.filter((line) => /ERROR: SMPP|WARNING: SMPP|Unhandled SMPP PDU/.test(line))
      assert.deepEqual(complaints, [])
    } finally {
      child.kill('SIGKILL')
    }
  })
})
