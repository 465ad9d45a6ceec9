import { actionFamilies } from '../../../channels/action-families.ts'
import { loadChannel } from '../../../channels/load-channel.ts'
import { rcsExpirationToMs } from '../../../channels/rcs/content/periods.ts'
import { rcsChannelTraits } from '../../../channels/rcs/traits.ts'
import { type ContentVersionSource, toContentSource } from '../../../channels/version-source.ts'
import type { ServiceContext } from '../../../context.ts'
import { type Db, inTransaction } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import {
  badRequestProblem,
  conflictProblem,
  invalidRequestProblem,
  Problem,
  type ProblemFault,
} from '../../../lib/errors/problem.ts'
import { createUuidsV7 } from '../../../lib/ids.ts'
import { outboxLanes } from '../../../lib/lanes.ts'
import { createOutboundPolicy } from '../../../lib/net/guarded-client.ts'
import { type ContentVersionLink, storeContentVersion } from '../../../sending/plan/content-version.ts'
import { openTestSending } from '../../../sending/plan/sendings.ts'
import { findContacts, toFootprint } from '../../contacts/records/find.ts'
import { PREVIEW_DISPLAY_BITS } from '../../rendering/render.ts'
import { snapshotActionContent } from '../content/draft-content.ts'
import { renderItemPreviews } from '../content/renders.ts'
import type { ResolvedExecutionItem } from '../execution/execution-items.ts'
import { findFirstResult, requireOverridableContent, sendExecutionItems } from '../execution/executions.ts'
import type { ActionExecutionResult } from '../execution/item-schemas.ts'
import { buildVersionContent, requireKnownVersion } from '../experiments/versions.ts'
import { type ActionRef, loadAction, lockAction, type StoredAction } from '../resource/action-repository.ts'
import { decideActionTransition } from '../resource/states.ts'
import { requireUsableSegments } from '../validation/readiness.ts'
import { MAX_TEST_CONTACTS, readTestContacts } from '../validation/test-run.ts'
import {
  type RestrictedTester,
  requireTesterAddress,
  requireTesterContact,
  requireTesterProofCount,
} from '../validation/testers.ts'
import { extractRcsOverrides, requireValidRcsItems } from './items.ts'
import { requireUsableProfile } from './profile-reasons.ts'
import type { RcsProofBody, RcsProofResult } from './rcs-item-schemas.ts'
import { applyRcsOverrides, type RcsActionWithContent } from './renders.ts'

type ProofContext = Pick<ServiceContext, 'db' | 'config' | 'clock' | 'renders' | 'tokens'>

/** One proof before it has an id of its own. */
type ProofItem = Omit<ResolvedExecutionItem, 'newId'>

/** Proofs that are found valid. */
interface ValidProofs {
  content: { source: ContentVersionSource; links: readonly ContentVersionLink[] }
  proofs: readonly ProofItem[]
  now: number
  /** Phone number that receives all proofs; null: each goes to its contact's own phone. */
  address: string | null
  reach: ReturnType<typeof createOutboundPolicy>
}

/** Throws 400 for a proof without a recipient, or with an invalid number. Returns the number that receives all proofs. */
async function parseProofAddress({ recipient, testSegments, mediaForTest }: RcsProofBody): Promise<string | null> {
  if (!recipient && !testSegments?.length)
    throw badRequestProblem('/recipient', 'is required, unless testSegments is given')
  if (mediaForTest == null) return null
  const { authoring } = await loadChannel(rcsChannelTraits.name)
  const number = authoring.readProofAddress(mediaForTest.trim())
  if (number === undefined) throw badRequestProblem('/mediaForTest', `must be ${authoring.proofAddressForm}`)
  return number
}

/**
 * Builds one item for each proof: the recipient's first, then by contact. Throws 400 if there are none, and a conflict if there are too
 * many.
 */
