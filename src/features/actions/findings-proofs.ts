import type { Context } from '../../context.ts'
import type { AccountId } from '../../lib/account.ts'
import { contactId, uuidV7 } from '../../lib/ids.ts'
import type { ContactRow } from '../../outbox/facts.ts'
import { openMaterials } from '../../outbox/materials.ts'
import type { Stamp } from '../../outbox/outbox.ts'
import { fitText } from '../../outbox/sms-compose.ts'
import { contentSourceOf, type VersionSource } from '../../outbox/version.ts'
import { zoneOf } from '../../outbox/zones.ts'
import { oldestCampaign } from '../campaigns/oldest.ts'
import type { RenderedProof } from '../deliverability/findings-headers.ts'
import type { FlawShown } from '../rendering/flaw-schemas.ts'
import type { Rendered } from '../rendering/render.ts'
import { linksOf, scopeOf } from './scopes.ts'

/** What a strict rendering says of one contact's proof. */
export interface CheckedProof {
  contact: ContactRow | null
  errors: FlawShown[]
  findings: FlawShown[]
  /** Of an e-mail that was rendered. */
  rendered: RenderedProof | undefined
}

/** Errors that say the content is to be repaired, whichever contact shows them. */
const REPAIRABLE = ['limit', 'unknown-field', 'unknown-reference']

/** What a text of SMS may be for some contacts only. */
const UNFIT = ['sms-length', 'sms-alphabet']

/** The stamp of a proof. `now` in milliseconds. */
export function newStamp(set: string, now: number): Stamp {
  const id = uuidV7(now)
  return { id, thread: id, set, time: now }
}

/** Why the rendered text of an SMS cannot be sent. */
function textErrors(source: VersionSource, rendered: Rendered): FlawShown[] {
  if (source.channel !== 'sms' || rendered.outcome !== 'rendered') return []
  const fitted = fitText(source, rendered.text)
  if (fitted.outcome === 'fits') return []
  return [{ type: fitted.type, message: fitted.message, part: 'textContent', position: null }]
}

function judge(source: VersionSource, contact: ContactRow | null, rendered: Rendered): CheckedProof {
  return {
    contact,
    errors: rendered.outcome === 'failed' ? rendered.errors : textErrors(source, rendered),
    findings: rendered.outcome === 'cancelled' ? [] : rendered.findings,
    rendered:
      source.channel === 'email' && rendered.outcome === 'rendered'
        ? { subject: rendered.subject, htmlBytes: Buffer.byteLength(rendered.html) }
        : undefined,
  }
}

/** Renders every contact's proof strictly, without sending it: what only shows while rendering shows here. */
export async function checkProofs(
  { clock, db, renders, tokens }: Pick<Context, 'clock' | 'db' | 'renders' | 'tokens'>,
  account: AccountId,
  source: VersionSource,
  contacts: readonly (ContactRow | null)[],
): Promise<CheckedProof[]> {
  const { valuesOf, rules } = await openMaterials(db, clock).account(account)
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
    checked.push(judge(source, contact, rendered))
  }
  return checked
}

/** Each flaw once, however many contacts show it. */
export function distinct(flaws: readonly FlawShown[]): FlawShown[] {
  return [...new Map(flaws.map((flaw) => [JSON.stringify(flaw), flaw])).values()]
}

/**
 * The errors that say the content is to be repaired: those that are so whichever contact shows them, and those of the
 * length and the alphabet of an SMS when no contact is without.
 */
export function repairsOf(checked: readonly CheckedProof[]): FlawShown[] {
  const isEveryUnfit =
    checked.length > 0 && checked.every(({ errors }) => errors.some(({ type }) => UNFIT.includes(type)))
  const types = isEveryUnfit ? [...REPAIRABLE, ...UNFIT] : REPAIRABLE
  return distinct(checked.flatMap((one) => one.errors).filter(({ type }) => types.includes(type)))
}

/** The errors of proofs that are not sent, each with its contact. */
export function errorsOf(checked: readonly CheckedProof[]): FlawShown[] {
  const named = checked.flatMap(({ contact, errors }) =>
    errors.map((error) => (contact ? { ...error, message: `${contactId(contact.id)}: ${error.message}` } : error)),
  )
  return distinct(named)
}
