import { Type } from 'typebox'
import { answerTo, at, read } from '../ask.ts'
import { Json, limitOf, tool } from '../tool.ts'
import { ofOthers } from '../untrusted.ts'
import { ContactName, contactNamed } from './contacts.ts'

const closed = { additionalProperties: false }
/** How a workflow is named. */
export const WorkflowId = Type.Integer({ minimum: 1, description: 'id of a workflow' })

const listWorkflows = tool({
  name: 'list_workflows',
  title: 'List workflows',
  description: 'Lists workflows with what they do.',
  effect: 'reads',
  input: Type.Object({ name: Type.Optional(Type.String({ maxLength: 200 })), limit: limitOf(100, 20) }, closed),
  async run({ ask }, { name, limit = 20 }) {
    return { workflows: ofOthers(await read(ask, '/scripting/workflows', { name, limit })) }
  },
})

const readWorkflow = tool({
  name: 'read_workflow',
  title: 'Read a workflow',
  description: 'Reads a workflow: its nodes and starts, what is wrong with it, and how many runs went each way.',
  effect: 'reads',
  input: Type.Object({ workflow: WorkflowId }, closed),
  async run({ ask }, { workflow: id }) {
    const path = at`/scripting/workflows/${id}`
    const workflow = await read<{ state: number; version: number }>(ask, path)
    const flaws = await read<unknown[]>(ask, `${path}/flaws`)
    const statistics = await read(ask, `${path}/statistics`)
    const { state, version } = workflow
    return {
      ...{ id, version, active: state === 1 },
      ...{ workflow: ofOthers(workflow), flaws: ofOthers(flaws), statistics: ofOthers(statistics) },
    }
  },
})

const simulateWorkflow = tool({
  name: 'simulate_workflow',
  title: 'Try a workflow',
  description:
    'Tries a workflow with a contact: which way it goes and what it would do. Nothing is written, sent or fetched; the clock jumps to what comes next.',
  effect: 'reads',
  input: Type.Object(
    {
      workflow: WorkflowId,
      contact: Type.Optional(ContactName),
      node: Type.Optional(Type.String({ maxLength: 128, description: 'where to begin' })),
      event: Type.Optional(Json('what starts it, as the listener sees it')),
      data: Type.Optional(Json('data of the start')),
      events: Type.Optional(
        Type.Array(Json('{"at": date, "type": …}: what happens to the contact meanwhile'), { maxItems: 100 }),
      ),
    },
    closed,
  ),
  async run({ ask }, { workflow, contact: name, ...given }) {
    const receiver = name === undefined ? undefined : { type: 'id', value: (await contactNamed(ask, name)).id }
    const path = at`/scripting/workflows/${workflow}/simulation`
    const body = { ...given, ...(receiver && { receiver }) }
    return { simulation: ofOthers(await answerTo(ask, { method: 'POST', path, body })) }
  },
})

/** What is asked about workflows. */
export const workflowTools = [listWorkflows, readWorkflow, simulateWorkflow]
