import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { checkAddressKeys } from '../../../src/cli/doctor/doctor-addresses.ts'
import { inTransaction } from '../../../src/database/connection/connect.ts'
import { renewContactKeys } from '../../../src/features/contacts/fields/fields.ts'
import { runImport } from '../../../src/features/imports/run/run-import.ts'
import { startHarness } from '../../support/harness.ts'
import { runProgram } from '../../support/processes/process.ts'
import { makePerson } from '../../support/stages/people.ts'

const harness = await startHarness()
const { context, makeAccount } = harness
const { pool } = context

let accounts = 0

async function newAccount() {
  const code = `AD${String(++accounts).padStart(2, '0')}001`
  const { account, key } = await makeAccount(code)
  const ask = (method: string, url: string, body?: unknown) => harness.call(method, url, { body, key })
  const add = async (email: string) => (await ask('POST', '/targets', { email })).status
  const find = async (email: string): Promise<string | undefined> =>
    (await ask('GET', `/targets?unicity=${encodeURIComponent(email)}`)).body?.id
  return { code, account, ask, add, find }
}

/** An account as it was before decision 127: its contacts have keys folded by way of upper case. */
async function oldAccount(contacts: Record<string, string>) {
  const fresh = await newAccount()
  for (const [email, key] of Object.entries(contacts)) {
    assert.equal(await fresh.add(email), 200)
    await pool.query('update contacts set key = $1 where account = $2 and unicity = $3', [key, fresh.account, email])
  }
  await pool.query('update accounts set folds_keys = true, definitions = definitions + 1 where id = $1', [
    fresh.account,
  ])
  return fresh
}

async function run(...words: string[]): Promise<{ status: number | null; out: string; errors: string }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'stentor-addresses-'))
  const url = String(pool.options.connectionString)
  try {
    return await runProgram(words, { STENTOR_DATABASE_URL: url, STENTOR_DATA_DIR: dataDir })
  } finally {
    await rm(dataDir, { recursive: true })
  }
}

suite('addresses of contacts', () => {
  const apart = [
    'mike@x.example',
    'mıke@x.example',
    'strasse@x.example',
    'straße@x.example',
    'ﬁn@x.example',
    'fin@x.example',
  ]

  test('are one address only where their lower case is equal', async () => {
    const { add, find } = await newAccount()
    for (const email of apart) assert.equal(await add(email), 200, email)
    const ids = await Promise.all(apart.map(find))
    assert.equal(new Set(ids).size, apart.length)
    assert.deepEqual(await Promise.all(['MIKE@x.example', 'Straße@X.example', 'STRASSE@x.example'].map(find)), [
      ids[0],
      ids[3],
      ids[2],
    ])
  })

  test('are one address in either case, composed or not, with any sigma and either form of the domain', async () => {
    const { add, find } = await newAccount()
    for (const [email, ...others] of [
      ['é@x.example', 'É@x.example', 'e\u0301@x.example', 'E\u0301@x.example'],
      ['οδος@x.example', 'ΟΔΟΣ@x.example', 'οδοσ@x.example'],
      ['ann@bücher.example', 'ann@BÜCHER.example', 'ann@xn--bcher-kva.example'],
    ] as const) {
      assert.equal(await add(email), 200)
      for (const other of others)
        assert.deepEqual([await add(other), await find(other)], [409, await find(email)], other)
    }
  })

  test('are compared alike when a bulk write, an import or a change of unicity makes the keys', async () => {
    const { ask, find } = await newAccount()
    const bulk = await ask('PUT', '/targets', [{ email: 'mıke@x.example' }, { email: 'mike@x.example' }])
    assert.deepEqual(
      bulk.body.map(({ created }: { created: boolean }) => created),
      [true, true],
    )
    const { body: definition } = await ask('POST', '/imports', { name: 'People' })
    const csv = 'Email\nstraße@x.example\nstrasse@x.example\nMıke@x.example\n'
    const { body: run } = await ask('POST', `/imports/${definition.id}/executions`, {
      source: { type: 'file', filename: 'people.csv', data: csv },
    })
    await runImport(context, { execution: run.id })
    const { body: ended } = await ask('GET', `/imports/${definition.id}/executions/${run.id}`)
    assert.deepEqual([ended.created, ended.skipped, ended.rejected], [2, 1, 0])
    const number = (await ask('POST', '/fields', { type: 'email', name: 'Second' })).body.id
    const ids = await Promise.all(['mike@x.example', 'mıke@x.example'].map(find))
    for (const [id, second] of [
      [ids[0], 'ß@x.example'],
      [ids[1], 'ss@x.example'],
    ] as const)
      assert.equal((await ask('PUT', `/targets/${id}`, { second })).status, 200)
    for (const email of ['straße@x.example', 'strasse@x.example'])
      assert.equal((await ask('PUT', `/targets/${await find(email)}`, { second: email })).status, 200)
    assert.equal((await ask('PUT', `/fields/${number}`, { isUnicity: true })).status, 200)
    assert.equal(await find('mıke@x.exampless@x.example'), ids[1])
  })

  test('joined without an address, such as names, are compared as texts', async () => {
    const { ask } = await newAccount()
    const { body: name } = await ask('POST', '/fields', { type: 'textField', name: 'Street' })
    await ask('PUT', `/fields/${name.id}`, { isUnicity: true })
    const [{ id: email }] = (await ask('GET', '/fields')).body
    await ask('PUT', `/fields/${email}`, { isUnicity: false, isMandatory: false })
    assert.equal((await ask('POST', '/targets', { street: 'Straße' })).status, 200)
    assert.equal((await ask('POST', '/targets', { street: 'STRASSE' })).status, 409)
  })
})

