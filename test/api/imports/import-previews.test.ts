import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import iconv from 'iconv-lite'
import { runImport } from '../../../src/features/imports/run/run-import.ts'
import { IMPORT_FILES, noSharedData, SHARED_DATA } from '../../support/files/sample-files.ts'
import { fileOf, vendorExports } from '../../support/files/vendor-exports.ts'
import { zip } from '../../support/files/zip.ts'
import { type Answer, startHarness } from '../../support/harness.ts'

const { call, context, dataDir, own, other, makeAccount, makeKey } = await startHarness()

const EMAIL = (await call('GET', '/fields')).body[0].id
const FIELDS: Record<string, number> = { Email: EMAIL }
for (const [name, type] of Object.entries({
  'First name': 'textField',
  'Last name': 'textField',
  Mobile: 'phone',
  Born: 'date',
}))
  FIELDS[name] = (await call('POST', '/fields', { body: { name, type } })).body.id

const CSV = { 'content-type': 'text/csv' }
const named = (name: string, type = 'text/csv') => ({
  'content-type': type,
  'content-disposition': `attachment; filename="${name}"`,
})

let made = 0
async function importOf(file: Buffer | string, name = 'people.csv', more: object = {}): Promise<number> {
  const { body } = await call('POST', '/imports', { body: { name: `Preview ${++made}`, ...more } })
  const type = name.endsWith('.zip') ? 'application/zip' : 'text/csv'
  const { status, text } = await call('PUT', `/imports/${body.id}/source`, { body: file, headers: named(name, type) })
  assert.equal(status, 200, text)
  return body.id
}

const preview = (id: number, key = own.key, query = '') => call('GET', `/imports/${id}/source/preview${query}`, { key })

/** What the columns of an answer fill, by heading. */
function filled({ mapping }: Answer['body']): Record<string, string> {
  const columns = mapping.features.find(({ type }: { type: string }) => type === 'columns')
  const names = Object.fromEntries(Object.entries(FIELDS).map(([name, id]) => [id, name]))
  return Object.fromEntries(
    columns.fields
      .filter(({ field }: { field: number | null }) => field !== null)
      .map(({ column, field }: { column: string; field: number }) => [column, names[field]]),
  )
}

