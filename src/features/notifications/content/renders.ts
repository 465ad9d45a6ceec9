import type { MessageStamp } from '../../../channels/message.ts'
import { findPushPayloadError } from '../../../channels/push/compose.ts'
import {
  EMPTY_PUSH_RECIPIENT,
  type LivePushDevice,
  loadPushDevices,
  type PushRecipient,
} from '../../../channels/push/devices.ts'
import { buildPush, type MadePush, UnsendablePushError } from '../../../channels/push/make.ts'
import { requirePushSource } from '../../../channels/push/source.ts'
import { type ContentVersionSource, toContentSource } from '../../../channels/version-source.ts'
import type { ServiceContext } from '../../../context.ts'
import type { Db } from '../../../database/connection/connect.ts'
import { invalidRequestProblem, notFoundProblem } from '../../../lib/errors/problem.ts'
import { createUuidV7, parseUuid } from '../../../lib/ids.ts'
import type { PersonalFields } from '../../../lib/text/masking.ts'
import { buildPreviewInput, type MessageTemplateValues } from '../../../sending/prepare/preview-input.ts'
import { openSenderCache } from '../../../sending/prepare/sender-cache.ts'
import { type FoundContact, findContacts } from '../../contacts/records/find.ts'
import { maskContact } from '../../contacts/records/masked.ts'
import type { PushRenderItem, PushRenderResult } from '../item-schemas.ts'
import type { PushVersion } from '../notification-schemas.ts'
import { type FoundPushReceiver, findPushReceivers, parsePushReceiver } from '../sends/receivers.ts'
import { loadNotification, type NotificationKey, type StoredNotification } from '../stored.ts'
import { buildPushSource, loadPushSourceContext } from './drafts.ts'
import { applyPushOverrides } from './overrides.ts'

export type PushRenderContext = Pick<ServiceContext, 'db' | 'clock' | 'config' | 'renders' | 'tokens'>

type Failure = Extract<PushRenderResult, { type: 'error' }>['value']

const failure = (value: Failure): PushRenderResult => ({ type: 'error', value })

/** A version of a notification by its id, or the master. Throws notFound. */
export function requirePushVersion({ versions }: StoredNotification, id: string | null): PushVersion {
  const uuid = id === null ? null : parseUuid(id)
  const found = versions.find((version) => (uuid === null ? version.master : version.id === uuid))
  if (!found) throw notFoundProblem('version', id ?? '')
  return found
}

/** The stamp of a message that may name its own; `set` is for one that does not. */
export function buildPushStamp(
  { stamp }: Pick<PushRenderItem, 'stamp'>,
  newId: string,
  { set, now }: { set?: string; now: number },
): MessageStamp {
  const given = (id: string | null | undefined) => (id == null ? undefined : parseUuid(id))
  const id = given(stamp?.id) ?? newId
  return { id, thread: given(stamp?.thread) ?? id, set: given(stamp?.set) ?? set ?? id, time: stamp?.time ?? now }
}

/** Variables of an item, by name. */
export function toVariablesByName({
  variables,
}: Pick<PushRenderItem, 'variables'>): Record<string, unknown> | undefined {
  return variables ? Object.fromEntries(variables.map(({ key, value }) => [key, value])) : undefined
}

/** The devices that a preview may be for, and what their application has. */
async function factsFor(
  db: Db,
  { account, application }: StoredNotification,
  { contact, subscription }: FoundPushReceiver,
  now: number,
): Promise<PushRecipient> {
  if (application === null) return EMPTY_PUSH_RECIPIENT
  const request = { id: 1, account, application, contact: contact?.id ?? null, subscription }
  return (await loadPushDevices(db, [request], now)).get(1) ?? EMPTY_PUSH_RECIPIENT
}

function shown({ meta, render, tracking }: MadePush, hasDevice: boolean): PushRenderResult {
  const { application, subscription } = meta
  return {
    type: 'success',
    meta: {
      ...meta,
      application: application === '' ? null : application,
      subscription: hasDevice ? subscription : null,
    },
    render: { ...render, buttons: [...render.buttons] },
    tracking,
  }
}

