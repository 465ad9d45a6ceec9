import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startStage } from '../../support/stages/stage.ts'

const { call, contact, action, validated, gateway, sendDue } = await startStage()

const message = await validated(await action())
const [{ id: email }] = (await call('GET', '/fields')).body
const { body: text } = await call('POST', '/fields', { body: { type: 'textField', name: 'First name' } })

/** Has the message accepted for a contact; gives a function that has the sender process it. */
async function accepted(
  target: string,
  address: string,
): Promise<() => Promise<{ sent: number; cancelled: unknown[] }>> {
  const body = [{ type: 'contact', recipient: { type: 'id', value: target } }]
  const answer = await call('POST', `/actions/${message}/executions`, { body })
  assert.equal(answer.status, 200, answer.text)
  const seen = (await cancellations(target)).length
  const before = gateway.to(address).length
  return async () => {
    await sendDue()
    return {
      sent: gateway.to(address).length - before,
      cancelled: (await cancellations(target)).slice(seen),
    }
  }
}

interface Cancelled {
  source: { detail: { cancellation: unknown; execution: { recipient: { id: string } } } }
}

async function cancellations(target: string): Promise<unknown[]> {
  const { body } = await call('GET', `/actions/${message}/events/cancellations`)
  return body.flatMap(({ source: { detail } }: Cancelled) =>
    detail.execution.recipient.id === target ? detail.cancellation : [],
  )
}

suite('a message accepted but not yet handed over', () => {
  test('is cancelled when its contact is red-listed', async () => {
    const target = await contact('listed@example.org')
    const send = await accepted(target, 'listed@example.org')
    assert.equal((await call('POST', `/targets/${target}/redlist/mail`)).status, 204)
    assert.deepEqual(await send(), { sent: 0, cancelled: [{ type: 'redlist', value: { channel: 'mail' } }] })
    await call('DELETE', `/targets/${target}/redlist/mail`, { body: { reason: 'asked by phone' } })
    const again = await accepted(target, 'listed@example.org')
    assert.deepEqual(await again(), { sent: 1, cancelled: [] })
  })

  test('is cancelled while its address is flagged', async () => {
    const target = await contact('flagged@example.org')
    assert.equal((await call('PUT', `/targets/${target}/bounces/${text.id}`, { body: { type: 52 } })).status, 400)
    const send = await accepted(target, 'flagged@example.org')
    assert.equal((await call('PUT', `/targets/${target}/bounces/${email}`, { body: { type: 52 } })).status, 204)
    assert.deepEqual(await send(), { sent: 0, cancelled: [{ type: 'bounce', value: { field: email } }] })
    assert.equal((await call('DELETE', `/targets/${target}/bounces/${email}`)).status, 204)
    const again = await accepted(target, 'flagged@example.org')
    assert.deepEqual(await again(), { sent: 1, cancelled: [] })
  })

  test('goes to the new value of a flagged address', async () => {
    const target = await contact('old@example.org')
    await call('PUT', `/targets/${target}/bounces/${email}`, { body: { type: 52 } })
    await call('PUT', `/targets/${target}`, { body: { Email: 'new@example.org' } })
    const send = await accepted(target, 'new@example.org')
    assert.deepEqual(await send(), { sent: 1, cancelled: [] })
  })
})
