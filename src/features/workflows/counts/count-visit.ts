import type { CappingPlaces } from '../../capping/increments.ts'
import type { ReadyCapping, ReadyDefinition, ReadyNode } from '../engine/ready-definition.ts'
import type { Draft } from '../stepping/run-state.ts'
import { type Ask, checkedAnswer, type Plan, type Settled, StepFailure, type Visit } from '../stepping/step.ts'
import { type Surroundings, scopeOf } from '../stepping/visits.ts'

/** An entry of capping with the key that a visit counts under. */
export interface CountedEntry {
  capping: ReadyCapping
  key: string
}

/** Whether a visit may act, and to be counted if it does. */
export interface CappingWanted {
  kind: 'capping'
  node: ReadyNode
  visit: Visit
  entries: readonly CountedEntry[]
}

/** What is answered of a `capping`: what stopped the node. */
export interface Capped {
  type: 'capped'
  action: 'continue' | 'end'
  message: string
  threshold: number
}

/** What is answered of a `capping`: where the node that may act was counted. */
export interface Passed {
  type: 'passed'
  places: CappingPlaces | null
}

const MAX_KEY_LENGTH = 256

/** The entries that list a node: those of the current version of its workflow. */
export function cappingsOf(draft: Draft, node: ReadyNode, { currentOf }: Surroundings): readonly ReadyCapping[] {
  return (currentOf?.(draft) ?? draft.definition).nodes.get(node.id)?.cappings ?? []
}

function keyOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'object') throw new StepFailure('capping key', 'The key of a capping must be a text.')
  const key = String(value)
  if (key.length > MAX_KEY_LENGTH)
    throw new StepFailure('capping key', `The key of a capping has more than ${MAX_KEY_LENGTH} characters.`)
  return key
}

/** The entries that a visit counts under: none of an empty key. */
function entriesOf(draft: Draft, node: ReadyNode, around: Surroundings): CountedEntry[] {
  const current: ReadyDefinition = around.currentOf?.(draft) ?? draft.definition
  const scope = scopeOf(draft, around)
  return cappingsOf(draft, node, around).flatMap((capping) => {
    const key = keyOf(current.evaluate(capping.key, scope, new Map()))
    return key === '' ? [] : [{ capping, key }]
  })
}

/** What a visit that is counted came to. */
export type Counted = { isCounted: boolean; capped: Capped | null }

/** Counts a visit under the entries that list its node; what stopped it, if anything did. */
export function* countVisit(
  draft: Draft,
  node: ReadyNode,
  visit: Visit,
  around: Surroundings,
): Generator<CappingWanted, Counted, unknown> {
  const entries = entriesOf(draft, node, around)
  if (entries.length === 0) return { isCounted: false, capped: null }
  const answer = checkedAnswer(yield { kind: 'capping', node, visit, entries }) as Capped | Passed
  // Its keys are locked.
  draft.hasEffect = true
  if (answer.type === 'capped') return { isCounted: true, capped: answer }
  draft.run.memo = answer.places && { capping: answer.places }
  return { isCounted: true, capped: null }
}

/** Where a node was counted that has not left since. */
export function placesOf(draft: Draft): CappingPlaces | undefined {
  return (draft.run.memo as { capping?: CappingPlaces } | null)?.capping
}

/** What a node does that is capped: of a send it is recorded that it was cancelled. */
export function* cappedPlan(
  node: ReadyNode,
  visit: Visit,
  { plan, capped }: { plan: Plan; capped: Capped },
): Generator<{ kind: 'ask'; ask: Ask; visit: Visit }, Settled, unknown> {
  if (plan.type === 'ask' && plan.ask.kind === 'send')
    yield { kind: 'ask', ask: { ...plan.ask, capped: { ...capped, node: node.id } }, visit }
  const detail = { message: capped.message }
  if (capped.action === 'end') return { type: 'end', status: 'capped', outcome: null, detail }
  return { type: 'leave', next: node.next, outcome: 'capped', detail }
}
