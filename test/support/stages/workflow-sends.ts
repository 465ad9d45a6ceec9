import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { RunStart } from '../../../src/features/workflows/starts/start-runs.ts'
import { parseContactId } from '../../../src/lib/ids.ts'
import type { startStage } from './stage.ts'
import { type GivenWorkflow, workflowStage } from './workflow-stage.ts'

/** A literal as an expression. */
export const literal = (value: unknown) => ({ type: 'literal', value })
/** A path as an expression. */
export const path = (value: string) => ({ type: 'path', value })

/** A record as a test reads it. */
export interface Recorded {
  kind: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any member of an event.
  detail: any
  contact: number | null
  stamp: string
  thread: string
  depth: number
}

let numbers = 0

/** What tests of sends by workflows do on a stage. */
export function workflowSends(stage: Awaited<ReturnType<typeof startStage>>) {
  const { call, context, own } = stage
  const workflows = workflowStage(stage)
  const made = async (url: string, body: object) => {
    const answer = await call('POST', url, { body })
    assert.ok(answer.status < 300, answer.text)
    return answer.body
  }
  return {
    ...workflows,
    made,
    /** Makes an action that is in its sending state; gives its id. */
    async sending(more: object = {}): Promise<string> {
      const id = await stage.action(more)
      await made(`/actions/${id}/validation`, { fortest: false })
      return id
    },
    /** Makes a contact; gives its number, its id and its address. */
    async person(more: Record<string, unknown> = {}) {
      const address = `p${++numbers}@orchard.example`
      const id = await stage.contact(address, more)
      return { contact: parseContactId(id)!, id, address }
    },
    /** Stores a workflow of nodes that follow one another; gives its number. */
    chain: (nodes: readonly { type: string; id: string; [more: string]: unknown }[], more: GivenWorkflow = {}) =>
      workflows.activate({
        nodes: nodes.map((node, index) => ({
          ...(index === 0 && { default: true }),
          next: nodes[index + 1]?.id ?? null,
          ...node,
        })),
        ...more,
      }),
    /** Starts a run; gives its id. */
    async begin(workflow: number, given: Partial<RunStart> = {}): Promise<string> {
      const answer = await workflows.start(workflow, given)
      assert.equal(answer.type, 'started')
      return (answer as { id: string }).id
    },
    // biome-ignore lint/suspicious/noExplicitAny: a test reads any member of a run.
    runOf: (id: string): Promise<any> => workflows.run(id),
    /** Records of a run, by its thread, in the order of their publication. */
    async recordsOf(run: string): Promise<Recorded[]> {
      const { rows } = await sql<Recorded>`
        select e.kind, e.detail, e.contact, e.stamp, e.thread, e.depth from workflow_runs r join events e
          on e.account = r.account and e.thread = r.thread
        where r.account = ${own.account} and r.id = ${run} order by e.id`.execute(context.db)
      return rows
    },
  }
}
