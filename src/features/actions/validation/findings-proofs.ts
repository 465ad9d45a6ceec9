import type { ActionChannelModule, RenderedProof } from '../../../channels/channel.ts'
import { loadActionChannel } from '../../../channels/load-channel.ts'
import type { MessageStamp } from '../../../channels/message.ts'
import { type ContentVersionSource, toContentSource } from '../../../channels/version-source.ts'
import type { ServiceContext } from '../../../context.ts'
import type { AccountId } from '../../../lib/account.ts'
import { createUuidV7, formatContactId } from '../../../lib/ids.ts'
import { resolveRecipientZone } from '../../../sending/plan/zone-moments.ts'
import type { RecipientContactRow } from '../../../sending/prepare/load-recipients.ts'
import { openSenderCache } from '../../../sending/prepare/sender-cache.ts'
import { findOldestCampaign } from '../../campaign-groups/oldest.ts'
import type { ReportedFlaw } from '../../rendering/flaw-schemas.ts'
import type { RenderOutcome } from '../../rendering/render.ts'
import { buildUnsentLinks, buildUnsentScope } from '../content/content-scopes.ts'

/** Result of a strict rendering of one contact's proof. */
export interface CheckedProof {
  contact: RecipientContactRow | null
  errors: ReportedFlaw[]
  findings: ReportedFlaw[]
  /** Present only if the proof was rendered. */
  rendered: RenderedProof | undefined
}

/** Errors that say the content is to be repaired, whichever contact shows them. */
const REPAIRABLE_ERROR_TYPES = ['limit', 'unknown-field', 'unknown-reference']

/** The stamp of a proof. `now` in milliseconds. */
function createProofStamp(setId: string, now: number): MessageStamp {
  const id = createUuidV7(now)
  return { id, thread: id, set: setId, time: now }
}

function checkRenderedProof(
  { authoring }: ActionChannelModule,
  source: ContentVersionSource,
  contact: RecipientContactRow | null,
  rendered: RenderOutcome,
): CheckedProof {
  return {
    contact,
    errors: rendered.outcome === 'failed' ? rendered.errors : authoring.proofErrors(source, rendered),
    findings: rendered.outcome === 'cancelled' ? [] : rendered.findings,
    rendered: rendered.outcome === 'rendered' ? authoring.proofOf(rendered.parts) : undefined,
  }
}

/** Renders every contact's proof strictly, without sending it: what only shows while rendering shows here. */
export async function checkProofs(
  { clock, db, renders, tokens }: Pick<ServiceContext, 'clock' | 'db' | 'renders' | 'tokens'>,
  account: AccountId,
  source: ContentVersionSource,
  contacts: readonly (RecipientContactRow | null)[],
): Promise<CheckedProof[]> {
  const { valuesOf, rules } = await openSenderCache(db, clock).account(account)
  const channel = await loadActionChannel(source.channel)
  const content = toContentSource(source)
  const now = clock.now()
  const campaign = await findOldestCampaign(db, account, source.action.id)
  const shared = { related: null, data: {}, variables: {}, blocks: [], campaign }
  const checkedProofs: CheckedProof[] = []
  for (const contact of contacts) {
    const stamp = createProofStamp(createUuidV7(now), now)
    const values = { ...shared, contact: contact && valuesOf(contact), stamp }
    const rendered = await renders.render(content, {
      mode: 'proof',
      scope: buildUnsentScope(source, values, now),
      links: buildUnsentLinks(source, values, {
        key: tokens.signing(account),
        account,
        version: null,
        contact: contact?.id ?? null,
      }),
      zone: resolveRecipientZone(rules, contact, source.settings),
      pixel: true,
      strict: true,
    })
    checkedProofs.push(checkRenderedProof(channel, source, contact, rendered))
  }
  return checkedProofs
}

/** Each flaw once, however many contacts show it. */
export function removeDuplicateFlaws(flaws: readonly ReportedFlaw[]): ReportedFlaw[] {
  return [...new Map(flaws.map((flaw) => [JSON.stringify(flaw), flaw])).values()]
}

/**
 * The errors that say the content is to be repaired: those that are so whichever contact shows them, and those of the
 * channel's `repairableTypes` when no contact is without.
 */
export function findRepairableErrors(
  checked: readonly CheckedProof[],
  repairableTypes: readonly string[],
): ReportedFlaw[] {
  const isEveryUnfit =
    checked.length > 0 && checked.every(({ errors }) => errors.some(({ type }) => repairableTypes.includes(type)))
  const types = isEveryUnfit ? [...REPAIRABLE_ERROR_TYPES, ...repairableTypes] : REPAIRABLE_ERROR_TYPES
  return removeDuplicateFlaws(
    checked.flatMap((checkedProof) => checkedProof.errors).filter(({ type }) => types.includes(type)),
  )
}

/** The errors of proofs that are not sent, each with its contact. */
export function listProofErrors(checked: readonly CheckedProof[]): ReportedFlaw[] {
  const labelledErrors = checked.flatMap(({ contact, errors }) =>
    errors.map((error) =>
      contact ? { ...error, message: `${formatContactId(contact.id)}: ${error.message}` } : error,
    ),
  )
  return removeDuplicateFlaws(labelledErrors)
}
