import { createPrivateKey, randomBytes } from 'node:crypto'
import { createTransport } from 'nodemailer'
import { composeMail, toMailBytes } from '../src/channels/email/mime/mime.ts'
import { createStaticEncoder } from '../src/channels/email/mime/mime-text.ts'
import { signMail } from '../src/channels/email/mime/signing.ts'
import { loadChannel } from '../src/channels/load-channel.ts'
import { type ContentVersionSource, toContentSource } from '../src/channels/version-source.ts'
import { compileContent } from '../src/features/rendering/compile.ts'
import { type RenderedMessage, renderMessagePieces } from '../src/features/rendering/render.ts'
import { joinTextPieces, type TextPiece } from '../src/features/rendering/templates/pieces.ts'
import { createDkimKey, type DkimAlgorithm, type DkimSigningKey } from '../src/lib/crypto/dkim-keys.ts'
import { createAccountTokenKeys } from '../src/lib/crypto/tokens.ts'
import { createUuidV7, formatContactId } from '../src/lib/ids.ts'
import { buildMessageRenderScope, composeOutgoingMessage } from '../src/sending/prepare/compose-message.ts'
import type { RecipientContactRow } from '../src/sending/prepare/load-recipients.ts'
import type { PreparedMessage } from '../src/sending/prepare/prepared-message.ts'
import { letterHtml } from './letter.ts'
import { median, rounded } from './load.ts'
import type { Benchmark } from './run.ts'

const MESSAGES = 200
const ROUNDS = 7
/** Messages nodemailer makes at a time: it waits for streams, and is quicker with several. */
const AT_ONCE = 20
const DOMAIN = 'mail.orchard.example'
const ACCOUNT = 1
const UNSUBSCRIBE = `https://t.orchard.example/t/u/${'A'.repeat(72)}`

const source: ContentVersionSource = {
  channel: 'email',
  action: { id: 12, name: 'The pears are in', type: 'mailCampaign' },
  account: { agency: 'ACME', customer: '001', name: 'The Orchard' },
  settings: {
    purpose: 'marketing',
    contentFormat: 2,
    field: 1,
    culture: 'en-GB',
    timeZone: 'Europe/Paris',
    timeZoneField: null,
    consent: 0,
    priority: false,
    importance: false,
    environment: {},
    archive: false,
    analyser: {},
    honeypot: false,
    openConsentField: null,
  },
  content: {
    subject: '{{ contact["First name"] }}, les poires sont arrivées',
    html: letterHtml(),
    text: null,
    amp: null,
  },
  fields: ['Email', 'First name', 'Last name', 'Country', 'Language'].map((name, id) => ({ id: id + 1, name })),
  forms: [],
  sender: {
    from: { prefix: 'letter', domain: DOMAIN, label: 'The Orchard' },
    reply: null,
    bounceDomain: `b.${DOMAIN}`,
    trackingUrl: 'https://t.orchard.example',
  },
  test: null,
}

async function signingKey(algorithm: DkimAlgorithm): Promise<DkimSigningKey> {
  const { privateKey } = await createDkimKey(algorithm)
  return { algorithm, selector: 's1', key: createPrivateKey({ key: privateKey, format: 'der', type: 'pkcs8' }) }
}

const compiled = compileContent(toContentSource(source))
const encode = createStaticEncoder()
const channel = await loadChannel(source.channel)

const rules: PreparedMessage['rules'] = {
  optInField: null,
  doubleOptInField: null,
  yesValues: [],
  serviceIgnoresRedList: false,
  fieldTypes: new Map(),
  valueOf: () => undefined,
}

function person(n: number): RecipientContactRow {
  const fields = { 1: `ann${n}@mail.example`, 2: `Ann ${n}`, 3: 'Müller', 4: 'France', 5: 'fr' }
  return { id: n, unicity: fields[1], hash: '0'.repeat(32), fields }
}

/** A message of the campaign as the sender has it before it is composed. */
function ready(n: number, keys: readonly DkimSigningKey[]): PreparedMessage {
  const id = createUuidV7(Date.now())
  const contact = person(n)
  return {
    message: {
      id: n,
      account: ACCOUNT,
      channel: 'email',
      kind: 'campaign',
      sending: 1,
      sourceKind: 'action',
      source: 12,
      version: 1,
      contact: n,
      attempts: 0,
      depth: 0,
      address: null,
      request: {},
      expiresAt: new Date(),
      firstTriedAt: null,
      firstPostponedAt: null,
      destination: null,
      isIdempotent: false,
      deliveries: null,
      reservations: null,
      stamp: { id, thread: id, set: id, time: Date.now() },
    },
    account: ACCOUNT,
    now: Date.now(),
    source,
    channel,
    version: { id: 1, source, compiled, channel, compose: channel.composer(source) },
    facts: {
      actionDeleted: false,
      endsAt: null,
      contact,
      related: null,
      redListOrigin: null,
      stopped: false,
      addressOwner: null,
    },
    rules,
    owner: {
      inDoubt: 'hold',
      fieldNames: [],
      attachmentHosts: [],
      unverifiedDomain: 'substitute',
      domains: [{ domain: DOMAIN, default: true, verified: true }],
      rules,
      valuesOf: () => ({ ...contact, id: formatContactId(n) }),
    },
    keys: new Map([[DOMAIN, keys]]),
  }
}

const tokens = createAccountTokenKeys([{ number: 1, key: randomBytes(32) }])