suite("an import's preview", () => {
  test('shows the encoding, separator, columns, first 20 lines and a proposed mapping', async () => {
    const lines = Array.from({ length: 25 }, (_, n) => `p${n}@example.org;Zoé ${n};x\r\n`)
    const id = await importOf(iconv.encode(`E-Mail;Prénom;Shoe size\r\n${lines.join('')}`, 'win1252'))
    const { status, body } = await preview(id)
    assert.equal(status, 200)
    const { filename } = (await call('GET', `/imports/${id}`)).body.source
    assert.deepEqual(body, {
      files: [filename],
      encoding: 'windows-1252',
      samples: ['Prénom'],
      sheet: null,
      sheets: [],
      separator: 59,
      columns: [
        { index: 0, heading: 'E-Mail', field: EMAIL },
        { index: 1, heading: 'Prénom', field: FIELDS['First name'] },
        { index: 2, heading: 'Shoe size', field: null },
      ],
      lines: Array.from({ length: 20 }, (_, n) => [`p${n}@example.org`, `Zoé ${n}`, 'x']),
      vendor: null,
      mapping: {
        binding: null,
        features: [
          {
            type: 'columns',
            header: true,
            fields: [
              { column: 'E-Mail', field: EMAIL },
              { column: 'Prénom', field: FIELDS['First name'] },
              { column: 'Shoe size', field: null },
            ],
          },
        ],
      },
    })
  })

  const encodings: [string, string, (text: string) => Buffer][] = [
    ['UTF-8', 'utf-8', (text) => Buffer.from(text)],
    ['UTF-8 with a byte order mark', 'utf-8', (text) => Buffer.from(`\u{feff}${text}`)],
    ['UTF-16', 'utf-16le', (text) => iconv.encode(text, 'utf-16le', { addBOM: true })],
    ['UTF-16 without a byte order mark', 'utf-16be', (text) => iconv.encode(text, 'utf-16be', { addBOM: false })],
    ['Windows-1252', 'windows-1252', (text) => iconv.encode(text, 'win1252')],
    ['gzip', 'utf-8', (text) => gzipSync(text)],
  ]
  for (const [title, encoding, encode] of encodings) {
    test(`detects ${title}, and the proposed mapping imports the contact`, async () => {
      const domain = `${title.replaceAll(/\W/g, '')}.example`
      const bytes = encode(`email|last name\nann@${domain}|Éluard\n`)
      const id = await importOf(bytes, title === 'gzip' ? 'people.csv.gz' : 'people.csv')
      const { body } = await preview(id)
      assert.deepEqual([body.encoding, body.separator, body.lines], [encoding, 124, [[`ann@${domain}`, 'Éluard']]])
      assert.equal((await call('PUT', `/imports/${id}`, { body: body.mapping })).status, 200)
      const { body: started } = await call('POST', `/imports/${id}/executions`)
      await runImport(context, { execution: started.id })
      const { body: contact } = await call('GET', `/targets?unicity=${encodeURIComponent(`ann@${domain}`)}`)
      assert.equal(contact.fields[FIELDS['Last name']!], 'Éluard')
    })
  }

  const chosenEncodings: [encoding: string, text: string][] = [
    ['windows-1250', 'Łucja Żółć'],
    ['windows-1251', 'Юлия Её'],
    ['windows-1252', 'Zoé Œuvre €'],
    ['iso-8859-15', 'Zoé Šefčík €'.replace('č', 'c')],
    ['macroman', 'Zoé Größe Œ'],
    ['cp850', 'Zoé Größe'],
  ]
  for (const [encoding, name] of chosenEncodings) {
    test(`shows cells in ${encoding} when it is chosen, and the proposed mapping imports them in it`, async () => {
      const address = `ann@${encoding}.example`
      const id = await importOf(
        iconv.encode(`Email;Last name\nbob@${encoding}.example;Bob\n${address};${name}\n`, encoding),
      )
      const { status, body } = await preview(id, own.key, `?encoding=${encoding}`)
      assert.equal(status, 200)
      assert.deepEqual([body.encoding, body.samples, body.lines[1]], [encoding, [name], [address, name]])
      const [columns] = body.mapping.features
      assert.equal(columns.encoding, encoding)
      const saved = await call('PUT', `/imports/${id}`, { body: body.mapping })
      assert.deepEqual(saved.body.features, body.mapping.features)
      assert.deepEqual((await preview(id)).body, body, 'what the import keeps is used when none is chosen')
      const { body: started } = await call('POST', `/imports/${id}/executions`)
      await runImport(context, { execution: started.id })
      const { body: contact } = await call('GET', `/targets?unicity=${address}`)
      assert.equal(contact.fields[FIELDS['Last name']!], name)
    })
  }

  test('detects the encoding again when auto is chosen', async () => {
    const id = await importOf(iconv.encode('Email;Last name\nann@example.org;Zoé\n', 'win1252'))
    const { body: found } = await preview(id)
    await call('PUT', `/imports/${id}`, { body: (await preview(id, own.key, '?encoding=windows-1251')).body.mapping })
    assert.deepEqual((await preview(id)).body.samples, ['Zoй'])
    assert.deepEqual((await preview(id, own.key, '?encoding=auto')).body, found)
    assert.equal((await preview(id, own.key, '?encoding=')).body.encoding, 'windows-1251')
  })

  test('shows up to ten cells of the first MiB, each with a new character', async () => {
    const letters = [...'éèàùçœßöüäñø']
    const filler = Array.from({ length: 500 }, (_, n) => `f${n}@example.org;Ann;é\n`)
    const lines = letters.map(
      (letter, n) => `p${n}@example.org;${'x'.repeat(300)}${letter}${'y'.repeat(300)};${letter}\n`,
    )
    const { body } = await preview(await importOf(`Email;Prénom;Note\n${filler.join('')}${lines.join('')}`))
    assert.equal(body.encoding, 'utf-8')
    assert.equal(body.samples.length, 10)
    assert.equal(body.samples[0], 'Prénom')
    assert.ok(
      body.samples.slice(1).every((cell: string, n: number) => cell.length <= 100 && cell.includes(letters[n + 1]!)),
    )
    assert.deepEqual((await preview(await importOf('Email\nann@example.org\n'))).body.samples, [])
  })

  test('reads a byte order mark and a text from JSON as such, whatever encoding is chosen', async () => {
    const text = 'Email;Last name\nann@example.org;Zoé\n'
    const id = await importOf(`\ufeff${text}`)
    const { body } = await preview(id, own.key, '?encoding=windows-1251')
    assert.deepEqual([body.encoding, body.samples], ['utf-8', ['Zoé']])
    const sent = await call('POST', '/imports/preview?encoding=windows-1251', { body: { data: text } })
    assert.deepEqual([sent.body.encoding, sent.body.samples], ['utf-8', ['Zoé']])
  })

  test('names columns by position when the file has no headings', async () => {
    const id = await importOf('Ann;ann@bare.example\nBob;bob@bare.example\n')
    const { body } = await preview(id)
    assert.deepEqual(body.columns, [
      { index: 0, heading: null, field: null },
      { index: 1, heading: null, field: EMAIL },
    ])
    assert.deepEqual(body.lines[0], ['Ann', 'ann@bare.example'])
    assert.deepEqual(body.mapping.features, [
      {
        type: 'columns',
        header: false,
        fields: [
          { column: 0, field: null },
          { column: 1, field: EMAIL },
        ],
      },
    ])
    await call('PUT', `/imports/${id}`, { body: body.mapping })
    const { body: started } = await call('POST', `/imports/${id}/executions`)
    await runImport(context, { execution: started.id })
    const { body: done } = await call('GET', `/imports/${id}/executions/${started.id}`)
    assert.deepEqual([done.state, done.created, done.warnings], [1, 2, []])
  })

  test('leaves columns unmapped whose cells do not fit their field', async () => {
    const id = await importOf('Email,Born,Mobile\nann@example.org,12-04-2022,x\nbob@example.org,13-04-2022,y\n')
    assert.deepEqual(filled((await preview(id)).body), { Email: 'Email' })
  })

  test("keeps the import's features that do not depend on the file", async () => {
    const features = [{ type: 'database', updateExisting: false, crushData: false }]
    const id = await importOf('Email\nann@example.org\n', 'people.csv', {
      features: [...features, { type: 'statuses', column: 'State', map: { gone: 'redList' } }],
    })
    assert.deepEqual((await preview(id)).body.mapping.features, [
      ...features,
      { type: 'columns', header: true, fields: [{ column: 'Email', field: EMAIL }] },
    ])
  })

  test('maps a status column with known words, whatever service wrote the file', async () => {
    const id = await importOf('Email;Status\nann@example.org;Subscribed\nbob@example.org;Unsubscribed\n')
    const [, statuses] = (await preview(id)).body.mapping.features
    assert.deepEqual([statuses.type, statuses.column, statuses.map.unsubscribed], ['statuses', 'Status', 'redList'])
    const unknown = await importOf('Email;Status\nann@example.org;Gold\n')
    assert.equal((await preview(unknown)).body.mapping.features.length, 1)
  })

  test('maps every column of the shared sample files', { skip: noSharedData }, async () => {
    for (const [name, encoding, separator] of [
      ['contacts-10k.csv', 'utf-8', 59],
      ['contacts-300-windows-1252.csv', 'windows-1252', 59],
      ['contacts-300-utf16-tab.csv', 'utf-16le', 9],
    ] as const) {
      const { body } = await preview(await importOf(readFileSync(join(SHARED_DATA, name)), name))
      assert.deepEqual([body.encoding, body.separator, body.lines.length], [encoding, separator, 20], name)
      assert.deepEqual(
        filled(body),
        {
          Email: 'Email',
          'First name': 'First name',
          'Last name': 'Last name',
          Mobile: 'Mobile',
          'Birth date': 'Born',
        },
        name,
      )
    }
  })

  test('shows the lines of the messy sample file despite its many faults', async () => {
    const id = await importOf(readFileSync(join(IMPORT_FILES, 'contacts-messy.csv')))
    const { body } = await preview(id)
    assert.equal(body.lines.length, 20)
    assert.equal(body.columns[0].field, EMAIL)
  })
})

