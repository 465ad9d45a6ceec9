import type { Context } from '../../context.ts'
import type { VersionSource } from '../../outbox/version.ts'
import { describeAccount } from '../accounts/accounts.ts'
import { readSendingSettings } from '../accounts/sending-settings.ts'
import type { SendingSettings } from '../accounts/sending-settings-schemas.ts'
import { loadFields } from '../fields/definitions.ts'
import { formIds } from '../forms/forms.ts'
import type { FlawShown } from '../rendering/flaw-schemas.ts'
import { resolveSender } from './mail-sender.ts'
import { resolveSmsSender } from './sms-sender.ts'
import { channelOf } from './states.ts'
import type { StoredAction } from './stored.ts'

/** An action's content as it would be frozen now. */
export interface Draft {
  source: VersionSource
  sending: SendingSettings
  /** What is wrong with its sender, and what there is to say of it. */
  errors: FlawShown[]
  findings: FlawShown[]
}

function settingsOf(
  { settings, scheduler }: StoredAction,
  sending: SendingSettings,
  timeZone: string,
): VersionSource['settings'] {
  const analyser = sending.webAnalysers.find(({ id }) => id === settings.webAnalyser)
  return {
    purpose: settings.purpose.type,
    contentFormat: settings.contentFormat ?? 3,
    field: settings.field,
    culture: settings.culture,
    timeZone,
    timeZoneField: scheduler?.timeZoneField ?? null,
    consent: settings.consent,
    priority: settings.priority,
    importance: settings.importance ?? false,
    environment: settings.environment,
    archive: settings.archive ?? false,
    analyser: analyser?.parameters ?? {},
    honeypot: sending.honeypotLink,
    openConsentField: sending.openConsentField,
  }
}

function contentOf({
  subject = null,
  html = null,
  text = null,
  amp = null,
  textContent = null,
}: StoredAction['content']): VersionSource['content'] {
  return { subject, html, text, amp, textContent }
}

/** Who an action's messages are from, by its channel, with what only that channel has. */
function senderOf(
  { type, content, settings }: StoredAction,
  sending: SendingSettings,
  { named, publicUrl }: { named: string; publicUrl: string },
): Pick<VersionSource, 'sender' | 'sms'> & Pick<Draft, 'errors' | 'findings'> {
  if (channelOf(type) === 'sms') return { ...resolveSmsSender(settings, sending, { named, publicUrl }), findings: [] }
  return resolveSender(content.headers ?? {}, settings.sendingProfile, sending, publicUrl)
}

/** What stands before the subject of a proof, or before its text when it is an SMS. */
export function proofPrefix(type: StoredAction['type'], sending: SendingSettings): string {
  return channelOf(type) === 'sms' ? sending.testTextPrefix : sending.testSubjectPrefix
}

/** Everything an action is made of, from it and its account; `test` is a test's own. */
export async function draftOf(
  { db, config }: Pick<Context, 'db' | 'config'>,
  action: StoredAction,
  test: { variables: Record<string, unknown> } | null,
): Promise<Draft> {
  const { account, id, name, type, content } = action
  const { fields, settings: contacts } = await loadFields(db, account)
  const sending = await readSendingSettings(db, account)
  const { identity, name: accountName } = await describeAccount(db, account)
  const named = `${identity.agency}${identity.customer}`
  const { errors, findings, ...from } = senderOf(action, sending, { named, publicUrl: config.publicUrl })
  const source: VersionSource = {
    channel: channelOf(type),
    action: { id, name, type },
    account: { agency: identity.agency, customer: identity.customer, name: accountName },
    settings: settingsOf(action, sending, contacts.timeZone),
    content: contentOf(content),
    fields: fields.map((field) => ({ id: field.id, name: field.name })),
    forms: await formIds(db, account),
    ...from,
    test: test && { subjectPrefix: proofPrefix(type, sending), variables: test.variables },
  }
  return { source, sending, errors, findings }
}
