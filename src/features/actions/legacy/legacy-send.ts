import { listFamilyActionTypes } from '../../../channels/action-families.ts'
import {
  type ChannelActionType,
  getActionChannel,
  getChannelTraits,
  type SendingChannelName,
} from '../../../channels/channel-traits.ts'
import type { ServiceContext } from '../../../context.ts'
import { badRequestProblem, invalidRequestProblem, notFoundProblem } from '../../../lib/errors/problem.ts'
import { formatContactId } from '../../../lib/ids.ts'
import { executeAction } from '../execution/executions.ts'
import type { ActionExecutionItem, MessageCopy } from '../execution/item-schemas.ts'
import type { ActionRef } from '../resource/action-repository.ts'
import { isSenderDomain } from '../resource/parse-action-body.ts'
import type { LegacySendBody } from './legacy-send-schemas.ts'

type FromHeader = NonNullable<NonNullable<ActionExecutionItem['headers']>['from']>

/** `news@shop.example`, or `The Shop <news@shop.example>` with or without quotes. */
const MAIL_FROM_PATTERN =
  /^(?:(?<label>[^<>]*)<)?\s*(?<prefix>[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64})@(?<domain>[^\s@<>]+)\s*(?<end>>?)$/

function parseMailFrom(text: string): FromHeader {
  const { label, prefix, domain = '', end } = MAIL_FROM_PATTERN.exec(text.trim())?.groups ?? {}
  const isWellFormed = prefix !== undefined && (label === undefined) === (end === '')
  if (!isWellFormed || !isSenderDomain(domain) || /^\.|\.\.|\.$/.test(prefix)) {
    throw badRequestProblem('/header/mailFrom', 'must be an address, or a name with the address in angle brackets')
  }
  const name = label?.trim().replace(/^"(.*)"$/, '$1') ?? ''
  return { prefix, domain, ...(name !== '' && { label: name }) }
}

function resolveFrom({ header, views }: LegacySendBody): FromHeader | undefined {
  if (header?.mailFrom != null) return parseMailFrom(header.mailFrom)
  const { fromLabel, fromPrefix } = views ?? {}
  if (fromLabel == null && fromPrefix == null) return undefined
  return { ...(fromPrefix != null && { prefix: fromPrefix }), ...(fromLabel != null && { label: fromLabel }) }
}

function toCopies({ cc, bcc }: LegacySendBody): MessageCopy[] {
  const toCopy = (as: 'cc' | 'bcc') => (id: string) => ({ type: 'id', value: id, as }) as const
  return [...(cc ?? []).map(toCopy('cc')), ...(bcc ?? []).map(toCopy('bcc'))]
}

/** The execution of one contact that a body of former times asks for. Throws 400 for a sender that is no address. */
function toExecutionItem(contact: number, body: LegacySendBody): ActionExecutionItem {
  const { data, attachments, header, views } = body
  const { html, text } = body.content ?? views ?? {}
  const [from, reply, subject] = [
    resolveFrom(body),
    header?.replyTo ?? views?.replyTo,
    header?.subject ?? views?.subject,
  ]
  const copies = toCopies(body)
  return {
    recipient: { type: 'id', value: formatContactId(contact) },
    ...(data != null && { data }),
    ...((html != null || text != null) && {
      content: { ...(html != null && { html }), ...(text != null && { text }) },
    }),
    ...((from || reply != null) && { headers: { ...(from && { from }), ...(reply != null && { reply }) } }),
    ...(subject != null && { subject }),
    ...(copies.length > 0 && { copies }),
    ...(attachments && { attachments }),
  }
}

async function requireActionAndContact({ db }: Pick<ServiceContext, 'db'>, { action, contact }: LegacySendTarget) {
  const { family, account, id } = action
  const row = await db
    .selectFrom('actions')
    .select('type')
    .where('account', '=', account)
    .where('id', '=', id)
    .where('type', 'in', listFamilyActionTypes(family))
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!row) throw notFoundProblem(family.title, family.showId(id))
  const contactQuery = db.selectFrom('contacts').select('id').where('account', '=', account).where('id', '=', contact)
  if (!(await contactQuery.executeTakeFirst())) throw notFoundProblem('target', formatContactId(contact))
  return getActionChannel(row.type as ChannelActionType)
}

/** Throws 400 naming the members that the channel has nothing to do with. */
function requireChannelMembersOnly(channel: SendingChannelName, body: LegacySendBody): void {
  const { foreignMembers, title } = getChannelTraits(channel)
  const knownMembers = foreignMembers.legacyKnown
  if (knownMembers === null) return
  const foreignNames = Object.entries(body).filter(([name, value]) => value != null && !knownMembers.includes(name))
  if (foreignNames.length === 0) return
  throw invalidRequestProblem(
    foreignNames.map(([name]) => ({ pointer: `/${name}`, detail: `is not allowed for an ${title} action` })),
  )
}

export interface LegacySendTarget {
  action: ActionRef
  contact: number
}

/**
 * Sends an action's message to one contact as an execution does, and gives the thread of its stamp. Throws notFound
 * (action, contact), 400, and conflict for the state or an override.
 */
export async function sendLegacyMessage(
  context: Pick<ServiceContext, 'db' | 'clock' | 'renders' | 'config'>,
  legacySend: LegacySendTarget,
  body: LegacySendBody,
): Promise<string> {
  const channel = await requireActionAndContact(context, legacySend)
  requireChannelMembersOnly(channel, body)
  const items = [toExecutionItem(legacySend.contact, body)]
  const [result] = await executeAction(context, legacySend.action, { items, isList: false, channel })
  if (result?.type === 'success') return result.id
  const value = result?.value
  if (value?.type === 'attachment')
    throw badRequestProblem('/attachments', `${value.name ?? 'together'}: ${value.message}`)
  if (value?.type === 'data') throw badRequestProblem('/data', value.message)
  throw notFoundProblem('target', formatContactId(legacySend.contact))
}
