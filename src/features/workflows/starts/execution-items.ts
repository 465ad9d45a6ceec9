import { invalidRequestProblem, type ProblemFault } from '../../../lib/errors/problem.ts'
import { createUuidV7, parseUuid } from '../../../lib/ids.ts'
import { toWorkflowRunId } from '../../../scripting/run-ids.ts'
import type { FoundContact } from '../../contacts/records/find.ts'
import type { ContactIdentification } from '../../contacts/records/identification-schemas.ts'
import { MAX_EXECUTION_EVENT_BYTES } from '../engine/run-limits.ts'
import { jsonByteLength } from '../run-stepper/run-size.ts'
import type { WorkflowKey } from '../workflow-repository.ts'
import type { WorkflowExecutionItem } from './execution-schemas.ts'

type ValuesByName = Record<string, unknown>

/** An item of an execution as it was read. */
export interface WorkflowRunRequest {
  /** Its place in the request. */
  index: number
  id: string | null
  receiver: ContactIdentification | null
  /** Null: it names none; undefined: it names one that there is not. */
  contact: FoundContact | null | undefined
  node: string | null
  event: ValuesByName | null
  data: ValuesByName
  state: ValuesByName
  variables: ValuesByName
  resolutions: readonly { key: string; value: ValuesByName | null }[]
  stamp: { id: string; thread: string; set: string; time: number }
  /** The item brought the stamp id. */
  hasStamp: boolean
}

/** Throws 400 for events that are too large; of a list pointers begin with the place. */
export function requireEventSizes(items: readonly WorkflowExecutionItem[], isList: boolean): void {
  const faults = items.flatMap(({ event }, index): ProblemFault[] =>
    event != null && jsonByteLength(event) > MAX_EXECUTION_EVENT_BYTES
      ? [
          {
            pointer: `${isList ? `/${index}` : ''}/event`,
            detail: `must be at most ${MAX_EXECUTION_EVENT_BYTES / 1024} KB`,
          },
        ]
      : [],
  )
  if (faults.length > 0) throw invalidRequestProblem(faults)
}

/** Reads items; those of one request share a set. Their contacts are in the order of the items. */
export function resolveRunRequests(
  key: WorkflowKey,
  requestItems: readonly { item: WorkflowExecutionItem; index: number }[],
  contacts: readonly (FoundContact | null | undefined)[],
  now: number,
): WorkflowRunRequest[] {
  const setId = createUuidV7(now)
  return requestItems.map(({ item, index }, place): WorkflowRunRequest => {
    const { id, receiver, node, event, data, state, variables, resolutions, stamp } = item
    const stampId = stamp?.id == null ? createUuidV7(now) : parseUuid(stamp.id)!
    return {
      index,
      id: id == null ? null : toWorkflowRunId(key, id),
      receiver: receiver ?? null,
      contact: contacts[place],
      node: node ?? null,
      event: event ?? null,
      data: data ?? {},
      state: state ?? {},
      variables: Object.fromEntries((variables ?? []).map((variableEntry) => [variableEntry.key, variableEntry.value])),
      resolutions: (resolutions ?? []).map((variableEntry) => ({
        key: variableEntry.key,
        value: variableEntry.value ?? null,
      })),
      stamp: {
        id: stampId,
        thread: stamp?.thread == null ? stampId : parseUuid(stamp.thread)!,
        set: stamp?.set == null ? setId : parseUuid(stamp.set)!,
        time: stamp?.time ?? now,
      },
      hasStamp: stamp?.id != null,
    }
  })
}
