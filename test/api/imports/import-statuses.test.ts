import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { runImport } from '../../../src/features/imports/run/run-import.ts'
import { zip } from '../../support/files/zip.ts'
import { type Answer, startHarness } from '../../support/harness.ts'

const { call, clock, context, own, other, makeAccount } = await startHarness()

const EMAIL = (await call('GET', '/fields')).body[0].id
const NAME = (await call('POST', '/fields', { body: { name: 'Name', type: 'textField' } })).body.id
const PHONE = (await call('POST', '/fields', { body: { name: 'Phone', type: 'phone' } })).body.id
const foreign = (await call('GET', '/fields', { key: other.key })).body[0].id
const AT = '2026-05-01T08:00:00.000Z'
clock.set(AT)

const map = { unsubscribed: 'redList', cleaned: 'hardUser', complained: 'reportAsSpam', subscribed: null }
const STATUSES = { type: 'statuses', column: 'Status', map }

let made = 0
async function makeImport(features: object[], key = own.key): Promise<number> {
  const answer = await call('POST', '/imports', { body: { name: `Statuses ${++made}`, features }, key })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.id
}

async function run(id: number, file: string | Buffer, name = 'people.csv', key = own.key): Promise<Answer['body']> {
  const type = name.endsWith('.zip') ? 'application/zip' : 'text/csv'
  const headers = { 'content-type': type, 'content-disposition': `attachment; filename="${name}"` }
  const { status, body, text } = await call('POST', `/imports/${id}/executions`, { body: file, headers, key })
  assert.equal(status, 200, text)
  await runImport(context, { execution: body.id })
  return (await call('GET', `/imports/${id}/executions/${body.id}`, { key })).body
}

async function rejects({ id, import: of }: Answer['body']): Promise<string[]> {
  const { text } = await call('GET', `/imports/${of}/executions/${id}/rejects`)
  return text.split('\n').slice(1, -1)
}

const contact = async (address: string, key = own.key): Promise<Answer['body']> =>
  (await call('GET', `/targets?unicity=${encodeURIComponent(address)}`, { key })).body

/** What stops sends to a contact: the origins of its red lists, and its flags. */
async function stops(address: string): Promise<object> {
  const { redList, bounce } = await contact(address)
  const lists = Object.entries<{ reason: number }>(redList).map(([list, { reason }]) => [list, reason])
  return {
    ...Object.fromEntries(lists),
    ...Object.fromEntries(bounce.map(({ field, type }: Answer['body']) => [field, type])),
  }
}