suite('an account whose keys are from before', () => {
  test('finds its contacts by their own addresses, and after a rekey only by these', async () => {
    const { code, add, find } = await oldAccount({ 'straße@x.example': 'strasse@x.example' })
    const id = await find('straße@x.example')
    assert.deepEqual([await find('strasse@x.example'), await add('strasse@x.example')], [id, 409])
    assert.match(
      (await run('doctor')).out,
      new RegExp(`^BAD {2}${code} contact keys: 1 .*\\n {5}Run "stentor accounts rekey ${code}"\\.$`, 'm'),
    )
    assert.equal((await run('accounts', 'rekey', code)).status, 0)
    assert.deepEqual([await find('straße@x.example'), await find('strasse@x.example')], [id, undefined])
    assert.equal(await add('strasse@x.example'), 200)
    assert.deepEqual(await checkAddressKeys(context.db), [])
  })

  test('is not rekeyed while two contacts have one address, and doctor names them', async () => {
    const fresh = await newAccount()
    for (const email of ['é@x.example', 'other@x.example']) assert.equal(await fresh.add(email), 200)
    const ids = await Promise.all(['é@x.example', 'other@x.example'].map(fresh.find))
    await pool.query(
      `update contacts set unicity = $1::text, key = $1, fields = jsonb_build_object((select id from fields where account = $2 limit 1)::text, $1::text)
       where account = $2 and unicity = 'other@x.example'`,
      ['e\u0301@x.example', fresh.account],
    )
    await pool.query('update accounts set folds_keys = true, definitions = definitions + 1 where id = $1', [
      fresh.account,
    ])
    const [finding] = await checkAddressKeys(context.db)
    assert.equal(finding?.seen.split(': ').at(-1), ids.join(' and '))
    await assert.rejects(
      inTransaction(context.db, (tx) => renewContactKeys(tx, fresh.account)),
      { kind: 'unicity-not-unique' },
    )
    assert.deepEqual(await Promise.all(['é@x.example', 'e\u0301@x.example'].map(fresh.find)), ids)
  })
})

test('People whose email is stored in an older form are named with those who have the same address', async () => {
  await pool.query('update accounts set folds_keys = false')
  const [first, second] = [await makePerson(harness, 'First', []), await makePerson(harness, 'Second', [])]
  const findings = async () => (await checkAddressKeys(context.db)).map(({ subject, ok, seen }) => [subject, ok, seen])
  await pool.query('update people set email = $1 where id = $2', ['e\u0301va@people.example', first.id])
  const old = 'the email address is stored in an older form'
  assert.deepEqual(await findings(), [[`user ${first.id}`, true, old]])
  await pool.query('update people set email = $1 where id = $2', ['éva@people.example', second.id])
  assert.deepEqual(await findings(), [[`user ${first.id}`, false, `${old}, and is also that of ${second.id}`]])
})
