import type { AuthoredContent } from '../../../channels/authored.ts'
import type { ResolvedSender } from '../../../channels/channel.ts'
import { channelOfAction, factsOf } from '../../../channels/facts.ts'
import { loadAuthored } from '../../../channels/registry.ts'
import type { VersionSource } from '../../../channels/version-source.ts'
import type { Context } from '../../../context.ts'
import { describeAccount } from '../../accounts/accounts.ts'
import { readSendingSettings } from '../../accounts/sending-settings.ts'
import type { SendingSettings } from '../../accounts/sending-settings-schemas.ts'
import { loadFields } from '../../contacts/fields/stored-definitions.ts'
import { formIds } from '../../forms/forms.ts'
import { loadProfile } from '../../rcs-profiles/profiles.ts'
import type { FlawShown } from '../../rendering/flaw-schemas.ts'
import { contentOfVersion } from '../experiments/versions.ts'
import { pressureOf } from '../resource/action-presenter.ts'
import type { StoredAction } from '../resource/action-repository.ts'

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

/** Of an action, what decides who its messages are from. */
type Sent = Pick<StoredAction, 'account' | 'type' | 'settings'>

/** An account as its contents know it, and who messages of one of its actions are from, for any content. */
export interface Senders {
  sending: SendingSettings
  account: VersionSource['account']
  resolve(content: AuthoredContent): ResolvedSender
}

/** Reads what `resolve` goes by. */
export async function sendersOf(
  { db, config }: Pick<Context, 'db' | 'config'>,
  { account, type, settings }: Sent,
): Promise<Senders> {
  const { authoring } = await loadAuthored(channelOfAction(type))
  const sending = await readSendingSettings(db, account)
  const { identity, name } = await describeAccount(db, account)
  const { agency, customer } = identity
  const profile = settings.profile == null ? undefined : await loadProfile(db, account, settings.profile)
  const shared = {
    ...{ settings, sending, accountCode: `${agency}${customer}`, publicUrl: config.publicUrl },
    ...(profile && { profile }),
  }
  return {
    sending,
    account: { agency, customer, name },
    resolve: (content) => authoring.resolveSender({ ...shared, content }),
  }
}

/** Everything an action is made of, from it and its account; `test` is a test's own. */
export async function draftOf(
  { db, config }: Pick<Context, 'db' | 'config'>,
  action: StoredAction,
  test: { variables: Record<string, unknown> } | null,
): Promise<Draft> {
  const { account, id, name, type, content } = action
  const { fields, settings: contacts } = await loadFields(db, account)
  const senders = await sendersOf({ db, config }, action)
  const { sending } = senders
  const channel = channelOfAction(type)
  const { errors, findings, ...from } = senders.resolve(content)
  const source: VersionSource = {
    channel,
    action: { id, name, type },
    account: senders.account,
    settings: settingsOf(action, sending, contacts.timeZone),
    content: factsOf(channel).frozen(content),
    fields: fields.map((field) => ({ id: field.id, name: field.name })),
    forms: await formIds(db, account),
    ...from,
    test: test && { subjectPrefix: proofPrefix(type, sending), variables: test.variables },
  }
  return { source, sending, errors, findings }
}

/** One of the contents that an action sends: its own, or that of a version of its experiment. */
export interface DraftedContent {
  /** The id of the version; null: the action's own. */
  id: string | null
  draft: Draft
}

/** The same fault or finding, said of a version. */
export const saidOf = (id: string | null, flaw: FlawShown): FlawShown =>
  id === null ? flaw : { ...flaw, message: `Version ${id}: ${flaw.message}` }

/** The contents that are sent of an action: those of the versions where it has an experiment, else its own. */
export async function draftsOf(
  context: Pick<Context, 'db' | 'config'>,
  action: StoredAction,
  test: { variables: Record<string, unknown> } | null,
): Promise<DraftedContent[]> {
  const versions = action.settings.experiment?.versions
  if (!versions) return [{ id: null, draft: await draftOf(context, action, test) }]
  const drafts: DraftedContent[] = []
  for (const version of versions) {
    const content = contentOfVersion(action.content, version)
    drafts.push({ id: version.id, draft: await draftOf(context, { ...action, content }, test) })
  }
  return drafts
}
