import { type Static, Type } from 'typebox'
import type { ServiceContext } from '../../../context.ts'
import type { HttpApp } from '../../../http/app-type.ts'
import { isStrictPreferred } from '../../../http/validation/validation.ts'
import { invalidRequestProblem, type ProblemFault } from '../../../lib/errors/problem.ts'
import { INVALID_DATE_DETAIL, parseInstant } from '../../../lib/time/period.ts'
import { nullableSchema } from '../../accounts/sending-settings-schemas.ts'
import { optionalOrNull } from '../../actions/execution/item-schemas.ts'
import { MAX_WORKFLOW_BYTES } from '../definition/reading.ts'
import { findWorkflowEngine } from '../engine/engine.ts'
import { readWorkflowKey, WORKFLOWS_PATH } from '../paths.ts'
import { WorkflowTraceEntry } from '../runs/run-schemas.ts'
import { requireEventSizes } from '../starts/execution-items.ts'
import { WorkflowExecutionItem } from '../starts/execution-schemas.ts'
import { WorkflowBody, WorkflowParams } from '../workflow-schemas.ts'
import { parseWholeWorkflow } from '../workflows.ts'
import { showSimulationResult } from './results.ts'
import { loadSimulatedDefinition, runSimulation, type SimulationRequest } from './simulations.ts'

const MOST_NODES = 10_000
const MOST_EVENTS = 1000
const Json = Type.Object({}, { additionalProperties: true })
const When = Type.Unsafe<string | number>({ description: 'an ISO 8601 date, or milliseconds' })

const { receiver, node, event, data, state, variables } = WorkflowExecutionItem.properties

const SimulationBody = Type.Object({
  ...{ receiver, node, event, data, state, variables },
  clock: Type.Optional(
    Type.Union([When, Type.Null()], {
      description: 'when it begins, ISO 8601 or milliseconds since 1970; now by default',
    }),
  ),
  events: optionalOrNull(
    Type.Array(Type.Object({ at: When, type: Type.String() }, { additionalProperties: true }), {
      maxItems: MOST_EVENTS,
      description: 'what happens to the contact meanwhile, with the members that filters see',
    }),
  ),
  responses: optionalOrNull(
    Type.Record(
      Type.String(),
      Type.Object({
        status: Type.Optional(Type.Integer({ minimum: 100, maximum: 599 })),
        headers: Type.Optional(Type.Record(Type.String(), Type.String())),
        body: Type.Optional(Type.Unknown()),
      }),
      { description: 'what servers answer, by node' },
    ),
  ),
  maxNodes: optionalOrNull(Type.Integer({ minimum: 1, maximum: MOST_NODES, description: 'visits of nodes at most' })),
  definition: optionalOrNull({ ...WorkflowBody, description: 'a workflow in place of the stored one' }),
})
type SimulationBody = Static<typeof SimulationBody>

const Result = Type.Object({
  type: Type.Enum(['success', 'error']),
  value: Type.Optional(Type.Object({ type: Type.String() }, { additionalProperties: true })),
  status: Type.Optional(Type.String()),
  reason: Type.Optional(nullableSchema(Type.String())),
  outcome: Type.Optional(nullableSchema(Type.String())),
  node: Type.Optional(Type.String()),
  clock: Type.Optional(Type.String({ format: 'date-time', description: 'the time that it came to, in UTC' })),
  variables: Type.Optional(Json),
  trace: Type.Optional(Type.Array(WorkflowTraceEntry)),
  effects: Type.Optional(
    Type.Array(
      Type.Object({
        node: Type.String(),
        type: Type.String(),
        at: Type.String({ format: 'date-time' }),
        value: Type.Unknown(),
      }),
      { description: 'what a run would have done' },
    ),
  ),
})

/** What a body asks for, with its defaults. Throws 400 for dates that are none. */
function askedOf(body: SimulationBody, now: number): SimulationRequest {
  const faults: ProblemFault[] = []
  const instant = (value: unknown, pointer: string): number => {
    const read = parseInstant(value)
    if (read === undefined) faults.push({ pointer, detail: INVALID_DATE_DETAIL })
    return read ?? now
  }
  const asked: SimulationRequest = {
    ...{ receiver: body.receiver ?? null, node: body.node ?? null, event: body.event ?? null },
    ...{ data: body.data ?? {}, state: body.state ?? {} },
    variables: Object.fromEntries((body.variables ?? []).map((one) => [one.key, one.value])),
    clock: body.clock == null ? now : instant(body.clock, '/clock'),
    events: (body.events ?? []).map((one, nth) => ({ ...one, at: instant(one.at, `/events/${nth}/at`) })),
    responses: body.responses ?? {},
    maxNodes: body.maxNodes ?? MOST_NODES,
    pointer: '',
  }
  if (faults.length > 0) throw invalidRequestProblem(faults)
  return asked
}

/** Runs that are tried without effect. */
export function workflowSimulationRoutes(app: HttpApp, context: ServiceContext): void {
  const engine = findWorkflowEngine(context)
  app.post(`${WORKFLOWS_PATH}/:id/simulation`, {
    config: { right: 'read', revealing: true },
    bodyLimit: MAX_WORKFLOW_BYTES,
    schema: {
      tags,
      summary: 'try a workflow',
      description: 'Nothing is written, sent or fetched; the clock jumps to what comes next.',
      params: WorkflowParams,
      body: SimulationBody,
      response: { 200: Result },
    },
    handler: async (request) => {
      const { body } = request
      requireEventSizes([body as never], false)
      const asked = askedOf(body, context.clock.now())
      const key = readWorkflowKey(request)
      const given =
        body.definition == null
          ? undefined
          : await parseWholeWorkflow(context, key, body.definition, isStrictPreferred(request.headers.prefer))
      const definition = await loadSimulatedDefinition(engine, key, given)
      return showSimulationResult(await runSimulation(engine, definition, asked)) as Static<typeof Result>
    },
  })
}

const tags = ['workflows']
