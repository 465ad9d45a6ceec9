import { setTimeout as delay } from 'node:timers/promises'
import { activeWorkflow, type WorkflowStage } from './workflow-stage.ts'

const LOOK_MS = 100
const PATIENCE_MS = 300_000

interface Firing {
  id: string
  state: 'running' | 'completed'
  count: number
}

/** Has a task start a run for each contact of a segment; gives the seconds until all are stored. */
export async function segmentTask(stage: WorkflowStage): Promise<number> {
  const { pool, contacts, service } = stage
  const { client, account } = service
  const { id: segment } = await client.call<{ id: number }>('POST', '/segments', { type: 'static', name: 'Everybody' })
  await pool.query(
    'insert into segment_members (account, segment, contact) select $1, $2, id from contacts where account = $1',
    [account, segment],
  )
  await pool.query('vacuum (analyze) segment_members')
  const workflow = await activeWorkflow(stage, {
    name: 'Everybody',
    tasks: [{ id: 'all', provider: { type: 'segment', value: { id: segment } }, handler: 'later' }],
    nodes: [
      { id: 'later', type: 'sleep', settings: { period: { unit: 'DAY', value: 30 } }, next: 'end' },
      { id: 'end', type: 'terminal', settings: {} },
    ],
  })
  const task = `/scripting/workflows/${workflow}/tasks/all`
  const from = performance.now()
  let firing = await client.call<Firing>('POST', `${task}/execution`)
  while (firing.state === 'running') {
    if (performance.now() > from + PATIENCE_MS) throw new Error(`${firing.count} of ${contacts.length} runs are stored`)
    await delay(LOOK_MS)
    firing = await client.call<Firing>('GET', `${task}/executions/${firing.id}`)
  }
  if (firing.count !== contacts.length) throw new Error(`${firing.count} of ${contacts.length} runs were started`)
  return (performance.now() - from) / 1000
}