suite('import statuses by column', () => {
  test('red-list and flag the contacts of their lines, ignoring case, and count them', async () => {
    const id = await makeImport([STATUSES])
    const done = await run(
      id,
      'Email;Name;STATUS\nu@a.example;U; Unsubscribed \nc@a.example;C;CLEANED\ns@a.example;S;complained\nok@a.example;Ok;subscribed\n',
    )
    assert.deepEqual([done.state, done.created, done.rejected, done.blocked, done.warnings], [1, 4, 0, 3, []])
    const { redList, bounce } = await contact('u@a.example')
    assert.deepEqual([redList, bounce], [{ mail: { timestamp: AT, reason: 2 } }, []])
    const { body: listed } = await call('GET', '/targets/redlist/mail')
    assert.deepEqual(listed.at(-1).detail, { importId: id })
    const cleaned = await contact('c@a.example')
    assert.deepEqual(cleaned.redList, {})
    assert.deepEqual(cleaned.bounce, [{ field: EMAIL, type: 52, timestamp: AT, reason: 'cleaned' }])
    assert.deepEqual(await stops('s@a.example'), { [EMAIL]: 6 })
    assert.deepEqual(await stops('ok@a.example'), {})
  })

  test('an unknown word rejects its line, and so does an empty cell that is not in the map', async () => {
    const done = await run(
      await makeImport([STATUSES]),
      'Email;Status\nu@b.example;unsubscribed\nx@b.example;Gold\ny@b.example;\nz@b.example\nbad;what\n',
    )
    assert.deepEqual([done.created, done.rejected, done.blocked], [1, 4, 1])
    assert.deepEqual(await rejects(done), [
      '3;unknown-status;Status;Gold',
      '4;unknown-status;Status;',
      '5;unknown-status;Status;',
      '6;invalid-value;Email;bad',
      '6;unknown-status;Status;what',
    ])
    assert.equal((await call('GET', '/targets?unicity=x%40b.example')).status, 404)
  })

  test('the empty word and the star match empty cells and all other words', async () => {
    const done = await run(
      await makeImport([{ type: 'statuses', column: 'Left at', map: { '': null, '*': 'redList' } }]),
      'Email;Left at\nstays@c.example;\nleft@c.example;2024-01-01\n',
    )
    assert.deepEqual([done.created, done.rejected, done.blocked], [2, 0, 1])
    assert.deepEqual([await stops('stays@c.example'), await stops('left@c.example')], [{}, { mail: 2 }])
  })

  test('remove no existing mark and change no red list entry or blocking flag', async () => {
    clock.set('2026-04-01T00:00:00.000Z')
    for (const name of ['listed', 'flagged', 'soft', 'valid'])
      await call('POST', '/targets', { body: { Email: `${name}@d.example` } })
    const [listed, flagged, soft, valid] = await Promise.all(
      ['listed', 'flagged', 'soft', 'valid'].map((name) => contact(`${name}@d.example`)),
    )
    await call('POST', `/targets/${listed.id}/redlist/mail`, { body: { origin: 4 } })
    await call('PUT', `/targets/${flagged.id}/bounces/${EMAIL}`, { body: { type: 'reportAsSpam' } })
    await call('PUT', `/targets/${soft.id}/bounces/${EMAIL}`, { body: { type: 'soft' } })
    await call('PUT', `/targets/${valid.id}/bounces/${EMAIL}`, { body: { type: 'validated' } })
    const before = [await contact('listed@d.example'), await contact('flagged@d.example')]
    clock.set(AT)
    const id = await makeImport([STATUSES])
    const free = await run(id, 'Email;Status\nlisted@d.example;subscribed\nflagged@d.example;subscribed\n')
    assert.deepEqual([free.skipped, free.blocked], [2, 0])
    const again = await run(
      id,
      'Email;Status\nlisted@d.example;unsubscribed\nflagged@d.example;cleaned\nsoft@d.example;cleaned\nvalid@d.example;cleaned\n',
    )
    assert.deepEqual([again.skipped, again.blocked], [4, 2])
    assert.deepEqual([await contact('listed@d.example'), await contact('flagged@d.example')], before)
    assert.deepEqual(
      [await stops('soft@d.example'), await stops('valid@d.example')],
      [{ [EMAIL]: 52 }, { [EMAIL]: 52 }],
    )
  })

  test('mark known contacts that the import does not update, and addresses that it adds', async () => {
    await call('POST', '/targets', { body: { Email: 'left@e.example', Name: 'Old' } })
    await run(
      await makeImport([STATUSES, { type: 'database', updateExisting: false }]),
      'Email;Name;Status\nleft@e.example;New;unsubscribed\n',
    )
    assert.deepEqual(
      [(await contact('left@e.example')).fields[NAME], await stops('left@e.example')],
      ['Old', { mail: 2 }],
    )
    const ofPhone = { ...STATUSES, field: PHONE }
    await run(
      await makeImport([ofPhone]),
      'Email;Phone;Status\nnew@e.example;0612345678;cleaned\nnone@e.example;;cleaned\nleft@e.example;0612345679;unsubscribed\n',
    )
    assert.deepEqual(await stops('new@e.example'), { [PHONE]: 52 })
    assert.deepEqual(await stops('none@e.example'), {})
    assert.deepEqual(await stops('left@e.example'), { mail: 2, sms: 2 })
  })

  test('a changed address loses its flag and gets the flag of its line', async () => {
    await run(
      await makeImport([{ ...STATUSES, field: PHONE }]),
      'Email;Phone;Status\np@f.example;0612345678;complained\n',
    )
    await run(await makeImport([{ ...STATUSES, field: PHONE }]), 'Email;Phone;Status\np@f.example;0612345699;cleaned\n')
    assert.deepEqual(await stops('p@f.example'), { [PHONE]: 52 })
  })

  test('several columns of a line are read, and the first flag for each field wins', async () => {
    const feature = {
      type: 'statuses',
      column: 'Out',
      map: { yes: 'redList', no: null },
      also: [
        { column: 2, map: { yes: 'reportAsSpam', no: null } },
        { column: 'Bounce', map: { '': null, '*': 'hardUser' } },
        { column: 'Sms out', map: { yes: 'redList', no: null }, field: PHONE },
      ],
    }
    const done = await run(
      await makeImport([feature]),
      'Email;Out;Spam;Bounce;Sms out\nall@g.example;yes;YES;5.1.1;yes\nnone@g.example;no;no;;no\nbounce@g.example;no;no;5.1.1;no\n',
    )
    assert.deepEqual([done.created, done.rejected, done.blocked], [3, 0, 2])
    assert.deepEqual(await stops('all@g.example'), { mail: 2, sms: 2, [EMAIL]: 6 })
    assert.deepEqual(await stops('none@g.example'), {})
    assert.deepEqual(await stops('bounce@g.example'), { [EMAIL]: 52 })
  })

  test('together with the redList feature, each contact is listed and counted once', async () => {
    const done = await run(
      await makeImport([STATUSES, { type: 'redList', destination: { mail: true } }]),
      'Email;Status\nboth@h.example;unsubscribed\nother@h.example;subscribed\n',
    )
    assert.equal(done.blocked, 2)
    assert.deepEqual([await stops('both@h.example'), await stops('other@h.example')], [{ mail: 2 }, { mail: 2 }])
  })

  test('with a binding, the headings are read from the line before the data', async () => {
    const format = { name: 'Two lines before', startAt: 2, binds: [{ columnIndex: 0, fieldId: EMAIL }] }
    const { body } = await call('POST', '/importFormats', { body: format })
    const id = await makeImport([STATUSES])
    await call('PUT', `/imports/${id}`, { body: { binding: body.identifier.guid } })
    const done = await run(id, 'Made by hand\nAddress;Status\nu@i.example;unsubscribed\n')
    assert.deepEqual([done.created, done.blocked], [1, 1])
  })

  test('the status of a duplicate line has no effect', async () => {
    const done = await run(
      await makeImport([STATUSES]),
      'Email;Status\ntwice@j.example;subscribed\ntwice@j.example;unsubscribed\n',
    )
    assert.deepEqual([done.created, done.duplicates, done.blocked], [1, 1, 0])
    const last = await run(
      await makeImport([STATUSES, { type: 'duplicate', rules: { last: true } }]),
      'Email;Status\ntwice@j.example;subscribed\ntwice@j.example;unsubscribed\n',
    )
    assert.deepEqual([last.skipped, last.duplicates, last.blocked], [1, 1, 1])
  })
})

