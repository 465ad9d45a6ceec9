import type { Context } from '../../context.ts'
import { describeAccount } from '../accounts/accounts.ts'
import { readSendingSettings } from '../accounts/sending-settings.ts'
import type { SendingSettings } from '../accounts/sending-settings-schemas.ts'
import { loadFields } from '../fields/definitions.ts'
import type { VersionSource } from '../messages/version.ts'
import type { FlawShown } from './action-schemas.ts'
import { resolveSender } from './mail-sender.ts'
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

/** Everything an e-mail action is made of, from it and its account; `test` is a test's own. */
export async function draftOf(
  { db, config }: Pick<Context, 'db' | 'config'>,
  action: StoredAction,
  test: { variables: Record<string, unknown> } | null,
): Promise<Draft> {
  const { account, id, name, type, content, settings } = action
  const { fields, settings: contacts } = await loadFields(db, account)
  const sending = await readSendingSettings(db, account)
  const { identity, name: accountName } = await describeAccount(db, account)
  const { sender, errors, findings } = resolveSender(
    content.headers ?? {},
    settings.sendingProfile,
    sending,
    config.publicUrl,
  )
  const source: VersionSource = {
    channel: 'email',
    action: { id, name, type },
    // Campaigns that group actions come with a feature of their own; until then no action is in one.
    campaign: null,
    account: { agency: identity.agency, customer: identity.customer, name: accountName },
    settings: settingsOf(action, sending, contacts.timeZone),
    content: contentOf(content),
    fields: fields.map((field) => ({ id: field.id, name: field.name })),
    forms: [],
    sender,
    test: test && { subjectPrefix: sending.testSubjectPrefix, variables: test.variables },
  }
  return { source, sending, errors, findings }
}
