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

type RenderFailure = Extract<PushRenderResult, { type: 'error' }>['value']

const createFailure = (value: RenderFailure): PushRenderResult => ({ type: 'error', value })

/** A version of a notification by its id, or the master. Throws notFound. */
export function requirePushVersion({ versions }: StoredNotification, id: string | null): PushVersion {
  const uuid = id === null ? null : parseUuid(id)
  const matchingVersion = versions.find((version) => (uuid === null ? version.master : version.id === uuid))
  if (!matchingVersion) throw notFoundProblem('version', id ?? '')
  return matchingVersion
}

/** The stamp of a message that may name its own; `set` is for one that does not. */
export function buildPushStamp(
  { stamp }: Pick<PushRenderItem, 'stamp'>,
  newId: string,
  { set: defaultSet, now }: { set?: string; now: number },
): MessageStamp {
  const parseStampId = (id: string | null | undefined) => (id == null ? undefined : parseUuid(id))
  const id = parseStampId(stamp?.id) ?? newId
  return {
    id,
    thread: parseStampId(stamp?.thread) ?? id,
    set: parseStampId(stamp?.set) ?? defaultSet ?? id,
    time: stamp?.time ?? now,
  }
}

/** Variables of an item, by name. */
export function toVariablesByName({
  variables,
}: Pick<PushRenderItem, 'variables'>): Record<string, unknown> | undefined {
  return variables ? Object.fromEntries(variables.map(({ key, value }) => [key, value])) : undefined
}

/** The devices that a preview may be for, and what their application has. */
async function loadPreviewDevices(
  db: Db,
  { account, application }: StoredNotification,
  { contact, subscription }: FoundPushReceiver,
  now: number,
): Promise<PushRecipient> {
  if (application === null) return EMPTY_PUSH_RECIPIENT
  const request = { id: 1, account, application, contact: contact?.id ?? null, subscription }
  return (await loadPushDevices(db, [request], now)).get(1) ?? EMPTY_PUSH_RECIPIENT
}

function toSuccessResult({ meta, render, tracking }: MadePush, hasDevice: boolean): PushRenderResult {
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
const STRICTEST_DEVICE: Pick<LivePushDevice, 'provider' | 'token'> = { provider: 'firebase', token: '' }

interface PreviewInput {
  context: PushRenderContext
  row: StoredNotification
  source: ContentVersionSource
  values: MessageTemplateValues
  /** Personal fields to mask: values are masked, and links belong to no contact. */
  personal: PersonalFields | null
}

async function renderPreview(
  { context, row, source, values, personal }: PreviewInput,
  receiver: FoundPushReceiver,
): Promise<PushRenderResult> {
  const { db, clock, tokens, renders } = context
  const key = tokens.signing(row.account)
  const input = buildPreviewInput(source, values, { key, account: row.account, now: clock.now() })
  const rendered = await renders.render(toContentSource(source), input)
  if (rendered.outcome === 'cancelled') return createFailure({ type: 'cancelled', message: rendered.message })
  if (rendered.outcome === 'failed')
    return createFailure({ type: 'render', message: rendered.message, pointer: `/${rendered.part}` })
  const previewDevices = await loadPreviewDevices(db, row, receiver, clock.now())
  const [device] = previewDevices.devices
  try {
    const builtPush = buildPush(requirePushSource(source), (name) => rendered.parts[name] ?? '', {
      key,
      account: row.account,
      stamp: values.stamp,
      test: false,
      silent: true,
      names: previewDevices,
      device: personal
        ? null
        : (device ?? (receiver.contact ? { id: NO_DEVICE_ID, contact: receiver.contact.id } : null)),
    })
    const payloadError = findPushPayloadError(builtPush, device ?? STRICTEST_DEVICE)
    if (payloadError) throw payloadError
    return toSuccessResult(builtPush, device !== undefined)
  } catch (error) {
    if (!(error instanceof UnsendablePushError)) throw error
    return createFailure({ type: 'render', message: error.message, pointer: error.pointer })
  }
}

const NO_DEVICE_ID = '00000000-0000-0000-0000-000000000000'

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
  {
    version: requestedVersion,
    item,
    personal,
  }: { version: string | null; item: PushRenderItem; personal: PersonalFields | null },
): Promise<PushRenderResult> {
  const { db, clock } = context
  const row = await loadNotification(db, key)
  const version = applyPushOverrides(requirePushVersion(row, requestedVersion), item)
  const rawReceiver = item.receiver ?? item.recipient ?? null
  const faults: Parameters<typeof parsePushReceiver>[2] = []
  const parsedReceiver =
    rawReceiver && parsePushReceiver(rawReceiver, item.receiver ? '/receiver' : '/recipient', faults)
  if (faults.length > 0) throw invalidRequestProblem(faults)
  const [receiver] = await findPushReceivers(db, row, [parsedReceiver ?? null])
  if (!receiver) return createFailure({ type: 'recipient not found', recipient: rawReceiver })
  const related = await findRelated(db, row, item)
  if (related === undefined) return createFailure({ type: 'related not found', related: item.related! })
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
  return renderPreview({ context, row, source, values, personal }, receiver)
}
