import { type Static, Type } from 'typebox'
import type { Context } from '../../../context.ts'
import type { App } from '../../../http/app-type.ts'
import { wantsStrict } from '../../../http/validation/validation.ts'
import { type Fault, invalid } from '../../../lib/errors/problem.ts'
import { NO_DATE, readInstant } from '../../../lib/time/period.ts'
import { nullable } from '../../accounts/sending-settings-schemas.ts'
import { optional } from '../../actions/execution/item-schemas.ts'
import { MAX_BYTES } from '../definition/reading.ts'
import { engineOf } from '../engine/engine.ts'
import { WORKFLOWS, workflowKey } from '../paths.ts'
import { TraceEntry } from '../runs/run-schemas.ts'
import { refuseLargeEvents } from '../starts/execution-items.ts'
import { ExecutionItem } from '../starts/execution-schemas.ts'
import { WorkflowBody, WorkflowParams } from '../workflow-schemas.ts'
import { readWhole } from '../workflows.ts'
import { showTried } from './results.ts'
import { type AskedSimulation, triedDefinition, tryRun } from './simulations.ts'

const MOST_NODES = 10_000
const MOST_EVENTS = 1000
const Json = Type.Object({}, { additionalProperties: true })
const When = Type.Unsafe<string | number>({ description: 'an ISO 8601 date, or milliseconds' })

const { receiver, node, event, data, state, variables } = ExecutionItem.properties

const SimulationBody = Type.Object({
  ...{ receiver, node, event, data, state, variables },
  clock: Type.Optional(
    Type.Union([When, Type.Null()], {
      description: 'when it begins, ISO 8601 or milliseconds since 1970; now by default',
    }),
  ),
  events: optional(
    Type.Array(Type.Object({ at: When, type: Type.String() }, { additionalProperties: true }), {
      maxItems: MOST_EVENTS,
      description: 'what happens to the contact meanwhile, with the members that filters see',
    }),
  ),
  responses: optional(
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
  maxNodes: optional(Type.Integer({ minimum: 1, maximum: MOST_NODES, description: 'visits of nodes at most' })),
  definition: optional({ ...WorkflowBody, description: 'a workflow in place of the stored one' }),
})
type SimulationBody = Static<typeof SimulationBody>

const Result = Type.Object({
  type: Type.Enum(['success', 'error']),
  value: Type.Optional(Type.Object({ type: Type.String() }, { additionalProperties: true })),
  status: Type.Optional(Type.String()),
  reason: Type.Optional(nullable(Type.String())),
  outcome: Type.Optional(nullable(Type.String())),
  node: Type.Optional(Type.String()),
  clock: Type.Optional(Type.String({ format: 'date-time', description: 'the time that it came to, in UTC' })),
  variables: Type.Optional(Json),
  trace: Type.Optional(Type.Array(TraceEntry)),
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
function askedOf(body: SimulationBody, now: number): AskedSimulation {
  const faults: Fault[] = []
  const instant = (value: unknown, pointer: string): number => {
    const read = readInstant(value)
    if (read === undefined) faults.push({ pointer, detail: NO_DATE })
    return read ?? now
  }
  const asked: AskedSimulation = {
    ...{ receiver: body.receiver ?? null, node: body.node ?? null, event: body.event ?? null },
    ...{ data: body.data ?? {}, state: body.state ?? {} },
    variables: Object.fromEntries((body.variables ?? []).map((one) => [one.key, one.value])),
    clock: body.clock == null ? now : instant(body.clock, '/clock'),
    events: (body.events ?? []).map((one, nth) => ({ ...one, at: instant(one.at, `/events/${nth}/at`) })),
    responses: body.responses ?? {},
    maxNodes: body.maxNodes ?? MOST_NODES,
    pointer: '',
  }
  if (faults.length > 0) throw invalid(faults)
  return asked
}

/** Runs that are tried without effect. */
export function simulationRoutes(app: App, context: Context): void {
  const engine = engineOf(context)
  app.post(`${WORKFLOWS}/:id/simulation`, {
    config: { right: 'read', revealing: true },
    bodyLimit: MAX_BYTES,
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
      refuseLargeEvents([body as never], false)
      const asked = askedOf(body, context.clock.now())
      const key = workflowKey(request)
      const given =
        body.definition == null
          ? undefined
          : await readWhole(context, key, body.definition, wantsStrict(request.headers.prefer))
      const definition = await triedDefinition(engine, key, given)
      return showTried(await tryRun(engine, definition, asked)) as Static<typeof Result>
    },
  })
}

const tags = ['workflows']
