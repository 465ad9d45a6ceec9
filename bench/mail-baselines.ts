import { spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createTransport } from 'nodemailer'

const CONNECTIONS = 8
const SMTP_SOURCE = '/usr/sbin/smtp-source'

function messageOf(octets: number): string {
  const line = `${'x'.repeat(74)}\r\n`
  const head =
    'From: letter@mail.example\r\nTo: ann@mail.example\r\nSubject: The pears are in\r\nMIME-Version: 1.0\r\nContent-Type: text/html\r\n\r\n'
  return head + line.repeat(Math.round((octets - head.length) / line.length))
}

/** Messages a second of pooled nodemailer, given messages of so many octets ready made; signed with rsa-2048 when asked. */
export async function nodemailerPerSecond(
  port: number,
  { messages, octets, isSigned }: { messages: number; octets: number; isSigned: boolean },
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
  const raw = messageOf(octets)
  const started = performance.now()
  await Promise.all(
    Array.from({ length: messages }, (_, n) =>
      transport.sendMail({ envelope: { from: 'letter@mail.example', to: `ann${n}@mail.example` }, raw }),
    ),
  )
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
