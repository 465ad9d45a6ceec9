import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { startStage } from '../../support/stages/stage.ts'
import { WEBTASKS } from '../../support/stages/webtask-stage.ts'

const stage = await startStage()
const { call, context, gateway, own, sendDue } = stage

async function made(url: string, body: object) {
  const answer = await call('POST', url, { body })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

test('a webtask sends once for each stamp, with itself as the origin, and starts workflows', async () => {
  const action = await stage.validated(await stage.action())
  const { id: workflow } = await made('/scripting/workflows', {
    name: 'Asked for',
    nodes: [{ id: 'end', type: 'terminal', default: true, settings: { outcome: 'ok' } }],
  })
  assert.equal((await call('POST', `/scripting/workflows/${workflow}/activation`)).status, 204)
  const { id } = await made(WEBTASKS, {
    name: 'Sender',
    scripting: { environment: { capabilities: ['actions.send', 'workflows.execute'] } },
    value: `export default ({ contact, data }) => {
      const recipient = { type: 'id', value: contact.id }
      const mail = actions.execute(data.action, { recipient })
      const run = workflows.execute(data.workflow, { receiver: recipient })
      return [mail.id, run.id]
    }`,
  })
  const who = await stage.contact('ann@orchard.example')
  const item = { receiver: { type: 'id', value: who }, data: { action, workflow }, stamp: { id: randomUUID() } }
  const execute = () => call('POST', `${WEBTASKS}/${id}/execution`, { body: item })
  const { body, text } = await execute()
  assert.equal(body.type, 'success', text)
  const [mail, run] = body.value
  assert.deepEqual((await execute()).body, body)
  await sendDue()
  assert.equal(gateway.to('ann@orchard.example').length, 1)
  const { rows } = await sql<{ stamp: string; thread: string; origin: unknown }>`
    select stamp, thread, detail -> 'execution' -> 'origin' as origin from events
    where account = ${own.account} and kind = 'executions'`.execute(context.db)
  assert.deepEqual(rows, [{ stamp: mail, thread: item.stamp.id, origin: { type: 'webtask', id } }])
  assert.equal((await call('GET', `/scripting/workflows/${workflow}/runs/${run}`)).status, 200)
})
