import { sql } from 'kysely'
import type { MailVersionContent } from '../../../channels/authored.ts'
import {
  type ChannelActionType,
  getChannelTraits,
  type SendingChannelName,
  sendingChannelNames,
} from '../../../channels/channel-traits.ts'
import type { PushVersionContent } from '../../../channels/push/content.ts'
import { pushChannelTraits } from '../../../channels/push/traits.ts'
import type { ContentVersionSource } from '../../../channels/version-source.ts'
import type { ServiceContext } from '../../../context.ts'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { badRequestProblem, notFoundProblem } from '../../../lib/errors/problem.ts'
import { formatContactId, parseUuid } from '../../../lib/ids.ts'
import { type ContactEligibility, checkContactEligibility } from '../../../sending/plan/check-eligibility.ts'
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
interface ReachabilityRequest {
  account: AccountId
  contact: number
  purpose: Purpose
  topic: string | null
}

const emptyMailContent: MailVersionContent = { subject: null, html: null, text: null, amp: null }
const emptyPushContent: Omit<PushVersionContent, 'application'> = {
  title: null,
  body: null,
  icon: null,
  thumbnail: null,
  image: null,
  buttons: [],
  redirection: null,
  channel: null,
  versionId: '',
  urgent: false,
}

/** A content of which nothing is made: `field` holds the address, `application` the devices. */
function buildEmptySource(
  channel: SendingChannelName,
  purpose: Purpose,
  of: { field?: number; application?: string },
): ContentVersionSource {
  return {
    channel,
    action: { id: 0, name: '', type: '' },
    account: { agency: '', customer: '', name: '' },
    settings: {
      purpose,
      contentFormat: 3,
      field: of.field ?? 0,
      culture: 'en',
      timeZone: 'UTC',
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
    content:
      getChannelTraits(channel).addressType === null
        ? { ...emptyPushContent, application: of.application ?? '' }
        : emptyMailContent,
    fields: [],
    forms: [],
    sender: { from: { prefix: '', domain: '', label: null }, reply: null, bounceDomain: '', trackingUrl: '' },
    test: null,
  }
}

/** The default address field of actions of a channel. `undefined` if the account has none. */
function findAddressField(channel: SendingChannelName, fields: readonly ContactFieldDefinition[]): number | undefined {
  const { actions, addressType } = getChannelTraits(channel)
  if (!actions || !fields.some(({ type }) => type === addressType)) return undefined
  return requireDefaultField(actions.message as ChannelActionType, fields)
}

async function listApplicationIds(db: Db, account: AccountId): Promise<string[]> {
  const { rows } = await sql<{
    id: string
  }>`select id from applications where account = ${account} order by id`.execute(db)
  return rows.map(({ id }) => id)
}

async function checkEligibility(
  context: ReachContext,
  { account, contact }: ReachabilityRequest,
  source: ContentVersionSource,
): Promise<ContactEligibility> {
  const [checkResult] = await checkContactEligibility(context, {
    account,
    source,
    contacts: [contact],
    isCampaign: false,
  })
  if (!checkResult) throw notFoundProblem('contact', formatContactId(contact))
  return checkResult
}

/** Returns the first application whose devices may be sent to, else the reasons of the last one. */
async function checkDevices(
  context: ReachContext,
  request: ReachabilityRequest,
  applications: readonly string[],
): Promise<ContactEligibility> {
  const deviceResults = await Promise.all(
    applications.map((application) =>
      checkEligibility(
        context,
        request,
        buildEmptySource(pushChannelTraits.sourceKind, request.purpose, { application }),
      ),
    ),
  )
  const bestResult = deviceResults.find(({ exclusions }) => exclusions.length === 0) ?? deviceResults.at(-1)
  return (
    bestResult ??
    checkEligibility(context, request, buildEmptySource(pushChannelTraits.sourceKind, request.purpose, {}))
  )
}

async function buildReachability(
  { db, clock }: ReachContext,
  { account, purpose, topic }: ReachabilityRequest,
  channel: SendingChannelName,
  { contact, exclusions }: ContactEligibility,
): Promise<ChannelReachability> {
  const pressure = resolveMessagePressure({ topic }, purpose)
  const stops = await forecastPressureStops(db, { account, channel, purpose, pressure, now: clock.now() }, [contact])
  const pressureStop = stops.get(contact.id)
  const exclusionReasons = exclusions.map(({ type, value }) => ({ type: type as string, value: value ?? null }))
  if (pressureStop)
    exclusionReasons.push({ type: 'marketing pressure', value: formatPressureStop(pressureStop, topic) })
  const waitUntilMs = pressureStop && exclusions.length === 0 ? pressureStop.waitUntil : null
  return {
    may: exclusionReasons.length === 0,
    until: waitUntilMs === null ? null : new Date(waitUntilMs).toISOString(),
    because: exclusionReasons,
  }
}

/** Contacts without a field for addresses of the channel cannot be sent to. */
const noAddressField: ChannelReachability = {
  may: false,
  until: null,
  because: [{ type: 'empty address', value: { field: null } }],
}

async function resolveTopic(db: Db, account: AccountId, topicText: string | undefined): Promise<string | null> {
  if (topicText === undefined) return null
  const topic = parseUuid(topicText)
  if (topic === undefined) throw badRequestProblem('topic', 'must be a UUID')
  await requirePressureTopics(db, account, [topic])
  return topic
}

/**
 * Checks if a message may be sent to a contact now, by channel: as new actions of the purpose would send it, with every reason in the
 * order of the checks, marketing pressure last. Throws notFound (contact, topic), 400.
 */
export async function readContactReachability(
  context: ReachContext,
  { account, contact }: { account: AccountId; contact: number },
  { purpose = 'marketing', topic: topicText }: ReachabilityQuery,
): Promise<ReachabilityResource> {
  const { db } = context
  const request: ReachabilityRequest = { account, contact, purpose, topic: await resolveTopic(db, account, topicText) }
  const { fields } = await loadContactDefinitions(db, account)
  const applications = await listApplicationIds(db, account)
  const channelResults = await Promise.all(
    sendingChannelNames.map(async (channel): Promise<[SendingChannelName, ChannelReachability]> => {
      if (getChannelTraits(channel).addressType === null)
        return [
          channel,
          await buildReachability(context, request, channel, await checkDevices(context, request, applications)),
        ]
      const fieldId = findAddressField(channel, fields)
      // Judged nevertheless: an unknown contact is unknown on every channel.
      const checkResult = await checkEligibility(
        context,
        request,
        buildEmptySource(channel, purpose, { field: fieldId ?? 0 }),
      )
      return [
        channel,
        fieldId === undefined ? noAddressField : await buildReachability(context, request, channel, checkResult),
      ]
    }),
  )
  return Object.fromEntries(channelResults) as ReachabilityResource
}
