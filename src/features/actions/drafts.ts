import type { Authoring } from '../../channels/channel.ts'
import { channelOfAction, factsOf } from '../../channels/facts.ts'
import { loadChannel } from '../../channels/registry.ts'
import type { VersionSource } from '../../channels/version-source.ts'
import type { Context } from '../../context.ts'
import { describeAccount } from '../accounts/accounts.ts'
import { readSendingSettings } from '../accounts/sending-settings.ts'
import type { SendingSettings } from '../accounts/sending-settings-schemas.ts'
import { loadFields } from '../fields/definitions.ts'
import { formIds } from '../forms/forms.ts'
import type { FlawShown } from '../rendering/flaw-schemas.ts'
import { pressureOf } from './document.ts'
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
    pressure: pressureOf(settings),
  }
}

/** What stands before the subject of a proof, or before its text when it is an SMS. */
export function proofPrefix(type: StoredAction['type'], sending: SendingSettings): string {
  const { testPrefix } = factsOf(channelOfAction(type))
  return testPrefix === null ? '' : sending[testPrefix]
}

/** Everything an action is made of, from it and its account; `test` is a test's own. */
export async function draftOf(
  { db, config }: Pick<Context, 'db' | 'config'>,
  action: StoredAction,
  test: { variables: Record<string, unknown> } | null,
): Promise<Draft> {
  const { authoring } = await loadChannel(channelOfAction(action.type))
  return draftFrom({ db, config }, action, authoring, test)
}

/** As draftOf, with the sender as it is resolved. */
export async function draftFrom(
  { db, config }: Pick<Context, 'db' | 'config'>,
  action: StoredAction,
  { resolveSender }: Pick<Authoring, 'resolveSender'>,
  test: { variables: Record<string, unknown> } | null,
): Promise<Draft> {
  const { account, id, name, type, content, settings } = action
  const { fields, settings: contacts } = await loadFields(db, account)
  const sending = await readSendingSettings(db, account)
  const { identity, name: accountName } = await describeAccount(db, account)
  const channel = channelOfAction(type)
  const named = `${identity.agency}${identity.customer}`
  const resolved = resolveSender({ settings, content, sending, accountCode: named, publicUrl: config.publicUrl })
  const { errors, findings, ...from } = resolved
  const source: VersionSource = {
    channel,
    action: { id, name, type },
    account: { agency: identity.agency, customer: identity.customer, name: accountName },
    settings: settingsOf(action, sending, contacts.timeZone),
    content: factsOf(channel).frozen(content),
    fields: fields.map((field) => ({ id: field.id, name: field.name })),
    forms: await formIds(db, account),
    ...from,
    test: test && { subjectPrefix: proofPrefix(type, sending), variables: test.variables },
  }
  return { source, sending, errors, findings }
}