suite('import statuses by file name', () => {
  const BY_FILE = { type: 'statuses', file: true, map: { ...map, nonsubscribed: 'redList' } }
  const archive = (files: Record<string, string>) =>
    zip(Object.entries(files).map(([name, text]) => ({ name, data: Buffer.from(text) })))

  test('are words of file names, and files whose words stop sends are read first', async () => {
    const done = await run(
      await makeImport([BY_FILE]),
      archive({
        'a_subscribed_members.csv': 'Email;Name\nboth@k.example;Late\nfree@k.example;Free\n',
        'b/Unsubscribed Members.csv': 'Name;Email\nEarly;both@k.example\n',
        'c.cleaned.csv': 'Email\nclean@k.example\n',
        'nonsubscribed-1.csv': 'Email\nnever@k.example\n',
      }),
      'export.zip',
    )
    assert.deepEqual([done.state, done.created, done.duplicates, done.rejected, done.blocked], [1, 4, 1, 0, 3])
    assert.equal((await contact('both@k.example')).fields[NAME], 'Early')
    assert.deepEqual(await Promise.all(['both', 'free', 'clean', 'never'].map((name) => stops(`${name}@k.example`))), [
      { mail: 2 },
      {},
      { [EMAIL]: 52 },
      { mail: 2 },
    ])
  })

  test('every line is rejected when the file name contains no known word', async () => {
    const done = await run(
      await makeImport([BY_FILE]),
      archive({ 'subscribed.csv': 'Email\nfree@l.example\n', 'people.csv': 'Email\nwho@l.example\n' }),
      'export.zip',
    )
    assert.deepEqual([done.created, done.rejected], [1, 1])
    assert.deepEqual(await rejects(done), ['2;unknown-status;;people.csv'])
  })

  test('a file outside an archive uses its own name', async () => {
    const done = await run(await makeImport([BY_FILE]), 'Email\nalone@m.example\n', 'unsubscribed_members.csv')
    assert.deepEqual([done.created, done.blocked], [1, 1])
    assert.deepEqual(await stops('alone@m.example'), { mail: 2 })
  })

  test('a file of an archive without the column counts as empty and causes a warning', async () => {
    const done = await run(
      await makeImport([{ type: 'statuses', column: 'Left at', map: { '': null, '*': 'redList' } }]),
      archive({ 'a.csv': 'Email;Left at\nleft@n.example;2024\n', 'b.csv': 'Email\nstays@n.example\n' }),
      'export.zip',
    )
    assert.deepEqual([done.created, done.blocked], [2, 1])
    assert.deepEqual(done.warnings, ['"b.csv" has no column "Left at", so its statuses are empty.'])
  })
})