async function buildProofs(db: Db, account: AccountId, body: RcsProofBody, now: number): Promise<ProofItem[]> {
  const { recipient, data, variables, blocks, stamp } = body
  const segments = body.testSegments ?? []
  await requireUsableSegments(db, account, segments, { now: new Date(now), test: true })
  const members = await readTestContacts(db, { account, segments }, now, MAX_TEST_CONTACTS + 1)
  const [contact] = recipient ? await findContacts(db, account, [recipient]) : []
  const sharedParts = { data, variables, blocks, stamp }
  const otherMembers = members.filter(({ id }) => id !== contact?.id)
  const proofs = [
    ...(recipient ? [{ item: { ...sharedParts, recipient }, contact }] : []),
    ...otherMembers.map((testContact) => ({
      item: { ...sharedParts, recipient: toFootprint(testContact) },
      contact: testContact,
    })),
  ]
  if (proofs.length === 0) throw badRequestProblem('/testSegments', 'have no contacts to send a proof to')
  if (proofs.length > MAX_TEST_CONTACTS)
    throw conflictProblem(
      'test-too-large',
      `At most ${MAX_TEST_CONTACTS} proofs can be sent at once. Select smaller segments.`,
    )
  if (stamp?.id != null && proofs.length > 1)
    throw badRequestProblem('/stamp/id', `identifies one message, but ${proofs.length} proofs were requested`)
  return proofs.map(({ item, contact }) => ({ item, named: { recipient: contact, related: null, copies: [] } }))
}

/** Faults of a content, by where they are to be changed. */
function toContentFaults(flaws: readonly { message: string; part: string | null }[]): ProblemFault[] {
  return flaws.map(({ message, part }) => ({ pointer: part === null ? '' : `/${part}`, detail: message }))
}

/** The content as it is frozen. Throws 400 for what the body brings, conflict for what is wrong with the action. */
async function compileProofContent(
  context: ProofContext,
  action: RcsActionWithContent,
  body: RcsProofBody,
): Promise<ValidProofs['content']> {
  const draft = await snapshotActionContent(context, action, { variables: {} })
  const { errors, links } = await context.renders.compile(toContentSource(draft.source))
  const isBrought = (part: string | null): boolean => body.content != null || part?.startsWith('fallback') === true
  if (errors.length > 0 && errors.every(({ part }) => isBrought(part)))
    throw invalidRequestProblem(toContentFaults(errors))
  const [firstError] = [...errors, ...draft.errors]
  if (firstError)
    throw new Problem(409, 'action-not-ready', `No proof can be sent: ${firstError.message}`, {
      errors: toContentFaults([...errors, ...draft.errors]),
    })
  return { source: draft.source, links }
}

/** Warnings about each proof as its phone will show it; `undefined` without a warning or without a message. */
async function collectWarnings(
  context: ProofContext,
  action: RcsActionWithContent,
  proofs: readonly ProofItem[],
): Promise<RcsProofResult['warnings'][]> {
  const previews = await renderItemPreviews(
    context,
    action,
    proofs.map(({ item: { stamp: _, ...item } }) => ({ ...item, context: { display: PREVIEW_DISPLAY_BITS.tracking } })),
  )
  return previews.map((preview) => (preview.type === 'success' && 'warnings' in preview ? preview.warnings : undefined))
}