suite('columns that could be read in several ways', () => {
  test('are shown with each reading of their first cells, and imported by the chosen one', async () => {
    const SCORE = (await call('POST', '/fields', { body: { name: 'Score', type: 'numeric' } })).body.id
    const lines = ['ann@ways.example;1,234;45292;1704067200', 'bob@ways.example;2,500;45292.5;1704067201', ';2,500;;']
    const id = await importOf(`Email;Score;Born;Since\n${lines.join('\n')}\nx@ways.example;7;1.234;-\n`)
    const { body } = await preview(id)
    const [, score, born, since] = body.columns
    assert.deepEqual(score.numbers, [
      { cell: '1,234', comma: 1.234, point: 1234 },
      { cell: '2,500', comma: 2.5, point: 2500 },
    ])
    assert.deepEqual(since.dates[0], {
      cell: '1704067200',
      seconds: '2024-01-01T00:00:00.000Z',
      milliseconds: null,
      serial: null,
    })
    assert.deepEqual(
      born.dates.map(({ serial }: { serial: string }) => serial),
      ['2024-01-01T00:00:00.000Z', '2024-01-01T12:00:00.000Z', '1899-12-31T05:36:58.000Z'],
    )
    const fields = [
      { column: 'Email', field: EMAIL },
      { column: 'Score', field: SCORE, decimalMark: 'comma' },
      { column: 'Born', field: FIELDS['Born'], dateUnit: 'serial' },
    ]
    const saved = await call('PUT', `/imports/${id}`, { body: { features: [{ type: 'columns', fields }] } })
    assert.deepEqual(saved.body.features, [{ type: 'columns', header: true, fields }])
    const { body: started } = await call('POST', `/imports/${id}/executions`)
    await runImport(context, { execution: started.id })
    const { body: contact } = await call('GET', '/targets?unicity=bob@ways.example')
    assert.deepEqual([contact.fields[SCORE], contact.fields[FIELDS['Born']!]], [2.5, '2024-01-01T12:00:00.000Z'])
  })

  test('have no question about numbers if a cell shows the mark, and none at all if most cells are words', async () => {
    const { body } = await call('POST', '/imports/preview', {
      body: { data: 'Email;Score;Note\nann@ways.example;1,234;1,234\nbob@ways.example;1,5;x\nc@ways.example;;y\n' },
    })
    const [, score, note] = body.columns
    assert.deepEqual([score.numbers, note], [undefined, { index: 2, heading: 'Note', field: null }])
  })

  test('have no dates if they hold small numbers, and only the units in which most cells are plausible dates', async () => {
    const lines = [
      'ann@small.example;1;-3;3653;946684800;30000',
      'bob@small.example;2;0;3653;86400;2',
      'cat@small.example;3;9999;40000;1262304000;60000',
    ]
    const data = `Email;Orders;Balance;Points;Since;Born\n${lines.join('\n')}\n`
    const { body } = await call('POST', '/imports/preview', { body: { data } })
    const [, orders, balance, points, since, born] = body.columns
    assert.deepEqual([orders.dates, balance.dates, points.dates], [undefined, undefined, undefined])
    assert.deepEqual(since.dates, [
      { cell: '946684800', seconds: '2000-01-01T00:00:00.000Z', milliseconds: null, serial: null },
      { cell: '86400', seconds: '1970-01-02T00:00:00.000Z', milliseconds: null, serial: null },
      { cell: '1262304000', seconds: '2010-01-01T00:00:00.000Z', milliseconds: null, serial: null },
    ])
    assert.deepEqual(born.dates, [
      { cell: '30000', seconds: null, milliseconds: null, serial: '1982-02-18T00:00:00.000Z' },
      { cell: '2', seconds: null, milliseconds: null, serial: '1900-01-01T00:00:00.000Z' },
      { cell: '60000', seconds: null, milliseconds: null, serial: '2064-04-08T00:00:00.000Z' },
    ])
  })

  test('are refused with an unknown reading, and null chooses none', async () => {
    const put = async (choice: object) => {
      const features = [{ type: 'columns', fields: [{ column: 'Email', field: EMAIL, ...choice }] }]
      return call('POST', '/imports', { body: { name: 'Choice', features } })
    }
    assert.equal((await put({ decimalMark: '.' })).status, 400)
    assert.equal((await put({ dateUnit: 'minutes' })).status, 400)
    const { status, body } = await put({ decimalMark: null, dateUnit: null })
    assert.deepEqual([status, body.features[0].fields], [200, [{ column: 'Email', field: EMAIL }]])
  })
})