suite('import columns', () => {
  test('fill fields by heading or position, and ignore unmapped columns', async () => {
    const columns = {
      type: 'columns',
      fields: [
        { column: 'e-mail ADDRESS', field: EMAIL },
        { column: 2, field: NAME },
        { column: 'Name', field: null },
        { column: 'Gone', field: PHONE },
      ],
    }
    const id = await makeImport([columns])
    assert.deepEqual((await call('GET', `/imports/${id}`)).body.features, [{ ...columns, header: true }])
    const done = await run(id, 'E-Mail Address;Name;Other;New\na@o.example;Wrong;Right;x\n')
    assert.deepEqual([done.state, done.created], [1, 1])
    assert.equal((await contact('a@o.example')).fields[NAME], 'Right')
    assert.deepEqual(done.warnings, [
      'There is no column "Gone", so the field "Phone" was not read.',
      'Column 4, "New", is not mapped and was not read.',
    ])
  })

  test('are not used with a binding or with a file of flat maps', async () => {
    const { body } = await call('POST', '/importFormats', {
      body: { name: 'First column', binds: [{ columnIndex: 0, fieldId: EMAIL }] },
    })
    const columns = { type: 'columns', fields: [{ column: 'Address', field: EMAIL }] }
    const id = await makeImport([columns])
    await call('PUT', `/imports/${id}`, { body: { binding: body.identifier.guid } })
    assert.equal((await run(id, 'Whatever;Address\na@p.example;x\n')).created, 1)
    const started = await call('POST', `/imports/${id}/executions`, {
      body: { source: { filename: 'maps.csv', data: [{ Email: 'b@p.example' }] } },
    })
    await runImport(context, { execution: started.body.id })
    const { body: done } = await call('GET', `/imports/${id}/executions/${started.body.id}`)
    assert.deepEqual([done.state, done.created, done.content.features], [1, 1, []])
  })

  test('end the run in error when none maps the unicity', async () => {
    const done = await run(
      await makeImport([{ type: 'columns', fields: [{ column: 'Name', field: NAME }] }]),
      'Name\nAnn\n',
    )
    assert.deepEqual([done.state, done.error.type], [2, 'unicity-not-bound'])
  })

  test('protect the fields that they name from deletion', async () => {
    const { body: field } = await call('POST', '/fields', { body: { name: 'Held', type: 'phone' } })
    const id = await makeImport([{ ...STATUSES, field: field.id }])
    assert.equal((await call('DELETE', `/fields/${field.id}`)).status, 409)
    await call('PUT', `/imports/${id}`, {
      body: { features: [{ type: 'columns', fields: [{ column: 0, field: field.id }] }] },
    })
    assert.equal((await call('DELETE', `/fields/${field.id}`)).status, 409)
    await call('PUT', `/imports/${id}`, { body: { features: [] } })
    assert.equal((await call('DELETE', `/fields/${field.id}`)).status, 204)
  })
})

