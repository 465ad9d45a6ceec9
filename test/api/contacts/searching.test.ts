import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { startHarness } from '../../support/harness.ts'
import { eventually } from '../../support/wait.ts'

const { call, context, own, other } = await startHarness()
const { db } = context

async function made(path: string, body: object, key = own.key) {
  const answer = await call('POST', path, { body, key })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

const [email] = (await call('GET', '/fields')).body
const phone = (await made('/fields', { type: 'phone', name: 'Mobile' })).id
const colours = (await made('/valueLists', { name: 'Couleurs d’été', values: [{ value: 'Red' }, { value: 'Blue' }] }))
  .id
const colour = (await made('/fields', { type: 'singleSelectList', name: 'Colour', valueListId: colours })).id
const colourSet = (await made('/fields', { type: 'multipleSelectList', name: 'Colours', valueListId: colours })).id
const spend = (await made('/fields', { type: 'numeric', name: 'Spend' })).id
const born = (await made('/fields', { type: 'date', name: 'Born' })).id
const ann = (await made('/targets', { Email: 'ann@summer.example', Mobile: '+33612345678', Colour: 'Red', Spend: 12 }))
  .id
const bob = (await made('/targets', { Email: 'bob@winter.example', Colour: 'Blue', Spend: 3 })).id

async function found(q: string, more = '') {
  const answer = await call('GET', `/search?q=${encodeURIComponent(q)}${more}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body as { type: string; id: string | number; name: string; detail: string | null }[]
}

suite('GET /search', () => {
  test('finds named objects of every kind, and none of another account', async () => {
    const name = 'Été à la mer'
    const type = 'static'
    const pipeline = { type: 'pipeline', source: { type: 'targets' }, cursors: [], parameters: [] }
    const application = { type: 'native', name }
    const expected = [
      ['action', (await made('/actions', { type: 'mailCampaign', name })).id, 'mailCampaign'],
      ['action', (await made('/actions', { type: 'smsMessage', name })).id, 'smsMessage'],
      ['rcs', (await made('/channel/rcs/actions', { type: 'rcsMessage', name })).id, 'rcsMessage'],
      ['notification', (await made('/notifications', { type: 'push-app', name })).id, null],
      ['segment', (await made('/segments', { type, name })).id, 'static'],
      ['field', (await made('/fields', { type: 'numeric', name })).id, 'numeric'],
      ['valueList', (await made('/valueLists', { name })).id, null],
      ['workflow', (await made('/scripting/workflows', { name })).id, null],
      ['webtask', (await made('/scripting/webtasks', { name, value: 'export default () => null' })).id, null],
      ['compilable', (await made('/scripting/compilables', { name, value: pipeline })).id, null],
      ['campaign', (await made('/campaigns', { name })).id, null],
      ['import', (await made('/imports', { name })).id, null],
      [
        'importFormat',
        (await made('/importFormats', { name, binds: [{ columnIndex: 0, fieldId: email.id }] })).identifier.guid,
        null,
      ],
      ['application', (await made('/parameters/applications', application)).id, null],
      ['form', (await made('/forms', { name, fields: [{ field: spend }] })).id, null],
      ['category', (await made('/categories', { name })).id, null],
      ['topic', (await made('/marketing/pressure/topics', { label: name })).id, null],
    ]
    await made('/segments', { type, name }, other.key)
    const results = await found('ETE a la MER', '&limit=100')
    assert.deepEqual(
      new Set(results.map((result) => [result.type, result.id, result.detail].join(' '))),
      new Set(expected.map((row) => row.join(' '))),
    )
    assert.ok(results.every((result) => result.name === name))
  })

  test('ranks an exact name before a prefix, a word and any other part', async () => {
    for (const name of ['Winter', 'Winter sale', 'Big winter', 'Midwinter'])
      await made('/segments', { type: 'static', name })
    const names = (await found('winter')).filter(({ type }) => type === 'segment').map(({ name }) => name)
    assert.deepEqual(names, ['Winter', 'Winter sale', 'Big winter', 'Midwinter'])
  })

  test('finds objects by their ids', async () => {
    const { id } = await made('/actions', { type: 'mailMessage', name: 'By its id' })
    assert.deepEqual(await found(id.toLowerCase()), [{ type: 'action', id, name: 'By its id', detail: 'mailMessage' }])
    const campaign = (await made('/campaigns', { name: 'Uuid' })).id
    assert.deepEqual(await found(campaign), [{ type: 'campaign', id: campaign, name: 'Uuid', detail: null }])
  })

  test('returns contacts with the address that matched', async () => {
    const contact = { type: 'contact', id: ann, name: 'ann@summer.example', detail: '+33612345678' }
    for (const q of ['ann@summer.example', 'nn@sum', '06 12 34 56', '+33612345678', ann])
      assert.deepEqual(await found(q), [contact], q)
    assert.deepEqual(await found('bob@'), [{ type: 'contact', id: bob, name: 'bob@winter.example', detail: null }])
    assert.deepEqual(await found('nn@'), [contact])
    assert.deepEqual(await found('n@'), [])
  })

  test('does not find deleted actions', async () => {
    const { id } = await made('/actions', { type: 'mailMessage', name: 'Soon gone' })
    await call('DELETE', `/actions/${id}`)
    assert.deepEqual(await found('Soon gone'), [])
  })

  test('returns nothing for a blank query, and requires a query', async () => {
    assert.deepEqual(await found('  '), [])
    assert.equal((await call('GET', '/search')).status, 400)
    assert.equal((await call('GET', '/search?q=x&limit=0')).status, 400)
  })
})

const preview = (body: object) => call('POST', '/segments/preview', { body })
const redListed = { type: 'redList', channel: 'mail' }

suite('POST /segments/preview', () => {
  test('returns a count, a sample and the criteria in words in both languages', async () => {
    const criteria = {
      all: [
        { type: 'field', field: spend, operator: 'greaterOrEqual', value: 3 },
        { any: [{ type: 'field', field: colour, operator: 'in', value: ['Red', 'Blue'] }, redListed] },
        { none: [{ type: 'field', field: colourSet, operator: 'in', value: ['Red'] }] },
      ],
    }
    const { status, body } = await preview({ criteria })
    assert.equal(status, 200)
    const sample = [bob, ann].map(async (id) => (await call('GET', `/targets/${id}`)).body)
    assert.deepEqual(body, {
      count: 2,
      exact: true,
      sample: await Promise.all(sample),
      words: {
        en: 'Contacts whose “Spend” is at least 3 and (whose “Colour” is one of “Red”, “Blue” or who are on the suppression list of mails) and who are not among those whose “Colours” has one of “Red”.',
        fr: 'Les contacts dont « Spend » est au moins 3 et (dont « Colour » est parmi « Red », « Blue » ou qui sont sur la liste d’exclusion des e-mails) et qui ne sont pas parmi ceux dont « Colours » contient l’un de « Red ».',
      },
    })
  })

  test('counts only members of a parent segment, and a parent of another account is unknown', async () => {
    const parent = (await made('/segments', { type: 'static', name: 'Parents' })).id
    await call('PUT', `/segments/${parent}/targets`, { body: [ann] })
    const { body } = await preview({ criteria: { all: [] }, parentId: parent })
    assert.deepEqual([body.count, body.sample.map(({ id }: { id: string }) => id)], [1, [ann]])
    assert.deepEqual(body.words, {
      en: 'Every contact, among the members of “Parents”.',
      fr: 'Tous les contacts, parmi les membres de « Parents ».',
    })
    const foreign = (await made('/segments', { type: 'static', name: 'Theirs' }, other.key)).id
    for (const parentId of [foreign, 999_999])
      assert.equal((await preview({ criteria: { all: [] }, parentId })).status, 404)
    assert.equal((await preview({ criteria: { type: 'segment', segment: foreign } })).status, 400)
  })

  test('selects nobody for null and everybody for an empty group', async () => {
    assert.deepEqual((await preview({ criteria: null })).body, {
      count: 0,
      exact: true,
      sample: [],
      words: { en: 'No contact.', fr: 'Aucun contact.' },
    })
    const { body } = await preview({ criteria: { none: [] } })
    assert.deepEqual([body.count, body.words.en], [2, 'Every contact.'])
    assert.equal((await preview({ criteria: { any: [{ none: [] }, redListed] } })).body.words.fr, 'Tous les contacts.')
  })

  const told: [object, string, string][] = [
    [
      { type: 'event', event: 'hit', link: 'open', period: { last: { value: 30, unit: 'day' } } },
      'who had at least 1 open in the last 30 days',
      'qui ont eu au moins 1 ouverture dans les 30 derniers jours',
    ],
    [
      { type: 'event', event: 'bounce', channel: 'sms', count: { operator: 'equals', value: 0 } },
      'who had no bounces by SMS',
      'qui n’ont eu aucun rebond par SMS',
    ],
    [
      { type: 'event', event: 'complaint', count: { operator: 'between', value: [2, 5] }, robots: true },
      'who had 2 to 5 complaints, machines counted',
      'qui ont eu de 2 à 5 plaintes, machines comprises',
    ],
    [
      { type: 'field', field: born, operator: 'anniversary', value: { from: 0, to: 7 } },
      'whose “Born” has its anniversary between today and 7 days from now',
      'dont l’anniversaire de « Born » tombe entre aujourd’hui et dans 7 jours',
    ],
    [
      { type: 'field', field: born, operator: 'between', value: ['1980-01-01', '1990-01-01'] },
      'whose “Born” is from January 1, 1980 until before January 1, 1990',
      'dont « Born » est du 1 janvier 1980 jusqu’avant le 1 janvier 1990',
    ],
    [
      { type: 'creationDate', operator: 'within', value: { last: { value: 1, unit: 'year' } } },
      'whose creation date is in the last year',
      'dont la date de création est dans la dernière année',
    ],
    [
      { type: 'lastUpdateDate', operator: 'before', value: { ago: { value: 2, unit: 'hour' } } },
      'whose date of last change is before 2 hours ago',
      'dont la date de dernière modification est avant il y a 2 heures',
    ],
    [
      { type: 'field', field: spend, operator: 'between', value: [1000, 2500.5] },
      'whose “Spend” is between 1,000 and 2,500.5',
      'dont « Spend » est entre 1\u202f000 et 2\u202f500,5',
    ],
    [
      { type: 'bounce', is: ['hard', 6], field: email.id },
      'who have a bounce flag (hard bounce, spam complaint) on “Email”',
      'qui ont une marque de rebond (rebond définitif, plainte pour spam) sur « Email »',
    ],
    [
      { type: 'event', event: 'activations' },
      'who had at least 1 message sent',
      'qui ont eu au moins 1 message envoyé',
    ],
    [
      { type: 'bounce', field: email.id },
      'who have a bounce flag on “Email” that stops sends',
      'qui ont une marque de rebond sur « Email » qui arrête les envois',
    ],
    [{ type: 'subscription' }, 'who have a device', 'qui ont un appareil'],
    [{ type: 'field', field: phone, operator: 'empty' }, 'whose “Mobile” is empty', 'dont « Mobile » est vide'],
  ]
  for (const [criteria, en, fr] of told)
    test(`describes criteria as: ${en}`, async () => {
      const { body } = await preview({ criteria })
      assert.deepEqual(body.words, { en: `Contacts ${en}.`, fr: `Les contacts ${fr}.` })
    })

  test('names segments and actions in the words', async () => {
    const { id } = await made('/segments', { type: 'static', name: 'VIP' })
    const action = (await made('/actions', { type: 'mailCampaign', name: 'Soldes' })).id
    const criteria = {
      any: [
        { type: 'segment', segment: id, operator: 'notIn' },
        { type: 'event', event: 'activation', actions: [action] },
      ],
    }
    assert.equal(
      (await preview({ criteria })).body.words.fr,
      'Les contacts qui ne sont pas dans le segment « VIP » ou qui ont eu au moins 1 message envoyé de « Soldes ».',
    )
  })

  test('requires criteria, and an invalid one is 400 with its pointer', async () => {
    const { status, body } = await preview({
      criteria: { all: [{ type: 'field', field: spend, operator: 'contains', value: 'x' }] },
    })
    assert.equal(status, 400)
    assert.deepEqual(
      body.errors.map(({ pointer }: { pointer: string }) => pointer),
      ['/criteria/all/0/operator'],
    )
    assert.equal((await preview({})).status, 400)
  })

  test('cancels the oldest preview when a third one starts', async () => {
    // Counting waits for a table that is locked.
    const locked = Promise.withResolvers<void>()
    const holding = db.transaction().execute(async (tx) => {
      await sql`lock table red_list in access exclusive mode`.execute(tx)
      await locked.promise
    })
    const waiting = async (least: number) => {
      const { rows } = await sql<{ n: number }>`
        select count(*)::integer as n from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%red_list%'`.execute(db)
      return (rows[0]?.n ?? 0) >= least
    }
    await eventually(async () => {
      const { rows } =
        await sql`select from pg_locks where relation = 'red_list'::regclass and mode = 'AccessExclusiveLock' and granted`.execute(
          db,
        )
      return rows.length > 0
    })
    const first = preview({ criteria: redListed })
    await eventually(() => waiting(2))
    // Whichever of them is the third: the first one is the oldest.
    const [second, third] = [preview({ criteria: redListed }), preview({ criteria: redListed })]
    const answer = await first
    assert.equal(answer.status, 409, answer.text)
    assert.equal(answer.body.type, 'urn:stentor:problem:preview-replaced')
    locked.resolve()
    await holding
    assert.deepEqual([(await second).status, (await third).status], [200, 200])
    assert.equal((await preview({ criteria: redListed })).body.count, 0)
  })
})
