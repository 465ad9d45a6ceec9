import { spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createTransport, type SendMailOptions } from 'nodemailer'
import { letter } from './letter.ts'

const CONNECTIONS = 8
const SMTP_SOURCE = '/usr/sbin/smtp-source'
/** Messages whose time is not taken: connections are opened, and the code is compiled. */
const WARM_UP = 500
/** Messages handed to nodemailer at a time: its pool never waits for one, and they do not pile up in memory. */
const AT_ONCE = 4 * CONNECTIONS
const TRACKING = 'http://localhost:40000/t'
const FROM = { name: 'The Orchard', address: 'letter@mail.example' }

/** A token of a tracked link, as long as one of ours; no two are the same. */
function tokenOf(message: number, link: number): string {
  return `${String(message).padStart(69, 'AQIAAAABAg')}-${String(link).padStart(2, '0')}`
}

/**
 * The same message as one of a campaign's, for nodemailer to make: what a program hands it once it has filled its letter.
 * Date and Message-ID are nodemailer's own.
 */
export function sameMessage(n: number): SendMailOptions {
  const values: Record<string, string> = {
    'First name': `Ann ${n}`,
    'Last name': 'Number',
    Country: 'France',
    Language: 'fr-FR',
    Email: `ann${n}@mail.example`,
  }
  const stamp = String(n).padStart(50, 'aeaaaab')
  const pixel = `<img src="${TRACKING}/o/${tokenOf(n, 0)}" width="1" height="1" alt="" style="display:block;border:0">`
  return {
    from: FROM,
    to: values['Email'],
    subject: `${values['First name']}, the pears are in`,
    list: { unsubscribe: [[`${TRACKING}/u/${tokenOf(n, 0)}`, `unsub+${stamp}@mail.example?subject=unsubscribe`]] },
    headers: {
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'Feedback-ID': '000001:DEMO001:campaign:stentor',
      Precedence: 'bulk',
      'X-Stamp': stamp,
    },
    html: letter({
      value: (field) => values[field] ?? '',
      link: (part) => `${TRACKING}/r/${tokenOf(n, part)}`,
      last: pixel,
    }),
  }
}

/** Messages of so many octets, ready made: nodemailer has nothing to encode. */
export function readyMade(octets: number): (n: number) => SendMailOptions {
  const line = `${'x'.repeat(74)}\r\n`
  const head =
    'From: letter@mail.example\r\nTo: ann@mail.example\r\nSubject: The pears are in\r\nMIME-Version: 1.0\r\nContent-Type: text/html\r\n\r\n'
  const raw = head + line.repeat(Math.round((octets - head.length) / line.length))
  return (n) => ({ envelope: { from: FROM.address, to: `ann${n}@mail.example` }, raw })
}

/**
 * Messages a second of pooled nodemailer over eight connections, warmed up; signed with rsa-2048 when asked.
 * `messageOf`: what it is given for the message of this number, made while its time is taken.
 */
export async function nodemailerPerSecond(
  port: number,
  messageOf: (n: number) => SendMailOptions,
  { messages, isSigned }: { messages: number; isSigned: boolean },
): Promise<number> {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
  const transport = createTransport({
    pool: true,
    host: '127.0.0.1',
    port,
    secure: false,
    ignoreTLS: true,
    maxConnections: CONNECTIONS,
    maxMessages: 100_000,
    ...(isSigned && { dkim: { domainName: 'mail.example', keySelector: 's1', privateKey } }),
  })
  async function send(count: number): Promise<void> {
    let next = 0
    async function oneByOne(): Promise<void> {
      while (next < count) await transport.sendMail(messageOf(next++))
    }
    await Promise.all(Array.from({ length: AT_ONCE }, oneByOne))
  }
  await send(WARM_UP)
  const started = performance.now()
  await send(messages)
  const seconds = (performance.now() - started) / 1000
  transport.close()
  return messages / seconds
}

/** Messages a second of Postfix's generator over eight connections; undefined when it is not installed. */
export async function smtpSourcePerSecond(
  port: number,
  { messages, octets }: { messages: number; octets: number },
): Promise<number | undefined> {
  if (!existsSync(SMTP_SOURCE)) return undefined
  const size = ['-l', String(octets), '-m', String(messages), '-s', String(CONNECTIONS)]
  const envelope = ['-f', 'letter@mail.example', '-t', 'ann@mail.example', `inet:127.0.0.1:${port}`]
  const started = performance.now()
  const child = spawn(SMTP_SOURCE, ['-d', ...size, ...envelope], { stdio: ['ignore', 'ignore', 'inherit'] })
  const [status] = await once(child, 'exit')
  if (status !== 0) throw new Error(`smtp-source ended with status ${status}`)
  return (messages * 1000) / (performance.now() - started)
}
