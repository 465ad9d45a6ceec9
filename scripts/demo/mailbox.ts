import { createHash } from 'node:crypto'
import { type Sink, type SinkAnswer, type SinkEvent, startSink } from '../../test/fakes/mail/smtp-sink.ts'

/** What a person can do with a received message: the addresses found in it. */
export interface Received {
  address: string
  pixel: string
  links: string[]
  oneClick: string
}

/** The mail server of the demo: what it counted, and a share of the messages it took, opened up. */
export interface Mailbox {
  sink: Sink
  /** Messages it took, proofs left out. */
  received: number
  /** Addresses it refused for good. */
  refused: Set<string>
  share: Received[]
}

const PROOF = 'proof@demo.example'
/** One address of so many is refused, deferred once, or read by its person. */
const REFUSED_OF = 50
const DEFERRED_OF = 200
const READ_OF = 5

/** A number that is the same for the same address. */
function draw(address: string, of: number, purpose: string): boolean {
  return createHash('sha256').update(`${purpose} ${address}`).digest().readUInt32BE(0) % of === 0
}

/** Whether this person reads the letter, and does so in the given way. */
export function does(address: string, purpose: 'open' | 'click' | 'click twice' | 'leave'): boolean {
  const share = { open: 1, click: 2, 'click twice': 6, leave: 25 }[purpose]
  return draw(address, share, purpose)
}

/** Quoted-printable (RFC 2045, 6.7) back to text. */
function decode(part: string): string {
  const bytes = part
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

function unfold(headers: string, name: string): string {
  return new RegExp(`^${name}: ((?:.|\\r\\n[ \\t])*)`, 'im').exec(headers)?.[1]?.replace(/\r\n[ \t]/g, ' ') ?? ''
}

/** Takes the addresses out of a message as a mail reader would. */
export function openUp(address: string, bytes: Buffer): Received {
  const text = bytes.toString('latin1')
  const headers = text.slice(0, text.indexOf('\r\n\r\n'))
  const html = decode(text.slice(text.search(/^content-type: text\/html/im)))
  const found = [...html.matchAll(/<a\b[^>]*?href="([^"]+)"/g)].map(([, href]) => href!.replaceAll('&amp;', '&'))
  return {
    address,
    pixel: /<img src="([^"]+\/t\/o\/[^"]+)"/.exec(html)?.[1] ?? '',
    links: found.filter((href) => href.includes('/t/r/')),
    oneClick: /<(https?:[^>]+)>/.exec(unfold(headers, 'List-Unsubscribe'))?.[1] ?? '',
  }
}

/** Starts a mail server on loopback that takes most messages, refuses some addresses for good and defers a few once. */
export async function startMailbox(): Promise<Mailbox> {
  const refused = new Set<string>()
  function behave({ stage, address, attempt }: SinkEvent): SinkAnswer {
    if (stage !== 'rcpt' || address === PROOF) return undefined
    if (draw(address, REFUSED_OF, 'refuse')) {
      refused.add(address)
      return { code: 550, text: '5.1.1 no such mailbox here' }
    }
    return attempt === 1 && draw(address, DEFERRED_OF, 'defer')
      ? { code: 451, text: '4.7.1 greylisted, try again later' }
      : undefined
  }
  const mailbox: Omit<Mailbox, 'sink'> = { received: 0, refused, share: [] }
  const sink = await startSink({
    behave,
    keep: 'pass',
    onMessage({ to, bytes }) {
      const [address = ''] = to
      if (address === PROOF) return
      mailbox.received++
      if (draw(address, READ_OF, 'read')) mailbox.share.push(openUp(address, bytes))
    },
  })
  return Object.assign(mailbox, { sink })
}

export const proofAddress = PROOF