suite('refused statuses and columns', () => {
  const cases: [string, object, string][] = [
    ['refuses statuses without a column or file', { type: 'statuses', map }, '/features/0/column'],
    ['refuses statuses with both a column and a file', { ...STATUSES, file: true }, '/features/0/column'],
    ['refuses statuses without a map', { type: 'statuses', column: 'Status' }, '/features/0/map'],
    ['refuses an empty map', { ...STATUSES, map: {} }, '/features/0/map'],
    ['refuses an unknown mark', { ...STATUSES, map: { gone: 'blueList' } }, '/features/0/map/gone'],
    ['refuses a flag that stops nothing', { ...STATUSES, map: { gone: 'validated' } }, '/features/0/map/gone'],
    [
      'refuses the same word twice in a map',
      { ...STATUSES, map: { gone: 'redList', GONE: null } },
      '/features/0/map/GONE',
    ],
    ['refuses statuses for a field that holds no address', { ...STATUSES, field: NAME }, '/features/0/field'],
    ['refuses statuses for an unknown field', { ...STATUSES, field: 999_999 }, '/features/0/field'],
    ['refuses statuses for a field of another account', { ...STATUSES, field: foreign }, '/features/0/field'],
    ['refuses a further place without a column', { ...STATUSES, also: [{ map }] }, '/features/0/also/0/column'],
    ['refuses a negative column index', { ...STATUSES, column: -1 }, '/features/0/column'],
    [
      'refuses columns for an unknown field',
      { type: 'columns', fields: [{ column: 0, field: 999_999 }] },
      '/features/0/fields/0/field',
    ],
    [
      'refuses columns for a field of another account',
      { type: 'columns', fields: [{ column: 0, field: foreign }] },
      '/features/0/fields/0/field',
    ],
    [
      'refuses the same column twice',
      {
        type: 'columns',
        fields: [
          { column: 'A', field: EMAIL },
          { column: 'a ', field: NAME },
        ],
      },
      '/features/0/fields/1/column',
    ],
    [
      'refuses the same field twice',
      {
        type: 'columns',
        fields: [
          { column: 'A', field: EMAIL },
          { column: 'B', field: EMAIL },
        ],
      },
      '/features/0/fields/1/field',
    ],
    [
      'refuses headings when the file has no header',
      { type: 'columns', header: false, fields: [{ column: 'A', field: EMAIL }] },
      '/features/0/fields/0/column',
    ],
  ]
  for (const [title, feature, pointer] of cases) {
    test(title, async () => {
      const { status, body, text } = await call('POST', '/imports', { body: { name: 'x', features: [feature] } })
      assert.equal(status, 400, text)
      assert.ok(
        body.errors.some((fault: { pointer: string }) => fault.pointer === pointer),
        text,
      )
    })
  }

  test('a run without its status column ends with an error and writes nothing', async () => {
    const done = await run(await makeImport([STATUSES]), 'Email;State\nx@q.example;unsubscribed\n')
    assert.deepEqual(
      [done.state, done.created, done.error],
      [
        2,
        0,
        { type: 'status-column-missing', detail: 'The file has no column "Status", which contains the statuses.' },
      ],
    )
  })

  test('a run of an account without an address field ends with an error', async () => {
    const { key } = await makeAccount('NOAD004')
    const [email] = (await call('GET', '/fields', { key })).body
    const { body: code } = await call('POST', '/fields', {
      body: { name: 'Code', type: 'textField', isUnicity: true },
      key,
    })
    await call('PUT', `/fields/${email.id}`, { body: { isUnicity: false }, key })
    assert.equal((await call('DELETE', `/fields/${email.id}`, { key })).status, 204, String(code.id))
    const done = await run(await makeImport([STATUSES], key), 'Code;Status\nA1;unsubscribed\n', 'people.csv', key)
    assert.deepEqual([done.state, done.error.type], [2, 'status-field-missing'])
  })
})
