import type { ActionChannelModule, RenderedProof } from '../../../channels/channel.ts'
import type { Stamp } from '../../../channels/message.ts'
import { loadAuthored } from '../../../channels/registry.ts'
import { contentSourceOf, type VersionSource } from '../../../channels/version-source.ts'
import type { Context } from '../../../context.ts'
import type { AccountId } from '../../../lib/account.ts'
import { contactId, uuidV7 } from '../../../lib/ids.ts'
import { zoneOf } from '../../../sending/plan/zone-moments.ts'
import type { ContactRow } from '../../../sending/prepare/load-recipients.ts'
import { openSenderCache } from '../../../sending/prepare/sender-cache.ts'
import { oldestCampaign } from '../../campaigns/oldest.ts'
import type { FlawShown } from '../../rendering/flaw-schemas.ts'
import type { Rendered } from '../../rendering/render.ts'
import { linksOf, scopeOf } from '../content/content-scopes.ts'

/** What a strict rendering says of one contact's proof. */
export interface CheckedProof {
  contact: ContactRow | null
  errors: FlawShown[]
  findings: FlawShown[]
  /** Of one that was rendered. */
  rendered: RenderedProof | undefined
}

/** Errors that say the content is to be repaired, whichever contact shows them. */
const REPAIRABLE = ['limit', 'unknown-field', 'unknown-reference']

/** The stamp of a proof. `now` in milliseconds. */
function newStamp(set: string, now: number): Stamp {
  const id = uuidV7(now)
  return { id, thread: id, set, time: now }
}

function judge(
  { authoring }: ActionChannelModule,
  source: VersionSource,
  contact: ContactRow | null,
  rendered: Rendered,
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
  { clock, db, renders, tokens }: Pick<Context, 'clock' | 'db' | 'renders' | 'tokens'>,
  account: AccountId,
  source: VersionSource,
  contacts: readonly (ContactRow | null)[],
): Promise<CheckedProof[]> {
  const { valuesOf, rules } = await openSenderCache(db, clock).account(account)
  const channel = await loadAuthored(source.channel)
  const content = contentSourceOf(source)
  const now = clock.now()
  const campaign = await oldestCampaign(db, account, source.action.id)
  const shared = { related: null, data: {}, variables: {}, blocks: [], campaign }
  const checked: CheckedProof[] = []
  for (const contact of contacts) {
    const stamp = newStamp(uuidV7(now), now)
    const values = { ...shared, contact: contact && valuesOf(contact), stamp }
    const rendered = await renders.render(content, {
      mode: 'proof',
      scope: scopeOf(source, values, now),
      links: linksOf(source, values, {
        key: tokens.signing(account),
        account,
        version: null,
        contact: contact?.id ?? null,
      }),
      zone: zoneOf(rules, contact, source.settings),
      pixel: true,
      strict: true,
    })
    checked.push(judge(channel, source, contact, rendered))
  }
  return checked
}

/** Each flaw once, however many contacts show it. */
export function distinct(flaws: readonly FlawShown[]): FlawShown[] {
  return [...new Map(flaws.map((flaw) => [JSON.stringify(flaw), flaw])).values()]
}

/**
 * The errors that say the content is to be repaired: those that are so whichever contact shows them, and those of the
 * channel's `repairableTypes` when no contact is without.
 */
export function repairsOf(checked: readonly CheckedProof[], repairableTypes: readonly string[]): FlawShown[] {
  const isEveryUnfit =
    checked.length > 0 && checked.every(({ errors }) => errors.some(({ type }) => repairableTypes.includes(type)))
  const types = isEveryUnfit ? [...REPAIRABLE, ...repairableTypes] : REPAIRABLE
  return distinct(checked.flatMap((one) => one.errors).filter(({ type }) => types.includes(type)))
}

/** The errors of proofs that are not sent, each with its contact. */
export function errorsOf(checked: readonly CheckedProof[]): FlawShown[] {
  const named = checked.flatMap(({ contact, errors }) =>
    errors.map((error) => (contact ? { ...error, message: `${contactId(contact.id)}: ${error.message}` } : error)),
  )
  return distinct(named)
}
