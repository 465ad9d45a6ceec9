import type { Story, StoryCall } from '../story.ts'
import type { ShopContacts } from './contacts.ts'
import type { ShopEmails } from './emails.ts'
import type { ShopTexts } from './texts.ts'

const JSON_LIST = { accept: 'application/json' }

/** Hits of robots are listed only where they are asked for. */
const HITS: Record<string, string> = {
  Hit: 'letter',
  OpenHit: 'letter',
  RedirectionHit: 'letter',
  UnsubscribeHit: 'letter',
  MirrorHit: 'letter',
  FormHit: 'letter',
}

/** The action whose history has something of a kind. */
const EVENTS: Record<string, string> = {
  '': 'letter',
  Activation: 'letter',
  Cancellation: 'letter',
  Bounce: 'letter',
  Complaint: 'letter',
  StopResponse: 'tasting',
  ...HITS,
}
const REACTIVITIES: Record<string, string> = {
  '': 'letter',
  Bounce: 'letter',
  Complaint: 'letter',
  StopResponse: 'tasting',
  ...HITS,
}

/** The contact whose history has something of a kind. */
const CONTACTS: Record<string, string> = {
  '': 'Maya',
  Activation: 'Maya',
  Bounce: 'Ben',
  Complaint: 'Omar',
  StopResponse: 'Tom',
  Hit: 'Maya',
  OpenHit: 'Tom',
  RedirectionHit: 'Maya',
  UnsubscribeHit: 'Lucy',
  MirrorHit: 'Maya',
  FormHit: 'Priya',
}

async function readActionHistory(call: Story['call'], actions: Record<string, string>): Promise<void> {
  const list = (operationId: string, more: StoryCall = {}) => call(operationId, { headers: JSON_LIST, ...more })
  for (const [kind, name] of Object.entries(EVENTS)) {
    await list(`listAllAction${kind}Events`)
    await list(`listAction${kind}Events`, { path: { id: actions[name]! } })
  }
  for (const [kind, name] of Object.entries(REACTIVITIES)) {
    await list(`listAllAction${kind}Reactivities`)
    await list(`listAction${kind}Reactivities`, { path: { id: actions[name]! } })
  }
}

async function readContactHistory(call: Story['call'], contacts: Record<string, string>): Promise<void> {
  for (const [kind, name] of Object.entries(CONTACTS)) {
    const id = contacts[name]!
    const query = { unicity: `${name.toLowerCase()}@mailbox.example` }
    await call(`listTarget${kind}EventsByQuery`, { query, headers: JSON_LIST })
    // These two have no address with an ID in the path.
    if (kind !== 'Complaint' && kind !== 'StopResponse')
      await call(`listTarget${kind}Events`, { path: { id }, headers: JSON_LIST })
  }
}

async function exportFiles({ call, settle, service, follow }: Story, letter: string): Promise<void> {
  const path = { id: letter }
  await call('exportActionRecipients', { path })
  await call('exportActionOpens', { path })
  await call('exportActionClicks', { path })
  await call('mailActionOpens', { path })
  await call('mailActionClicks', { path })
  await call('mailActionRecipients', { path })
  await settle()
  const { raw } = await service.peers.readMail('nora@harbourtea.example')
  const [, token = ''] = /\/exports\/([\w-]+)/.exec(raw.replaceAll('=\r\n', '')) ?? []
  await follow('downloadExport', `/exports/${token}`)
}

async function readArchives({ call, follow }: Story, { letter, stamp }: ShopEmails, maya: string): Promise<void> {
  const headers = { accept: 'application/json' }
  await call('listArchives', { headers })
  await call('listActionArchives', { path: { id: letter }, headers })
  const [archive] = await call('listActionTargetArchives', { path: { id: letter, target: maya }, headers })
  await call('listTargetArchives', { path: { id: maya }, headers })
  await call('listStampArchives', { path: { id: stamp }, headers })
  await follow('downloadArchive', new URL(archive.url ?? archive.address).pathname)
}

export async function readHistory(
  story: Story,
  { contacts }: ShopContacts,
  { emails, texts }: { emails: ShopEmails; texts: ShopTexts },
): Promise<void> {
  const { call } = story
  const { letter, stamp } = emails
  const maya = contacts['Maya']!
  await readActionHistory(call, { letter, tasting: texts.tasting })
  await readContactHistory(call, contacts)
  await call('listTargetTimeline', { path: { id: maya }, query: { limit: 2 } })
  await call('getMessage', { path: { stamp } })
  await call('getActionReport', { path: { id: letter } })
  await call('listActionReportContacts', { path: { id: letter }, query: { of: 'clicks', limit: 2 } })
  await call('getTargetReachability', { path: { id: maya }, query: { purpose: 'marketing' } })
  await exportFiles(story, letter)
  await readArchives(story, emails, maya)
}