/** Freezes the content and queues the proofs of an action that is locked. */
async function queueProofMessages(
  tx: Db,
  { account, id, settings }: RcsActionWithContent,
  { content, proofs, ...queueOptions }: ValidProofs,
): Promise<ActionExecutionResult[]> {
  const { now, address, reach: outboundPolicy } = queueOptions
  const queuedAt = new Date(now)
  const owner = { account, sourceKind: actionFamilies.rcs.sourceKind, source: id }
  const version = await storeContentVersion(tx, owner, content, queuedAt)
  const { id: sendingId, run } = await openTestSending(
    tx,
    { ...owner, channel: rcsChannelTraits.name, version, lane: outboxLanes.urgent },
    queuedAt,
  )
  const batch = {
    account,
    channel: rcsChannelTraits.name,
    kind: 'test' as const,
    sending: sendingId,
    action: { id, settings },
    version,
    templates: new Map(),
    set: run,
    now,
    excluded: new Set<number>(),
    address,
    places: { hosts: [], reach: outboundPolicy },
  }
  const waitMs = rcsExpirationToMs(settings.expiration)
  const newIds = createUuidsV7(proofs.length, now)
  const items = proofs.map(({ item, named: itemContacts }, index) => ({
    item: { ...item, waitMs },
    named: itemContacts,
    newId: newIds[index]!,
  }))
  return (await sendExecutionItems(tx, batch, items)).results
}

/** Result of a single proof that needs no message: its stamp was used before, or its contact does not exist. */
async function findExistingResult(
  tx: Db,
  account: AccountId,
  [proof, ...others]: readonly ProofItem[],
): Promise<ActionExecutionResult[] | undefined> {
  if (!proof || others.length > 0) return undefined
  const { item, named: itemContacts } = proof
  const firstResult = await findFirstResult(tx, account, item)
  if (firstResult) return [firstResult]
  if (itemContacts.recipient) return undefined
  return [{ type: 'error', value: { type: 'recipient not found', recipient: item.recipient } }]
}

/** An action with the content of a version of its experiment, where one is asked for. Throws 400 for one that is not there. */
function applyVersion(action: StoredAction, id: string | null | undefined): StoredAction {
  const versions = action.settings.experiment?.versions ?? []
  requireKnownVersion(versions, id)
  const version = versions.find((storedVersion) => storedVersion.id === id)
  return version ? { ...action, content: buildVersionContent(action.content, version) } : action
}

/**
 * Sends messages of an RCS action for a look at them, in any state in which it may be edited or validated: they count for
 * nothing. `tester`: whose tests have limits. A stamp that is known answers as it did first. Throws 404, 400, and conflict for the state, the profile, the
 * segments, or too many proofs; 503 when too many renders wait.
 */
export async function sendRcsProofs(
  context: ProofContext,
  ref: ActionRef,
  { tester, ...body }: RcsProofBody & { tester: RestrictedTester | null },
): Promise<RcsProofResult[]> {
  const { db, clock, config } = context
  const { account } = ref
  const action = applyVersion(await loadAction(db, ref), body.version)
  decideActionTransition('read', action)
  requireValidRcsItems([body], action.settings, false)
  const address = await parseProofAddress(body)
  requireTesterAddress(tester, address)
  decideActionTransition('prove', action)
  const overrides = extractRcsOverrides(body)
  requireOverridableContent([overrides ? { brought: overrides } : {}], action.settings)
  await requireUsableProfile(db, action)
  const now = clock.now()
  const proofs = await buildProofs(db, account, body, now)
  if (body.recipient) requireTesterContact(tester, proofs[0]?.named.recipient)
  requireTesterProofCount(tester, proofs.length)
  // Only a fallback of its own is sent in place of a proof.
  const provedAction = applyRcsOverrides(action, { ...body, fallback: body.fallback ?? null })
  const content = await compileProofContent(context, provedAction, body)
  const warnings = await collectWarnings(context, provedAction, proofs)
  const outboundPolicy = createOutboundPolicy(config.outgoingAllow)
  const results = await inTransaction(db, async (tx) => {
    decideActionTransition('prove', await lockAction(tx, ref))
    const existingResult = await findExistingResult(tx, account, proofs)
    return (
      existingResult ?? queueProofMessages(tx, provedAction, { content, proofs, now, address, reach: outboundPolicy })
    )
  })
  return results.map((result, index) => {
    const proofWarnings = result.type === 'success' ? warnings[index] : undefined
    return proofWarnings ? { ...result, warnings: proofWarnings } : result
  })
}
