import type { Stamp } from '../../../channels/message.ts'
import { payloadError } from '../../../channels/push/compose.ts'
import { type LiveDevice, loadDevices, NO_PUSH_FACTS, type PushFacts } from '../../../channels/push/devices.ts'
import { type MadePush, makePush, Unsendable } from '../../../channels/push/make.ts'
import { pushSourceOf } from '../../../channels/push/source.ts'
import { contentSourceOf, type VersionSource } from '../../../channels/version-source.ts'
import type { Context } from '../../../context.ts'
import type { Db } from '../../../database/connection/connect.ts'
import { invalid, notFound } from '../../../lib/errors/problem.ts'
import { readUuid, uuidV7 } from '../../../lib/ids.ts'
import type { Personal } from '../../../lib/text/masking.ts'
import { type MessageValues, previewInput } from '../../../sending/prepare/preview-input.ts'
import { openSenderCache } from '../../../sending/prepare/sender-cache.ts'
import { type FoundContact, findContacts } from '../../contacts/records/find.ts'
import { maskedContact } from '../../contacts/records/masked.ts'
import type { PushRenderItem, PushRenderResult } from '../item-schemas.ts'
import type { Version } from '../notification-schemas.ts'
import { type FoundReceiver, findReceivers, readReceiver } from '../sends/receivers.ts'
import { loadNotification, type NotificationKey, type StoredNotification } from '../stored.ts'
import { loadSurroundings, sourceOf } from './drafts.ts'
import { withOverrides } from './overrides.ts'

export type RenderContext = Pick<Context, 'db' | 'clock' | 'config' | 'renders' | 'tokens'>

type Failure = Extract<PushRenderResult, { type: 'error' }>['value']

const failure = (value: Failure): PushRenderResult => ({ type: 'error', value })

/** A version of a notification by its id, or the master. Throws notFound. */
export function versionNamed({ versions }: StoredNotification, id: string | null): Version {
  const uuid = id === null ? null : readUuid(id)
  const found = versions.find((version) => (uuid === null ? version.master : version.id === uuid))
  if (!found) throw notFound('version', id ?? '')
  return found
}

/** The stamp of a message that may name its own; `set` is for one that does not. */
export function stampOf(
  { stamp }: Pick<PushRenderItem, 'stamp'>,
  newId: string,
  { set, now }: { set?: string; now: number },
): Stamp {
  const given = (id: string | null | undefined) => (id == null ? undefined : readUuid(id))
  const id = given(stamp?.id) ?? newId
  return { id, thread: given(stamp?.thread) ?? id, set: given(stamp?.set) ?? set ?? id, time: stamp?.time ?? now }
}

/** Variables of an item, by name. */
export function variablesOf({ variables }: Pick<PushRenderItem, 'variables'>): Record<string, unknown> | undefined {
  return variables ? Object.fromEntries(variables.map(({ key, value }) => [key, value])) : undefined
}

/** The devices that a preview may be for, and what their application has. */
async function factsFor(
  db: Db,
  { account, application }: StoredNotification,
  { contact, subscription }: FoundReceiver,
  now: number,
): Promise<PushFacts> {
  if (application === null) return NO_PUSH_FACTS
  const request = { id: 1, account, application, contact: contact?.id ?? null, subscription }
  return (await loadDevices(db, [request], now)).get(1) ?? NO_PUSH_FACTS
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
const ANY: Pick<LiveDevice, 'provider' | 'token'> = { provider: 'firebase', token: '' }

interface Preview {
  context: RenderContext
  row: StoredNotification
  source: VersionSource
  values: MessageValues
  /** What is masked: values are, and links are of no contact. */
  personal: Personal | null
}

async function renderOne(
  { context, row, source, values, personal }: Preview,
  receiver: FoundReceiver,
): Promise<PushRenderResult> {
  const { db, clock, tokens, renders } = context
  const key = tokens.signing(row.account)
  const input = previewInput(source, values, { key, account: row.account, now: clock.now() })
  const rendered = await renders.render(contentSourceOf(source), input)
  if (rendered.outcome === 'cancelled') return failure({ type: 'cancelled', message: rendered.message })
  if (rendered.outcome === 'failed')
    return failure({ type: 'render', message: rendered.message, pointer: `/${rendered.part}` })
  const facts = await factsFor(db, row, receiver, clock.now())
  const [device] = facts.devices
  try {
    const made = makePush(pushSourceOf(source), (name) => rendered.parts[name] ?? '', {
      ...{ key, account: row.account, stamp: values.stamp, test: false, silent: true, names: facts },
      device: personal ? null : (device ?? (receiver.contact ? { id: NO_DEVICE, contact: receiver.contact.id } : null)),
    })
    const fault = payloadError(made, device ?? ANY)
    if (fault) throw fault
    return shown(made, device !== undefined)
  } catch (error) {
    if (!(error instanceof Unsendable)) throw error
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
  context: RenderContext,
  key: NotificationKey,
  { version: asked, item, personal }: { version: string | null; item: PushRenderItem; personal: Personal | null },
): Promise<PushRenderResult> {
  const { db, clock } = context
  const row = await loadNotification(db, key)
  const version = withOverrides(versionNamed(row, asked), item)
  const given = item.receiver ?? item.recipient ?? null
  const faults: Parameters<typeof readReceiver>[2] = []
  const named = given && readReceiver(given, item.receiver ? '/receiver' : '/recipient', faults)
  if (faults.length > 0) throw invalid(faults)
  const [receiver] = await findReceivers(db, row, [named ?? null])
  if (!receiver) return failure({ type: 'recipient not found', recipient: given })
  const related = await findRelated(db, row, item)
  if (related === undefined) return failure({ type: 'related not found', related: item.related! })
  const source = sourceOf(await loadSurroundings(context, key.account), row, version)
  const owner = await openSenderCache(db, clock).account(key.account)
  const now = clock.now()
  const variables = variablesOf(item)
  const values: MessageValues = {
    contact: receiver.contact && owner.valuesOf(maskedContact(receiver.contact, personal)),
    related: related && owner.valuesOf(maskedContact(related, personal)),
    ...(item.data && { data: item.data }),
    ...(variables && { variables }),
    stamp: stampOf(personal ? {} : item, uuidV7(now), { now }),
    zone: source.settings.timeZone,
  }
  return renderOne({ context, row, source, values, personal }, receiver)
}
