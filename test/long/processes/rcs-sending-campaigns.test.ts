import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { formatContactId } from '../../../src/lib/ids.ts'
import { planCampaign } from '../../../src/sending/plan/plan-campaign.ts'
import { startRcsStage } from '../../support/stages/rcs-stage.ts'
import { eventually } from '../../support/wait.ts'

const stage = await startRcsStage()
const { app, call, clock, context, own, peer, profile, rcsAction, person, request, sendRcs, kinds, events } = stage
const { book } = peer

/** Makes many contacts with phones; gives a segment of them. */
async function audience(phones: readonly string[]): Promise<number> {
  const contacts: string[] = []
  for (let from = 0; from < phones.length; from += 100) {
    const ids = await Promise.all(phones.slice(from, from + 100).map((phone) => person(phone)))
    contacts.push(...ids.map(formatContactId))
  }
  const { id } = (await call('POST', '/segments', { body: { type: 'static', name: `S${phones[0]}` } })).body
  for (let from = 0; from < contacts.length; from += 50)
    await call('PUT', `/segments/${id}/targets`, { body: contacts.slice(from, from + 50) })
  return id
}

async function stateOf(action: number): Promise<number> {
  return (await call('GET', `/channel/rcs/actions/${action}`)).body.state
}

/** A campaign that begins at once, planned and not sent. */
async function begun(id: number, phones: readonly string[], more: object = {}): Promise<number> {
  const scheduler = { type: 'asap', segments: { selected: [await audience(phones)] } }
  const action = await rcsAction(id, { type: 'rcsCampaign', scheduler, ...more })
  await stage.advance()
  await stage.work()
  return action
}

async function activations(action: number) {
  const { rows } = await context.pool.query(
    `select detail->'activation'->>'kind' as kind, stamp from events where account = $1 and kind = 'activations' and subject = $2`,
    [own.account, action],
  )
  return rows
}

const range = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, n) => `${prefix}${String(n).padStart(3, '0')}`)

suite('RCS campaigns', () => {
  test('go from state 50 through 55 to 60, with a campaign activation for each contact', async () => {
    const action = await begun(await profile(), range('+33639983', 3))
    assert.equal(await stateOf(action), 55)
    await sendRcs()
    await stage.advance()
    assert.equal(await stateOf(action), 60)
    const rows = await activations(action)
    assert.deepEqual(
      rows.map(({ kind }) => kind),
      ['campaign', 'campaign', 'campaign'],
    )
  })

  test('expire at the expiration of their action', async () => {
    const scheduler = { type: 'asap', segments: { selected: [await audience(range('+33639984', 2))] } }
    const expiration = { type: 'period', value: { unit: 'HOUR', value: 1 } }
    const action = await rcsAction(await profile(), { type: 'rcsCampaign', scheduler, settings: { expiration } })
    await stage.advance()
    await stage.work()
    clock.advance(3_601_000)
    await sendRcs()
    const { rows } = await context.pool.query(
      `select detail->'cancellation'->>'type' as type from events where kind = 'cancellations' and subject = $1`,
      [action],
    )
    assert.deepEqual(rows, [{ type: 'expired' }, { type: 'expired' }])
  })

  test('600 French and 600 American numbers are looked up in two bulk requests, one per region', async () => {
    const id = await profile({ capability: { check: true, cacheHours: 24 } })
    const [french, american] = [range('+33612345', 600), range('+12125550', 600)]
    book.unreachable.add(french[7]!)
    const action = await begun(id, [...french, ...american])
    assert.deepEqual(book.bulk.map(({ region, phones }) => [region, phones.length]).sort(), [
      ['europe', 600],
      ['us', 600],
    ])
    assert.deepEqual(book.faults, [])
    const singly = book.lookups.length
    // A request that a busy machine keeps too long is sent again after a pause.
    await eventually(async () => {
      await sendRcs()
      clock.advance(1000)
      return (await activations(action)).length === 1200
    })
    assert.equal(book.lookups.length, singly)
    const sent = new Set(book.taken.map(({ phone }) => phone))
    assert.deepEqual([sent.has(french[7]!), sent.has(french[8]!)], [false, true])
    // Planned again, nothing is asked again: the answers are kept.
    const { sending } = await context.db
      .selectFrom('actions')
      .select('sending')
      .where('id', '=', action)
      .executeTakeFirstOrThrow()
    await planCampaign(context, { sending: sending! })
    assert.equal(book.bulk.length, 2)
  })
})

suite('tracked links of RCS suggestions', () => {
  test('a tap is redirected and recorded as an interaction of the message', async () => {
    const action = await rcsAction(await profile(), {
      content: {
        type: 'text',
        text: 'Pears',
        suggestions: [{ type: 'openUrl', text: 'See', postback: 'see', url: 'https://orchard.example/pears' }],
      },
    })
    const [stamp] = await request({ action, contact: await person('+33639985000') })
    await sendRcs()
    const taken = book.taken.find(({ messageId }) => messageId === stamp)
    const [suggestion] = taken?.body.contentMessage.suggestions ?? []
    const { url } = suggestion.action.openUrlAction
    assert.match(suggestion.action.postbackData, /^~[\w-]{22}\.s0~see$/)
    assert.notEqual(url, 'https://orchard.example/pears')
    const { pathname } = new URL(url)
    const agent = 'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36'
    const answer = await app.inject({ method: 'GET', url: pathname, headers: { 'user-agent': agent } })
    assert.deepEqual([answer.statusCode, answer.headers.location], [302, 'https://orchard.example/pears'])
    await eventually(async () => (await kinds(stamp!)).length > 1)
    assert.deepEqual(await kinds(stamp!), ['activations', 'interactions/redirection'])
    const [{ detail }] = await events(stamp!, 'interactions/redirection')
    assert.equal(detail.interaction.type, 'redirection')
  })
})
