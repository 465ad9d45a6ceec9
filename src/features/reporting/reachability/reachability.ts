import { sql } from 'kysely'
import type { MailVersionContent } from '../../../channels/authored.ts'
import {
  type ChannelActionType,
  getChannelTraits,
  type SendingChannelName,
  sendingChannelNames,
} from '../../../channels/facts.ts'
import type { PushVersionContent } from '../../../channels/push/content.ts'
import { pushChannelTraits } from '../../../channels/push/facts.ts'
import type { ContentVersionSource } from '../../../channels/version-source.ts'
import type { ServiceContext } from '../../../context.ts'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { badRequestProblem, notFoundProblem } from '../../../lib/errors/problem.ts'
import { formatContactId, parseUuid } from '../../../lib/ids.ts'
import { type ContactEligibility, checkContactEligibility } from '../../../sending/plan/eligibility.ts'
import { requireDefaultField } from '../../actions/resource/references.ts'
import type { ContactFieldDefinition } from '../../contacts/fields/field-schemas.ts'
import { loadContactDefinitions } from '../../contacts/fields/stored-definitions.ts'
import { forecastPressureStops } from '../../pressure/forecast.ts'
import { resolveMessagePressure } from '../../pressure/message-settings.ts'
import { formatPressureStop } from '../../pressure/stop-value.ts'
import { requirePressureTopics } from '../../pressure/topics.ts'
import type { ChannelReachability, ReachabilityQuery, ReachabilityResource } from './reach-schemas.ts'

type ReachContext = Pick<ServiceContext, 'db' | 'clock'>
type Purpose = 'marketing' | 'service'

/** A message as new actions would send it, of which nothing but who may get it is asked. */
interface Asked {
  account: AccountId
  contact: number
  purpose: Purpose
  topic: string | null
}

const noMail: MailVersionContent = { subject: null, html: null, text: null, amp: null }
const noPush: Omit<PushVersionContent, 'application'> = {
  ...{
    title: null,
    body: null,
    icon: null,
    thumbnail: null,
    image: null,
    buttons: [],
    redirection: null,
    channel: null,
  },
  ...{ versionId: '', urgent: false },
}

/** A content of which nothing is made: `field` holds the address, `application` the devices. */
function sourceOf(
  channel: SendingChannelName,
  purpose: Purpose,
  of: { field?: number; application?: string },
): ContentVersionSource {
  return {
    channel,
    action: { id: 0, name: '', type: '' },
    account: { agency: '', customer: '', name: '' },
    settings: {
      ...{
        purpose,
        contentFormat: 3,
        field: of.field ?? 0,
        culture: 'en',
        timeZone: 'UTC',
        timeZoneField: null,
        consent: 0,
      },
      ...{ priority: false, importance: false, environment: {}, archive: false, analyser: {}, honeypot: false },
      openConsentField: null,
    },
    content: getChannelTraits(channel).addressType === null ? { ...noPush, application: of.application ?? '' } : noMail,
    fields: [],
    forms: [],
    sender: { from: { prefix: '', domain: '', label: null }, reply: null, bounceDomain: '', trackingUrl: '' },
    test: null,
  }
}

/** The field that actions of a channel send to when they name none; undefined where the account has none. */
function addressField(channel: SendingChannelName, fields: readonly ContactFieldDefinition[]): number | undefined {
  const { actions, addressType } = getChannelTraits(channel)
  if (!actions || !fields.some(({ type }) => type === addressType)) return undefined
  return requireDefaultField(actions.message as ChannelActionType, fields)
}

async function applicationsOf(db: Db, account: AccountId): Promise<string[]> {
  const { rows } = await sql<{
    id: string
  }>`select id from applications where account = ${account} order by id`.execute(db)
  return rows.map(({ id }) => id)
}

async function judge(
  context: ReachContext,
  { account, contact }: Asked,
  source: ContentVersionSource,
): Promise<ContactEligibility> {
  const [judged] = await checkContactEligibility(context, { account, source, contacts: [contact], isCampaign: false })
  if (!judged) throw notFoundProblem('contact', formatContactId(contact))
  return judged
}

/** Of several applications the first whose devices may be sent to; else the last of the reasons. */
async function judgeDevices(
  context: ReachContext,
  asked: Asked,
  applications: readonly string[],
): Promise<ContactEligibility> {
  const each = await Promise.all(
    applications.map((application) =>
      judge(context, asked, sourceOf(pushChannelTraits.sourceKind, asked.purpose, { application })),
    ),
  )
  const reached = each.find(({ exclusions }) => exclusions.length === 0) ?? each.at(-1)
  return reached ?? judge(context, asked, sourceOf(pushChannelTraits.sourceKind, asked.purpose, {}))
}

async function reachOf(
  { db, clock }: ReachContext,
  { account, purpose, topic }: Asked,
  channel: SendingChannelName,
  { contact, exclusions }: ContactEligibility,
): Promise<ChannelReachability> {
  const pressure = resolveMessagePressure({ topic }, purpose)
  const stops = await forecastPressureStops(db, { account, channel, purpose, pressure, now: clock.now() }, [contact])
  const stop = stops.get(contact.id)
  const because = exclusions.map(({ type, value }) => ({ type: type as string, value: value ?? null }))
  if (stop) because.push({ type: 'marketing pressure', value: formatPressureStop(stop, topic) })
  const waits = stop && exclusions.length === 0 ? stop.waitUntil : null
  return { may: because.length === 0, until: waits === null ? null : new Date(waits).toISOString(), because }
}

/** Who has no field for addresses of the channel cannot be sent to. */
const nowhere: ChannelReachability = {
  may: false,
  until: null,
  because: [{ type: 'empty address', value: { field: null } }],
}

async function readTopic(db: Db, account: AccountId, given: string | undefined): Promise<string | null> {
  if (given === undefined) return null
  const topic = parseUuid(given)
  if (topic === undefined) throw badRequestProblem('topic', 'must be a uuid')
  await requirePressureTopics(db, account, [topic])
  return topic
}

/**
 * Whether a message may be sent to a contact now, by channel: as new actions of the purpose would, with every reason in the
 * order of the checks, marketing pressure last. Throws notFound (contact, topic), 400.
 */
export async function readContactReachability(
  context: ReachContext,
  { account, contact }: { account: AccountId; contact: number },
  { purpose = 'marketing', topic: given }: ReachabilityQuery,
): Promise<ReachabilityResource> {
  const { db } = context
  const asked: Asked = { account, contact, purpose, topic: await readTopic(db, account, given) }
  const { fields } = await loadContactDefinitions(db, account)
  const applications = await applicationsOf(db, account)
  const each = await Promise.all(
    sendingChannelNames.map(async (channel): Promise<[SendingChannelName, ChannelReachability]> => {
      if (getChannelTraits(channel).addressType === null)
        return [channel, await reachOf(context, asked, channel, await judgeDevices(context, asked, applications))]
      const field = addressField(channel, fields)
      // Judged nevertheless: an unknown contact is unknown on every channel.
      const judged = await judge(context, asked, sourceOf(channel, purpose, { field: field ?? 0 }))
      return [channel, field === undefined ? nowhere : await reachOf(context, asked, channel, judged)]
    }),
  )
  return Object.fromEntries(each) as ReachabilityResource
}
