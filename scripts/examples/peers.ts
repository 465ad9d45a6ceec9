import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { simpleParser } from 'mailparser'
import { type DnsServer, startDnsServer } from '../../test/fakes/mail/dns-server.ts'
import { refusing, type Sink, startSink } from '../../test/fakes/mail/smtp-sink.ts'
import { type RbmPeer, startRbmPeer } from '../../test/fakes/rcs/rbm-peer.ts'
import { type SmsHttpPeer, startSmsHttpPeer } from '../../test/fakes/sms/sms-http-peer.ts'
import { type Receiver, startReceiver } from '../../test/fakes/web/webhook-receiver.ts'
import { type PushServices, startPushServices } from '../../test/support/stages/push-services.ts'

/** The servers on this machine that stand for those of providers. */
export interface ExamplePeers {
  mail: Sink
  sms: SmsHttpPeer
  rcs: RbmPeer
  push: PushServices
  dns: DnsServer
  webhook: Receiver
  /** Those that the service may reach. */
  hosts: string[]
  /** The connection breaks when the next mail to these addresses is there, before the answer to it. */
  broken: Set<string>
  /** Reads the last mail to an address. */
  readMail(address: string): Promise<ReadMail>
  close(): Promise<unknown>
}

export interface ReadMail {
  /** Addresses of links, in order. */
  links: string[]
  /** The address that failures are reported to. */
  returnPath: string
  raw: string
  html: string
}

/** An address whose mailbox does not exist. */
export const REFUSED_ADDRESS = 'ben@mailbox.example'

const ATTRIBUTE_LINK = /(?:href|src)="(https?:\/\/[^"]+)"/g

async function readLastMail({ messages }: Sink, address: string): Promise<ReadMail> {
  const message = messages.findLast(({ to }) => to.includes(address))
  if (!message) throw new Error(`there is no mail to ${address}`)
  const { html } = await simpleParser(message.bytes)
  const text = html || ''
  return {
    html: text,
    links: [...text.matchAll(ATTRIBUTE_LINK)].map(([, url = '']) => url.replaceAll('&amp;', '&')),
    returnPath: message.from,
    raw: message.bytes.toString('latin1'),
  }
}

/** Starts them. */
export async function startExamplePeers(): Promise<ExamplePeers> {
  const broken = new Set<string>()
  const refuse = refusing({ [REFUSED_ADDRESS]: '550 5.1.1 No such mailbox' })
  const mail = await startSink({
    behave: (event) => (event.stage === 'final' && broken.delete(event.address) ? 'drop' : refuse(event)),
  })
  let sentTexts = 0
  const sms = await startSmsHttpPeer(() => ({
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ messages: [{ id: `text-${++sentTexts}` }] }),
  }))
  const [rcs, push, dns, webhook] = [
    await startRbmPeer(),
    await startPushServices(),
    await startDnsServer(),
    await startReceiver(),
  ]
  setDefaultCACertificates([...getCACertificates(), push.authority])
  const pushHosts = Object.values(push.peers).map(({ host }) => host)
  return {
    mail,
    sms,
    rcs,
    push,
    dns,
    webhook,
    broken,
    hosts: [`127.0.0.1:${mail.port}`, `127.0.0.1:${sms.port}`, rcs.host, webhook.host, ...pushHosts],
    readMail: (address) => readLastMail(mail, address),
    close: () => Promise.all([mail, sms, rcs, push, dns, webhook].map((peer) => peer.close())),
  }
}
