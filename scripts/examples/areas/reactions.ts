import { setTimeout as delay } from 'node:timers/promises'
import { ingestMail } from '../../../src/features/inbound/mail/ingest.ts'
import { createUuidV7 } from '../../../src/lib/ids.ts'
import { PUBLIC_URL } from '../service.ts'
import type { Story, StoryAnswer } from '../story.ts'
import type { ShopContacts } from './contacts.ts'

/** A hit sooner than this after its message is a robot's. */
export const HUMAN_PAUSE_MS = 1500

const READER = {
  'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
}

/** Follows a link of a kind in the last letter to an address, as its reader does. */
async function followLinkOf(
  { service, follow }: Story,
  operationId: string,
  { address, kind, body }: { address: string; kind: string; body?: object },
): Promise<StoryAnswer> {
  const { links } = await service.peers.readMail(address)
  const link = links.find((one) => one.startsWith(`${PUBLIC_URL}/t/${kind}/`))
  if (!link) throw new Error(`the mail to ${address} has no link of kind ${kind}: ${links}`)
  const type = 'application/x-www-form-urlencoded'
  return follow(operationId, new URL(link).pathname, { headers: READER, ...(body && { body, type }) })
}

const complaintOf = (stamp: string): string =>
  [
    'From: Feedback <feedback@loop.example>',
    'To: fbl@news.harbourtea.example',
    'Subject: Email feedback report',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=feedback-report; boundary=b',
    '',
    '--b',
    'Content-Type: message/feedback-report',
    '',
    'Feedback-Type: abuse',
    'User-Agent: loop/1.0',
    'Version: 1',
    '',
    '--b',
    'Content-Type: message/rfc822',
    '',
    'From: Harbour Tea <hello@news.harbourtea.example>',
    `X-Stamp: ${stamp}`,
    '',
    'The first oolong of the autumn has arrived.',
    '',
    '--b--',
    '',
  ].join('\r\n')

/** Omar calls the letter unwanted in his mail program, whose provider reports it. */
async function complain({ service }: Story): Promise<void> {
  const { context, peers } = service
  const { raw } = await peers.readMail('omar@mailbox.example')
  const header =
    raw
      .replaceAll('\r\n ', ' ')
      .split('\r\n')
      .find((line) => line.startsWith('X-Stamp: ')) ?? ''
  const mail = {
    id: createUuidV7(Date.now()),
    receivedAt: Date.now(),
    addresses: [{ type: 'reports' as const, domain: 'news.harbourtea.example' }],
    raw: Buffer.from(complaintOf(header.slice('X-Stamp: '.length))),
  }
  const outcomes = await ingestMail({ ...context, publicHost: 'stentor.example', resolveTxt: async () => [] }, mail)
  if (!outcomes.includes('complaint')) throw new Error(`the complaint is taken as ${outcomes}`)
}

/** Reactions of readers to the letter of the season. */
export async function reactToLetter(story: Story, { fields }: ShopContacts): Promise<void> {
  const [maya, tom, lucy] = ['maya@mailbox.example', 'tom@mailbox.example', 'lucy@mailbox.example']
  const priya = 'priya@mailbox.example'
  await delay(HUMAN_PAUSE_MS)
  await followLinkOf(story, 'getPixel', { address: maya, kind: 'o' })
  await followLinkOf(story, 'getMirrorPage', { address: maya, kind: 'm' })
  await followLinkOf(story, 'followLink', { address: maya, kind: 'r' })
  await followLinkOf(story, 'getPixel', { address: tom, kind: 'o' })
  await followLinkOf(story, 'followLink', { address: tom, kind: 'r' })
  await followLinkOf(story, 'followRobotLink', { address: 'ada@mailbox.example', kind: 'h' })
  await followLinkOf(story, 'getUnsubscribePage', { address: lucy, kind: 'u' })
  await followLinkOf(story, 'unsubscribe', { address: lucy, kind: 'u', body: { confirm: '1' } })
  await followLinkOf(story, 'getFormPage', { address: priya, kind: 'f' })
  const answers = { [fields['FavouriteTea']!]: 'Oolong', [fields['City']!]: 'Vannes' }
  await followLinkOf(story, 'answerForm', { address: priya, kind: 'f', body: answers })
  await story.follow('followPreviewLink', '/t/preview')
  await complain(story)
  await story.settle()
}

/** Maya follows the link in the confirmation of her order, whose address was made for it. */
export async function followOrderLink(story: Story): Promise<void> {
  await delay(HUMAN_PAUSE_MS)
  await followLinkOf(story, 'followLinkWithTarget', { address: 'maya@mailbox.example', kind: 'r' })
}