/** Devices that stand for all: what is too long for one of these, or has nowhere to lead on iOS, is found. */
const ANY: Pick<LivePushDevice, 'provider' | 'token'> = { provider: 'firebase', token: '' }

interface Preview {
  context: PushRenderContext
  row: StoredNotification
  source: ContentVersionSource
  values: MessageTemplateValues
  /** What is masked: values are, and links are of no contact. */
  personal: PersonalFields | null
}

async function renderOne(
  { context, row, source, values, personal }: Preview,
  receiver: FoundPushReceiver,
): Promise<PushRenderResult> {
  const { db, clock, tokens, renders } = context
  const key = tokens.signing(row.account)
  const input = buildPreviewInput(source, values, { key, account: row.account, now: clock.now() })
  const rendered = await renders.render(toContentSource(source), input)
  if (rendered.outcome === 'cancelled') return failure({ type: 'cancelled', message: rendered.message })
  if (rendered.outcome === 'failed')
    return failure({ type: 'render', message: rendered.message, pointer: `/${rendered.part}` })
  const facts = await factsFor(db, row, receiver, clock.now())
  const [device] = facts.devices
  try {
    const made = buildPush(requirePushSource(source), (name) => rendered.parts[name] ?? '', {
      ...{ key, account: row.account, stamp: values.stamp, test: false, silent: true, names: facts },
      device: personal ? null : (device ?? (receiver.contact ? { id: NO_DEVICE, contact: receiver.contact.id } : null)),
    })
    const fault = findPushPayloadError(made, device ?? ANY)
    if (fault) throw fault
    return shown(made, device !== undefined)
  } catch (error) {
    if (!(error instanceof UnsendablePushError)) throw error
    return failure({ type: 'render', message: error.message, pointer: error.pointer })
  }
}

const NO_DEVICE = '00000000-0000-0000-0000-000000000000'

async function findRelated(
  db: Db,
  { account }: StoredNotification,
  { related }: PushRenderItem,
): Promise<FoundContact | null | undefined> {
  if (!related) return null
  return (await findContacts(db, account, [related]))[0]
}

/**
 * Shows a version as one receiver would get it: the master where none is named. Nothing is sent or stored, and nothing
 * that is reported to its addresses is recorded. `personal`: what is masked. Throws notFound, 400 for what names nobody.
 */
export async function renderNotification(
  context: PushRenderContext,
  key: NotificationKey,
  { version: asked, item, personal }: { version: string | null; item: PushRenderItem; personal: PersonalFields | null },
): Promise<PushRenderResult> {
  const { db, clock } = context
  const row = await loadNotification(db, key)
  const version = applyPushOverrides(requirePushVersion(row, asked), item)
  const given = item.receiver ?? item.recipient ?? null
  const faults: Parameters<typeof parsePushReceiver>[2] = []
  const named = given && parsePushReceiver(given, item.receiver ? '/receiver' : '/recipient', faults)
  if (faults.length > 0) throw invalidRequestProblem(faults)
  const [receiver] = await findPushReceivers(db, row, [named ?? null])
  if (!receiver) return failure({ type: 'recipient not found', recipient: given })
  const related = await findRelated(db, row, item)
  if (related === undefined) return failure({ type: 'related not found', related: item.related! })
  const source = buildPushSource(await loadPushSourceContext(context, key.account), row, version)
  const owner = await openSenderCache(db, clock).account(key.account)
  const now = clock.now()
  const variables = toVariablesByName(item)
  const values: MessageTemplateValues = {
    contact: receiver.contact && owner.valuesOf(maskContact(receiver.contact, personal)),
    related: related && owner.valuesOf(maskContact(related, personal)),
    ...(item.data && { data: item.data }),
    ...(variables && { variables }),
    stamp: buildPushStamp(personal ? {} : item, createUuidV7(now), { now }),
    zone: source.settings.timeZone,
  }
  return renderOne({ context, row, source, values, personal }, receiver)
}