/** All of it: rendered, its links signed, composed, signed. */
function complete(n: number, keys: readonly DkimSigningKey[]): Buffer {
  const made = composeOutgoingMessage(ready(n, keys), tokens, Date.now())
  if ('cancellation' in made) throw new Error(JSON.stringify(made.cancellation))
  if (!('bytes' in made.outgoing)) throw new Error('no e-mail')
  const { bytes } = made.outgoing
  return Buffer.concat(bytes instanceof Uint8Array ? [bytes] : bytes)
}

/** A message of ours, rendered. */
function renderedContent(): RenderedMessage<readonly TextPiece[]> {
  const { contact, version, stamp } = ready(1, []).message
  const rendered = renderMessagePieces(compiled, {
    mode: 'live',
    scope: buildMessageRenderScope(ready(1, []), {
      contact: ready(1, []).owner.valuesOf(person(1)),
      related: null,
      zone: 'UTC',
      now: 0,
    }),
    links: {
      account: ACCOUNT,
      sourceKind: 'action',
      source: 12,
      version,
      contact: contact ?? 0,
      stamp: stamp.id,
      trackingUrl: source.sender.trackingUrl,
      key: tokens.signing(ACCOUNT),
    },
    zone: 'UTC',
    pixel: true,
    strict: false,
  })
  if (rendered.outcome !== 'rendered') throw new Error(rendered.message)
  return rendered
}

/** Composed from a rendered content, in the pieces in which a sender has it, and signed. */
function composer(
  { parts: { html = [], text = [] } }: RenderedMessage<readonly TextPiece[]>,
  keys: readonly DkimSigningKey[],
): (n: number) => Buffer {
  return (n) => {
    const mail = composeMail({
      from: { address: `letter@${DOMAIN}`, label: 'The Orchard' },
      to: { address: `ann${n}@mail.example` },
      subject: `Ann ${n}, les poires sont arrivées`,
      timeMs: Date.now(),
      stamp: createUuidV7(Date.now()),
      stampToken: 'x'.repeat(50),
      purpose: 'marketing',
      feedbackId: '00000C:ACME001:campaign:stentor',
      unsubscribe: { url: UNSUBSCRIBE, address: `unsub+${'x'.repeat(50)}@b.${DOMAIN}` },
      content: { html, text, format: 2, encode },
    })
    if ('invalidAddress' in mail) throw new Error(mail.invalidAddress)
    return toMailBytes(signMail(mail, keys))
  }
}

/** The same content by nodemailer, to which its parts are whole. */
function nodemailer(
  rendered: RenderedMessage<readonly TextPiece[]>,
  key?: DkimSigningKey,
): (n: number) => Promise<unknown> {
  const { html = [], text = [] } = rendered.parts
  const content = { html: joinTextPieces(html), text: joinTextPieces(text) }
  const privateKey = key?.key.export({ type: 'pkcs8', format: 'pem' }).toString()
  const transport = createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'windows',
    ...(key && { dkim: { domainName: DOMAIN, keySelector: key.selector, privateKey } }),
  })
  return (n) =>
    transport.sendMail({
      from: { name: 'The Orchard', address: `letter@${DOMAIN}` },
      to: `ann${n}@mail.example`,
      subject: `Ann ${n}, les poires sont arrivées`,
      headers: { Precedence: 'bulk', 'X-Stamp': 'x'.repeat(50), 'Feedback-ID': '00000C:ACME001:campaign:stentor' },
      list: { unsubscribe: UNSUBSCRIBE },
      ...content,
    })
}

/** Messages in a second of one core's time, and not of the clock: other load on the machine matters less. */
async function perSecond(make: (n: number) => unknown): Promise<number> {
  const started = process.cpuUsage()
  for (let n = 0; n < MESSAGES; n += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => make(n + index)))
  const { user, system } = process.cpuUsage(started)
  return (MESSAGES * 1e6) / (user + system)
}

async function makers(): Promise<Record<string, (n: number) => unknown>> {
  const rsa = await signingKey('rsa-sha256')
  const both = [rsa, await signingKey('ed25519-sha256')]
  const content = renderedContent()
  return {
    composed: composer(content, []),
    nodemailer: nodemailer(content),
    signed: composer(content, [rsa]),
    nodemailerSigned: nodemailer(content, rsa),
    complete: (n) => complete(n, both),
  }
}

/**
 * Messages a second and core. `signed` and `nodemailerSigned` are given the same rendered content and sign it with one
 * rsa-2048 key: `ratioToNodemailer` compares them, at least 3. `composed` and `nodemailer` do not sign. `complete` is the
 * whole way of a message, from a contact's values to bytes with both signatures. All figures are medians of rounds, and
 * ratios those of the ratios: what the machine has left for us varies from round to round.
 */
export const benchmark: Benchmark = async (report) => {
  const rounds: Record<string, number>[] = []
  const made = Object.entries(await makers())
  for (let round = 0; round <= ROUNDS; round++) {
    const figures: Record<string, number> = {}
    for (const [name, make] of made) figures[name] = await perSecond(make)
    const shown = made.map(([name]) => `${name} ${Math.round(figures[name] ?? 0)}`)
    report(`${round === 0 ? 'warming up' : `round ${round}`}: ${shown.join(', ')}`)
    if (round > 0) rounds.push(figures)
  }
  const of = (name: string): number => median(rounds.map((figures) => figures[name] ?? 0))
  const ratio = (ours: string, theirs: string): number =>
    rounded(median(rounds.map((figures) => (figures[ours] ?? 0) / (figures[theirs] ?? 1))))
  return {
    octetsPerMessage: complete(1, []).length,
    ...Object.fromEntries(made.map(([name]) => [`${name}PerSecond`, Math.round(of(name))])),
    ratioUnsigned: ratio('composed', 'nodemailer'),
    ratioToNodemailer: ratio('signed', 'nodemailerSigned'),
  }
}