suite('texts with tabs', () => {
  const text = 'Email\tLast name\tNote\nann@tabs.example\tLee;x\ta;b\n'
  const files: [string, string, string | Buffer][] = [
    ['people.tsv', 'text/tab-separated-values', text],
    ['PEOPLE.TSV', 'application/octet-stream', text],
    ['people.txt', 'text/plain', text],
    ['people.tsv.gz', 'application/gzip', gzipSync(text)],
    ['people.zip', 'application/zip', zip([{ name: 'in/people.tsv', data: Buffer.from(text) }])],
    ['people.zip', 'application/zip', zip([{ name: 'people.txt', data: Buffer.from(text) }])],
  ]
  for (const [name, type, body] of files) {
    test(`are read from ${name} as ${type}`, async () => {
      const { status, body: found } = await call('POST', '/imports/preview', { body, headers: named(name, type) })
      assert.equal(status, 200)
      assert.deepEqual([found.separator, found.lines], [9, [['ann@tabs.example', 'Lee;x', 'a;b']]])
    })
  }
})

suite('previews of exports from other services', () => {
  for (const one of vendorExports) {
    test(`recognise ${one.title}, and the proposed mapping can be stored as it is`, async () => {
      const id = await importOf(fileOf(one), one.name)
      const { status, body } = await preview(id)
      assert.equal(status, 200)
      assert.equal(body.vendor, one.vendor)
      const email = body.columns.find(({ field }: { field: number }) => field === EMAIL)
      assert.match(email.heading, /^e-?mail/i)
      const saved = await call('PUT', `/imports/${id}`, { body: body.mapping })
      assert.equal(saved.status, 200, saved.text)
      assert.deepEqual(saved.body.features, body.mapping.features)
      assert.deepEqual((await preview(id)).body, body)
    })
  }

  test("map names and phone numbers to the account's fields", async () => {
    const maps = new Map<string, object>()
    for (const one of vendorExports)
      maps.set(one.name, filled((await preview(await importOf(fileOf(one), one.name))).body))
    assert.deepEqual(Object.fromEntries(maps), {
      'audience_export_1f2e3d4c5b.zip': {
        'Email Address': 'Email',
        'First Name': 'First name',
        'Last Name': 'Last name',
        'Phone Number': 'Mobile',
      },
      'brevo.csv': { EMAIL: 'Email', LASTNAME: 'Last name', FIRSTNAME: 'First name', SMS: 'Mobile' },
      'sendgrid.zip': { email: 'Email', FIRST_NAME: 'First name', LAST_NAME: 'Last name', PHONE_NUMBER: 'Mobile' },
      'mailjet.csv': { Email: 'Email', firstname: 'First name' },
      'hubspot-contacts.csv': {
        'First Name': 'First name',
        'Last Name': 'Last name',
        Email: 'Email',
        'Phone Number': 'Mobile',
      },
      'hubspot-unsubscribes-and-bounces.csv': { Email: 'Email' },
    })
  })

  test("put a Mailchimp audience's suppressed files first and use the file names as statuses", async () => {
    const [mailchimp] = vendorExports
    const { body } = await preview(await importOf(fileOf(mailchimp!), mailchimp!.name))
    assert.deepEqual(
      body.files.map((name: string) => name.split('_')[0]),
      ['cleaned', 'nonsubscribed', 'unsubscribed', 'subscribed'],
    )
    assert.deepEqual(body.mapping.features[1], {
      type: 'statuses',
      file: true,
      map: { subscribed: null, unsubscribed: 'redList', nonsubscribed: 'redList', cleaned: 'hardUser' },
    })
  })

  test('recognise a single renamed Mailchimp file by its columns', async () => {
    const [mailchimp] = vendorExports
    const text = Object.entries(mailchimp!.texts).find(([name]) => name.startsWith('unsubscribed'))![1]
    const { body } = await preview(await importOf(text, 'list.csv'))
    assert.deepEqual(body.mapping.features[1], {
      type: 'statuses',
      column: 'UNSUB_TIME',
      map: { '': null, false: null, no: null, 0: null, '*': 'redList' },
    })
  })

  test('recognise a single SendGrid suppression list, whatever its file name', async () => {
    const sendgrid = vendorExports.find(({ vendor }) => vendor === 'sendgrid')!
    const wanted = { unsubscribes: 'redList', bounces: 'hardUser', spam: 'reportAsSpam', invalid: 'hardUser' }
    for (const [part, mark] of Object.entries(wanted)) {
      const text = Object.entries(sendgrid.texts).find(([name]) => name.includes(part))![1]
      const { body } = await preview(await importOf(text, 'list.csv'))
      assert.equal(body.vendor, 'sendgrid', part)
      assert.deepEqual(body.mapping.features[1], { type: 'statuses', column: 'email', map: { '*': mark } }, part)
    }
  })
})

