import type { SmtpFeatures } from './features.ts'
import { assertReplyDone, SmtpSessionRefused } from './reply.ts'
import type { SmtpSecrets, SmtpSettings } from './settings.ts'
import { readNextSmtpReply, type SmtpWire, transmitSmtp } from './wire.ts'

const encodeBase64 = (text: string): string => Buffer.from(text).toString('base64')

/** The lines after `AUTH mechanism`; the first may be on the same line (RFC 4954, 4). */
const mechanismSteps: Record<string, { initial: boolean; lines: (secrets: SmtpSecrets) => string[] } | undefined> = {
  // RFC 4616.
  PLAIN: { initial: true, lines: ({ username, password }) => [encodeBase64(`\0${username}\0${password}`)] },
  // Never standardised, but common.
  LOGIN: { initial: false, lines: ({ username, password }) => [encodeBase64(username), encodeBase64(password)] },
}

/**
 * Authenticates with the first mechanism of ours the relay offers. The password is not sent without TLS unless the
 * settings allow it. Throws SmtpSessionRefused or SmtpWireFault.
 */
export async function authenticateSmtp(
  wire: SmtpWire,
  features: SmtpFeatures,
  settings: SmtpSettings,
  secrets: SmtpSecrets,
): Promise<void> {
  if (!wire.tls && !settings.plainAuth)
    throw new SmtpSessionRefused(
      'the password is not sent without TLS; set tls to required, or allow it with plainAuth',
    )
  const name = Object.keys(mechanismSteps).find((mechanism) => features.auth.includes(mechanism))
  const mechanism = name === undefined ? undefined : mechanismSteps[name]
  if (mechanism === undefined)
    throw new SmtpSessionRefused(
      `the relay offers no AUTH PLAIN or LOGIN (it offers: ${features.auth.join(' ') || 'none'})`,
    )

  const lines = mechanism.lines(secrets)
  transmitSmtp(wire, [mechanism.initial ? `AUTH ${name} ${lines.shift()}\r\n` : `AUTH ${name}\r\n`], 1)
  let reply = await readNextSmtpReply(wire, settings.commandMs)
  for (const line of lines) {
    if (reply.code !== 334) throw new SmtpSessionRefused('the relay refused the credentials', reply)
    transmitSmtp(wire, [`${line}\r\n`], 1)
    reply = await readNextSmtpReply(wire, settings.commandMs)
  }
  assertReplyDone(reply, 'the credentials')
}
