import type { AuthoredContent } from '../../../channels/authored.ts'
import type { ResolvedSender } from '../../../channels/channel.ts'
import { getActionChannel, getChannelTraits } from '../../../channels/channel-traits.ts'
import { loadActionChannel } from '../../../channels/load-channel.ts'
import type { ContentVersionSource } from '../../../channels/version-source.ts'
import type { ServiceContext } from '../../../context.ts'
import { describeAccount } from '../../accounts/accounts.ts'
import { readSendingSettings } from '../../accounts/sending-settings.ts'
import type { AccountSendingSettings } from '../../accounts/sending-settings-schemas.ts'
import { loadContactDefinitions } from '../../contacts/fields/stored-definitions.ts'
import { listFormIds } from '../../forms/forms.ts'
import { loadRcsProfile } from '../../rcs-profiles/profiles.ts'
import type { ReportedFlaw } from '../../rendering/flaw-schemas.ts'
import { buildVersionContent } from '../experiments/versions.ts'
import { resolvePressureSettings } from '../resource/action-presenter.ts'
import type { StoredAction } from '../resource/action-repository.ts'

/** An action's content as it would be frozen now. */
export interface ActionContentSnapshot {
  source: ContentVersionSource
  sending: AccountSendingSettings
  /** Errors and findings of its sender. */
  errors: ReportedFlaw[]
  findings: ReportedFlaw[]
}

function buildVersionSettings(
  { settings, scheduler }: StoredAction,
  sending: AccountSendingSettings,
  timeZone: string,
): ContentVersionSource['settings'] {
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
    pressure: resolvePressureSettings(settings),
  }
}

/** Prefix of a proof's subject, or of its text if it is an SMS. */
export function proofPrefix(type: StoredAction['type'], sending: AccountSendingSettings): string {
  const { testPrefix } = getChannelTraits(getActionChannel(type))
  return testPrefix === null ? '' : sending[testPrefix]
}

/** Members of an action that decide the sender of its messages. */
type SenderAction = Pick<StoredAction, 'account' | 'type' | 'settings'>

/** An account as its contents know it, and who messages of one of its actions are from, for any content. */
export interface ActionSenderResolver {
  sending: AccountSendingSettings
  account: ContentVersionSource['account']
  resolve(content: AuthoredContent): ResolvedSender
}

/** Reads what `resolve` goes by. */
export async function loadActionSenders(
  { db, config }: Pick<ServiceContext, 'db' | 'config'>,
  { account, type, settings }: SenderAction,
): Promise<ActionSenderResolver> {
  const { authoring } = await loadActionChannel(getActionChannel(type))
  const sending = await readSendingSettings(db, account)
  const { identity, name } = await describeAccount(db, account)
  const { agency, customer } = identity
  const profile = settings.profile == null ? undefined : await loadRcsProfile(db, account, settings.profile)
  const senderInput = {
    settings,
    sending,
    accountCode: `${agency}${customer}`,
    publicUrl: config.publicUrl,
    ...(profile && { profile }),
  }
  return {
    sending,
    account: { agency, customer, name },
    resolve: (content) => authoring.resolveSender({ ...senderInput, content }),
  }
}

/** Everything an action is made of, from it and its account; `test` is a test's own. */
export async function snapshotActionContent(
  { db, config }: Pick<ServiceContext, 'db' | 'config'>,
  action: StoredAction,
  test: { variables: Record<string, unknown> } | null,
): Promise<ActionContentSnapshot> {
  const { account, id, name, type, content } = action
  const { fields, settings: contactSettings } = await loadContactDefinitions(db, account)
  const senders = await loadActionSenders({ db, config }, action)
  const { sending } = senders
  const channel = getActionChannel(type)
  const { errors, findings, ...senderFields } = senders.resolve(content)
  const source: ContentVersionSource = {
    channel,
    action: { id, name, type },
    account: senders.account,
    settings: buildVersionSettings(action, sending, contactSettings.timeZone),
    content: getChannelTraits(channel).frozen(content),
    fields: fields.map((field) => ({ id: field.id, name: field.name })),
    forms: await listFormIds(db, account),
    ...senderFields,
    test: test && { subjectPrefix: proofPrefix(type, sending), variables: test.variables },
  }
  return { source, sending, errors, findings }
}

/** One of the contents that an action sends: its own, or that of a version of its experiment. */
export interface VersionContentSnapshot {
  /** The id of the version; null: the action's own. */
  id: string | null
  draft: ActionContentSnapshot
}

/** The same fault or finding, said of a version. */
export const labelVersionFlaw = (id: string | null, flaw: ReportedFlaw): ReportedFlaw =>
  id === null ? flaw : { ...flaw, message: `Version ${id}: ${flaw.message}` }

/** The contents that are sent of an action: those of the versions where it has an experiment, else its own. */
export async function snapshotVersionContents(
  context: Pick<ServiceContext, 'db' | 'config'>,
  action: StoredAction,
  test: { variables: Record<string, unknown> } | null,
): Promise<VersionContentSnapshot[]> {
  const versions = action.settings.experiment?.versions
  if (!versions) return [{ id: null, draft: await snapshotActionContent(context, action, test) }]
  const drafts: VersionContentSnapshot[] = []
  for (const version of versions) {
    const content = buildVersionContent(action.content, version)
    drafts.push({ id: version.id, draft: await snapshotActionContent(context, { ...action, content }, test) })
  }
  return drafts
}