suite('refused previews', () => {
  test('an unknown encoding is 400, in a preview and in a definition', async () => {
    const id = await importOf('Email\nann@example.org\n')
    const unknown = await preview(id, own.key, '?encoding=klingon')
    assert.deepEqual([unknown.status, unknown.body.errors[0].pointer], [400, 'encoding'])
    const sent = await call('POST', '/imports/preview?encoding=klingon', { body: 'Email\n', headers: CSV })
    assert.deepEqual([sent.status, sent.body.errors[0].pointer], [400, 'encoding'])
    const features = [{ type: 'columns', encoding: 'klingon', fields: [] }]
    const saved = await call('PUT', `/imports/${id}`, { body: { features } })
    assert.deepEqual([saved.status, saved.body.errors[0].pointer], [400, '/features/0/encoding'])
    const auto = await call('PUT', `/imports/${id}`, { body: { features: [{ ...features[0], encoding: 'auto' }] } })
    assert.deepEqual(auto.body.features, [{ type: 'columns', header: true, fields: [] }])
  })

  test('a missing file is 404, and a file that is not on this machine is 503', async () => {
    const { body } = await call('POST', '/imports', { body: { name: 'Empty' } })
    const none = await preview(body.id)
    assert.deepEqual([none.status, none.body.type], [404, 'urn:stentor:problem:no-file'])
    const id = await importOf('Email\nann@example.org\n')
    rmSync(join(dataDir, 'imports', String(own.account), String(id)), { recursive: true })
    const gone = await preview(id)
    assert.deepEqual([gone.status, gone.body.type], [503, 'urn:stentor:problem:file-elsewhere'])
  })

  test('unknown, malformed and foreign import ids are 404', async () => {
    const id = await importOf('Email\nann@example.org\n')
    assert.equal((await preview(id, other.key)).status, 404)
    for (const path of ['999999', 'abc', '0'])
      assert.equal((await call('GET', `/imports/${path}/source/preview`)).status, 404)
  })

  test('a missing right is 403 and a missing key 401', async () => {
    const id = await importOf('Email\nann@example.org\n')
    const [reads, writes] = [await makeKey(own.account, ['read']), await makeKey(own.account, ['write'])]
    assert.equal((await preview(id, reads)).status, 200)
    assert.equal((await preview(id, writes)).status, 403)
    const sent = { body: 'Email\nann@example.org\n', headers: CSV }
    assert.equal((await call('POST', '/imports/preview', { ...sent, key: reads })).status, 403)
    assert.equal((await call('POST', '/imports/preview', { ...sent, key: writes })).status, 200)
    assert.equal((await call('POST', '/imports/preview', { ...sent, key: null })).status, 401)
  })
})

suite('a preview without an import', () => {
  test('equals the preview of an import with the same file, and stores nothing', async () => {
    const text = 'Email;First name\nann@example.org;Ann\n'
    const expected = (await preview(await importOf(text))).body
    const before = (await call('GET', '/imports')).text
    const forms: [string, { body: unknown; headers?: Record<string, string> }][] = [
      ['raw', { body: text, headers: named('people.csv') }],
      ['JSON', { body: { filename: 'people.csv', data: text } }],
      ['octets', { body: text, headers: named('people.csv', 'application/octet-stream') }],
      [
        'a form',
        {
          body: `--b\r\ncontent-disposition: form-data; name="data"; filename="people.csv"\r\n\r\n${text}\r\n--b--\r\n`,
          headers: { 'content-type': 'multipart/form-data; boundary=b' },
        },
      ],
    ]
    for (const [title, form] of forms) {
      const { status, body, text: shown } = await call('POST', '/imports/preview', form)
      assert.equal(status, 200, `${title}: ${shown}`)
      assert.deepEqual(body, { ...expected, files: ['people.csv'] }, title)
    }
    assert.equal((await call('GET', '/imports')).text, before)
    const folder = join(dataDir, 'imports', String(own.account), '0')
    assert.deepEqual(existsSync(folder) ? readdirSync(folder) : [], [])
  })

  test('refuses the same files as an upload', async () => {
    const cases: [string, { body: unknown; headers?: Record<string, string> }, number][] = [
      ['nothing', { body: '', headers: CSV }, 400],
      ['no text', { body: { filename: 'people.csv' } }, 400],
      ['maps', { body: { data: [{ Email: 'ann@example.org' }] } }, 400],
      ['another type', { body: '<x/>', headers: { 'content-type': 'text/xml' } }, 415],
      ['another extension', { body: 'x', headers: named('people.pdf') }, 415],
      ['no archive', { body: 'Email\n', headers: named('people.zip', 'application/zip') }, 400],
      [
        'an archive without text',
        { body: zip([{ name: 'a.png', data: Buffer.from('x') }]), headers: named('a.zip', 'application/zip') },
        400,
      ],
    ]
    for (const [title, form, status] of cases)
      assert.equal((await call('POST', '/imports/preview', form)).status, status, title)
    const { key } = await makeAccount('TINY003')
    await call('PUT', '/settings/contacts', { body: { importMaxBytes: 10 }, key })
    const large = await call('POST', '/imports/preview', { body: 'Email\nann@example.org\n', headers: CSV, key })
    assert.equal(large.status, 413)
  })
})
