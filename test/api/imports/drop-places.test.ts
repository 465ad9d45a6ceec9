import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { mailImportReport } from '../../../src/features/account-mail/import-report.ts'
import {
  listDropPlaces,
  openDropPlace,
  parseDropPlaceUrl,
  removeDropPlace,
  setDropPlace,
} from '../../../src/features/imports/drop-places/drop-places.ts'
import { type DropPlacePoll, pullDroppedFiles } from '../../../src/features/imports/drop-places/pull.ts'
import { runImport } from '../../../src/features/imports/run/run-import.ts'
import { startDueImports } from '../../../src/features/imports/run/starts.ts'
import { runDueJobs } from '../../../src/jobs/runner.ts'
import { startSftpPeer } from '../../fakes/web/sftp-server.ts'
import { tgz } from '../../support/files/tar.ts'
import { workbook } from '../../support/files/workbook.ts'
import { zip } from '../../support/files/zip.ts'
import { startHarness } from '../../support/harness.ts'
import { eventually } from '../../support/wait.ts'

const { call, clock, context, own, other, dataDir } = await startHarness()
const { db, masterKeys, pool, log } = context

const HOURLY = {
  type: 'periodic',
  frequency: { occurs: { type: 'daily' }, periodicity: { type: 'every', value: { minutes: 60 } } },
}

async function makeRoot(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'stentor-drop-'))
  after(() => rm(root, { recursive: true, force: true }))
  return root
}

let root = ''
let hours = 0
clock.set('2026-01-01T00:00:00.000Z')

/** Gives the own account an empty directory as its drop place. */
async function freshPlace(): Promise<void> {
  // Those of the tests before are asked no more.
  await db.updateTable('imports').set({ next_at: null }).execute()
  root = await makeRoot()
  await setDropPlace(db, masterKeys, own.account, { kind: 'directory', settings: { path: root } })
}

async function makeImport(source: object = {}, more: object = {}) {
  const body = { name: 'Pull', source: { type: 'ftp', folder: '{id}', ...source }, scheduler: HOURLY, ...more }
  const answer = await call('POST', '/imports', { body })
  assert.equal(answer.status, 200, answer.text)
  const { id } = answer.body
  await mkdir(join(root, String(id)), { recursive: true })
  return { id, folder: join(root, String(id)) }
}

/** Leaves a file; `age`: how many seconds ago it was written. */
async function drop(folder: string, name: string, text: string | Buffer, age = 60): Promise<void> {
  await writeFile(join(folder, name), text)
  const then = Date.now() / 1000 - age
  await utimes(join(folder, name), then, then)
}

/** A workbook of one contact. */
const book = (name: string) => workbook([{ name: 'People', rows: [['Email'], [`${name}@example.org`]] }])

/** Lets a tick come and all that follows from it. */
async function tick(): Promise<void> {
  // Long past for the queue: whatever is to wait ten seconds is due at once.
  clock.set(Date.UTC(2026, 0, 1) + ++hours * 3_600_000)
  await startDueImports(context)
  await workQueue()
}

/** Works until nothing is due. */
async function workQueue(): Promise<void> {
  const tasks = {
    'imports.pull': (payload: DropPlacePoll) => pullDroppedFiles(context, payload),
    'imports.run': (payload: { execution: number }) => runImport(context, payload),
    'imports.report': (payload: { execution: number; to?: string }) => mailImportReport(context, payload),
  }
  await eventually(async () => {
    await runDueJobs(pool, log, tasks)
    const { rows } = await pool.query(
      'select from graphile_worker.jobs where run_at <= now() and attempts < max_attempts and task_identifier = any($1)',
      [Object.keys(tasks)],
    )
    return rows.length === 0
  })
}

/** Runs of an import, oldest first: file name without its digits, state, created. */
async function runs(id: number) {
  const { body } = await call('GET', `/imports/${id}/executions`, { headers: { accept: 'application/json' } })
  return body
    .toReversed()
    .map(
      ({
        source,
        state,
        created,
        error,
      }: {
        source: { filename: string }
        state: number
        created: number
        error: { type: string } | null
      }) => [source.filename.replace(/^[0-9A-F]{10}_/, ''), state, error?.type ?? created],
    )
}

async function names(folder: string): Promise<string[]> {
  return (await readdir(folder)).sort()
}

/** An import stored before its folder was looked at with the placeholders filled: it says of itself that it is elsewhere. */
async function strayImport(): Promise<number> {
  const { id } = await makeImport()
  const source = { type: 'ftp', folder: '{name}{name}/RIVL002', templateFilename: '*' }
  await pool.query("update imports set name = '.', source = $2 where id = $1", [id, source])
  return id
}

suite('a directory drop place', () => {
  test('imports matching files oldest first, one run per file, and moves them to done or error', async () => {
    await freshPlace()
    const { id, folder } = await makeImport({ templateFilename: 'people-?.csv' })
    await drop(folder, 'people-1.csv', 'Email\none@example.org\n', 50)
    await drop(folder, 'people-2.csv', 'Email\ntwo@example.org\nthree@example.org\n', 70)
    await drop(folder, 'people-3.csv', 'Nothing\nx\n', 60)
    await drop(folder, 'people-10.csv', 'Email\nno@example.org\n')
    await drop(folder, 'other.csv', 'Email\nno@example.org\n')
    await drop(folder, '.people-4.csv', 'Email\nno@example.org\n')
    await tick()
    assert.deepEqual(await runs(id), [
      ['people-2.csv', 1, 2],
      ['people-3.csv', 2, 'unicity-not-bound'],
      ['people-1.csv', 1, 1],
    ])
    assert.deepEqual(await names(folder), ['.people-4.csv', 'done', 'error', 'other.csv', 'people-10.csv'])
    assert.deepEqual(await names(join(folder, 'done')), ['people-1.csv', 'people-2.csv'])
    assert.deepEqual(await names(join(folder, 'error')), ['people-3.csv'])
    await tick()
    assert.equal((await runs(id)).length, 3)
  })

  test('imports workbooks, alone and in archives, and moves one with a password to error', async () => {
    await freshPlace()
    const { id, folder } = await makeImport({ templateFilename: '*' })
    await drop(folder, 'a.xlsx', book('drop-a'), 90)
    await drop(folder, 'b.zip', zip([{ name: 'b.xlsx', data: book('drop-b') }]), 80)
    await drop(folder, 'c.tgz', await tgz([{ name: 'c.xlsx', data: book('drop-c') }]), 70)
    await drop(folder, 'd.xlsx', Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]), 60)
    await tick()
    assert.deepEqual(await runs(id), [
      ['a.xlsx', 1, 1],
      ['b.zip', 1, 1],
      ['c.tgz', 1, 1],
      ['d.xlsx', 2, 'workbook-encrypted'],
    ])
    assert.deepEqual(await names(join(folder, 'done')), ['a.xlsx', 'b.zip', 'c.tgz'])
    assert.deepEqual(await names(join(folder, 'error')), ['d.xlsx'])
  })

  test('renames a second file of the same name instead of replacing the one in done', async () => {
    await freshPlace()
    const { id, folder } = await makeImport()
    for (const round of [1, 2, 3]) {
      await drop(folder, 'daily.csv', `Email\nround${round}@example.org\n`)
      await tick()
    }
    assert.equal((await runs(id)).length, 3)
    assert.deepEqual(await names(join(folder, 'done')), ['daily (1).csv', 'daily (2).csv', 'daily.csv'])
    assert.match(await readFile(join(folder, 'done', 'daily (2).csv'), 'utf8'), /round3/)
  })

  test('matches a file name template with many wildcards quickly', async () => {
    await freshPlace()
    const { id, folder } = await makeImport({ templateFilename: '*a*a*a*a*a*a*a*a*a*a*b.csv' })
    await drop(folder, `${'a'.repeat(240)}.csv`, 'Email\nno@example.org\n')
    await drop(folder, 'xaxaaaaaaaaaaaab.csv', 'Email\nfits@example.org\n')
    await tick()
    assert.deepEqual(await runs(id), [['xaxaaaaaaaaaaaab.csv', 1, 1]])
  })

  test('leaves a file alone while it is still growing', async () => {
    await freshPlace()
    const { id, folder } = await makeImport()
    const of = { account: own.account, import: id }
    await drop(folder, 'growing.csv', 'Email\n')
    await pullDroppedFiles(context, { ...of, seen: [{ name: 'growing.csv', bytes: 3, modifiedAt: 0 }] })
    assert.deepEqual(await runs(id), [])
    await pullDroppedFiles(context, { ...of, seen: [{ name: 'growing.csv', bytes: 6, modifiedAt: 0 }] })
    assert.equal((await runs(id)).length, 1)
  })

  test('records a run in state 2 for a file that cannot be stored', async () => {
    await freshPlace()
    const { id, folder } = await makeImport()
    await drop(folder, 'broken.zip', 'no archive', 70)
    await drop(folder, 'image.png', 'x', 60)
    await drop(folder, 'empty.csv', '', 50)
    await drop(folder, 'good.csv', 'Email\ngood@example.org\n', 40)
    await tick()
    const ended = await runs(id)
    assert.deepEqual(
      ended.map(([name, state]: [string, number]) => [name, state]),
      [
        ['broken.zip', 2],
        ['image.png', 2],
        ['empty.csv', 2],
        ['good.csv', 1],
      ],
    )
    assert.deepEqual(await names(join(folder, 'error')), ['broken.zip', 'empty.csv', 'image.png'])
  })

  test('follows no link, import name or folder out of the drop place', async () => {
    await freshPlace()
    const outside = await makeRoot()
    await drop(outside, 'secret.csv', 'Email\nsecret@example.org\n')
    const { id, folder } = await makeImport()
    await symlink(join(outside, 'secret.csv'), join(folder, 'link.csv'))
    await tick()
    assert.deepEqual(await runs(id), [])
    await symlink(outside, join(root, 'away'))
    const away = await makeImport({ folder: 'away' })
    await assert.rejects(pullDroppedFiles(context, { account: own.account, import: away.id }))
    const up = await makeImport({ folder: '{name}' }, { name: '..' })
    await pullDroppedFiles(context, { account: own.account, import: up.id })
    assert.deepEqual(await runs(up.id), [])
    for (const path of ['..', 'a/../../b', '/etc', 'C:\\x', '..\\x']) {
      const answer = await call('PUT', `/imports/${id}`, { body: { source: { type: 'ftp', folder: path } } })
      assert.deepEqual([answer.status, answer.body.errors[0].pointer], [400, '/source/folder'])
    }
  })

  test('refuses a folder template or an import name that leads outside the drop place', async () => {
    await freshPlace()
    const refused = { pointer: '/source/folder', status: 400 }
    const outcome = ({ status, body }: Awaited<ReturnType<typeof call>>) => ({
      status,
      pointer: body.errors?.[0].pointer,
    })
    const source = { type: 'ftp', folder: '{name}{name}/RIVL002' }
    const before = (await call('GET', '/imports')).body
    assert.deepEqual(outcome(await call('POST', '/imports', { body: { name: '.', source } })), refused)
    assert.deepEqual((await call('GET', '/imports')).body, before)
    const { id } = await makeImport(source)
    const was = (await call('GET', `/imports/${id}`)).body
    assert.deepEqual(outcome(await call('PUT', `/imports/${id}`, { body: { name: '.' } })), refused)
    const changed = { name: 'in/.', source: { folder: '{name}' } }
    assert.equal((await call('PUT', `/imports/${id}`, { body: { ...changed, name: '.' } })).status, 200)
    assert.deepEqual(outcome(await call('PUT', `/imports/${id}`, { body: { source } })), refused)
    const { updateDate, name, ...is } = (await call('GET', `/imports/${id}`)).body
    assert.deepEqual([name, is.source.folder], ['.', '{name}'])
    assert.equal(was.source.folder, source.folder)
  })

  test('pulls nothing for an import whose folder is outside the drop place, and moves no file there', async () => {
    const shared = await makeRoot()
    await freshPlace()
    root = join(shared, 'ACME001')
    const theirs = join(shared, 'RIVL002')
    await Promise.all([root, theirs].map((folder) => mkdir(folder)))
    await setDropPlace(db, masterKeys, own.account, { kind: 'directory', settings: { path: root } })
    await drop(theirs, 'theirs.csv', 'Email\ntheirs@example.org\n')
    const id = await strayImport()
    await tick()
    assert.deepEqual(await runs(id), [])
    assert.deepEqual(await names(theirs), ['theirs.csv'])
  })

  test('moves no file through a link out of the drop place', async () => {
    await freshPlace()
    const outside = await makeRoot()
    const { id, folder } = await makeImport()
    await symlink(outside, join(folder, 'done'))
    await drop(folder, 'people.csv', 'Email\nlinked@example.org\n')
    const of = { account: own.account, import: id }
    await pullDroppedFiles(context, { ...of, seen: [{ name: 'people.csv', bytes: 25, modifiedAt: 0 }] })
    const [{ id: execution }] = (
      await call('GET', `/imports/${id}/executions`, { headers: { accept: 'application/json' } })
    ).body
    await runImport(context, { execution })
    await assert.rejects(pullDroppedFiles(context, of), /outside the drop folder/)
    assert.deepEqual([await names(outside), await names(folder)], [[], ['done', 'people.csv']])
  })

  test('folders for files that were read are as open as the folder around them, whatever the umask', async () => {
    await freshPlace()
    const { folder } = await makeImport()
    await chmod(folder, 0o2775)
    await drop(folder, 'people.csv', 'Email\nshared@example.org\n')
    await tick()
    assert.equal((await stat(join(folder, 'done'))).mode & 0o7777, 0o2775)
  })

  test('an upload turns the import into one of uploaded files, and pulled files still move to done', async () => {
    await freshPlace()
    const { id, folder } = await makeImport()
    await drop(folder, 'pulled.csv', 'Email\npulled@example.org\n')
    await pullDroppedFiles(context, {
      account: own.account,
      import: id,
      seen: [{ name: 'pulled.csv', bytes: 25, modifiedAt: 0 }],
    })
    assert.equal((await runs(id)).length, 1)
    const put = await call('PUT', `/imports/${id}/source`, {
      body: 'Email\nx@example.org\n',
      headers: { 'content-type': 'text/csv' },
    })
    assert.equal(put.body.type, 'file')
    await tick()
    assert.deepEqual(await names(folder), ['done'])
  })

  test('keeps the source settings that a change omits, until a file is uploaded', async () => {
    const { id } = await makeImport({ templateFilename: 'people-*.csv' })
    const change = async (source: object) => {
      const { status, body, text } = await call('PUT', `/imports/${id}`, { body: { source } })
      assert.equal(status, 200, text)
      return [body.source.type, body.source.folder, body.source.templateFilename]
    }
    assert.deepEqual(await change({ folder: 'in' }), ['ftp', 'in', 'people-*.csv'])
    assert.deepEqual(await change({ type: 'ftp', templateFilename: 'a.csv' }), ['ftp', 'in', 'a.csv'])
    assert.deepEqual(await change({}), ['ftp', 'in', 'a.csv'])
    assert.deepEqual(await change({ data: 'Email\nx@example.org\n' }), ['file', undefined, undefined])
    assert.deepEqual(await change({ folder: 'in' }), ['file', undefined, undefined])
    assert.deepEqual(await change({ type: 'ftp' }), ['ftp', '{id} - {name}', '*'])
  })

  test('a requested run reads the last file again, and the drop place is checked afterwards', async () => {
    await freshPlace()
    const { id, folder } = await makeImport()
    const early = await call('POST', `/imports/${id}/executions`)
    assert.deepEqual([early.status, early.body.type], [409, 'urn:stentor:problem:no-file'])
    assert.match(early.body.detail, /has not pulled a file yet/)
    await drop(folder, 'first.csv', 'Email\nfirst@example.org\n')
    await tick()
    await drop(folder, 'second.csv', 'Email\nsecond@example.org\n')
    const asked = await call('POST', `/imports/${id}/executions`)
    assert.equal(asked.status, 200, asked.text)
    await workQueue()
    assert.deepEqual(
      (await runs(id)).map(([name]: unknown[]) => name),
      ['first.csv', 'first.csv', 'second.csv'],
    )
    assert.deepEqual(await names(join(folder, 'done')), ['first.csv', 'second.csv'])
  })

  test("another account's import pulls nothing from it", async () => {
    await freshPlace()
    const { body } = await call('POST', '/imports', {
      body: { name: 'x', source: { type: 'ftp', folder: 'a' } },
      key: other.key,
    })
    await pullDroppedFiles(context, { account: other.account, import: body.id })
    const headers = { accept: 'application/json' }
    assert.deepEqual((await call('GET', `/imports/${body.id}/executions`, { key: other.key, headers })).body, [])
  })
})

suite('an SFTP drop place', async () => {
  const user = { name: 'drops', password: 'open sesame' }
  const remote = await makeRoot()
  const peer = await startSftpPeer(remote, user)
  after(() => peer.close())
  const url = (password = user.password) => `sftp://drops:${encodeURIComponent(password)}@127.0.0.1:${peer.port}/in`

  test('imports its files, moves them to done and ignores a missing folder', async () => {
    await freshPlace()
    root = join(remote, 'in')
    await mkdir(root, { recursive: true })
    await setDropPlace(db, masterKeys, own.account, parseDropPlaceUrl(url(), undefined))
    const { id, folder } = await makeImport()
    const many = Array.from({ length: 20_000 }, (_, n) => `sftp${n}@example.org`).join('\n')
    await drop(folder, 'many.csv', `Email\n${many}\n`, 90)
    await drop(folder, 'few.csv', 'Email\nfew@example.org\n', 60)
    await drop(folder, 'book.xlsx', book('sftp-book'), 50)
    await tick()
    assert.deepEqual(await runs(id), [
      ['many.csv', 1, 20_000],
      ['few.csv', 1, 1],
      ['book.xlsx', 1, 1],
    ])
    assert.deepEqual(await names(folder), ['done'])
    const missing = await makeImport({ folder: 'not there' })
    await tick()
    assert.deepEqual(await runs(missing.id), [])
  })

  test('cannot be left through import names or links', async () => {
    await freshPlace()
    root = join(remote, 'in')
    const theirs = join(remote, 'RIVL002')
    await mkdir(theirs)
    await setDropPlace(db, masterKeys, own.account, parseDropPlaceUrl(url(), undefined))
    await drop(theirs, 'theirs.csv', 'Email\ntheirs@example.org\n')
    const stray = await strayImport()
    await tick()
    assert.deepEqual(await runs(stray), [])
    await symlink(theirs, join(root, 'away'))
    const away = await makeImport({ folder: 'away' })
    await assert.rejects(
      pullDroppedFiles(context, { account: own.account, import: away.id }),
      /outside the drop folder/,
    )
    const linked = await makeImport()
    await symlink(join(theirs, 'theirs.csv'), join(linked.folder, 'link.csv'))
    await tick()
    assert.deepEqual(await runs(linked.id), [])
    const place = await openDropPlace(db, masterKeys, own.account)
    await assert.rejects(place!.list('../RIVL002'), /outside the drop folder/)
    for (const [folder, name] of [
      ['../RIVL002', 'theirs.csv'],
      ['.', '../RIVL002/theirs.csv'],
    ] as const) {
      const reading = Array.fromAsync(place!.read(folder, { name, bytes: 0, modifiedAt: 0 }))
      await assert.rejects(reading, /outside the drop folder/)
    }
    await assert.rejects(place!.move(String(linked.id), 'link.csv', '../../RIVL002'), /outside the drop folder/)
    await place!.close()
    assert.deepEqual(await names(theirs), ['theirs.csv'])
  })

  test('refuses wrong credentials and a host key other than the first one', async () => {
    await assert.rejects(setDropPlace(db, masterKeys, own.account, parseDropPlaceUrl(url('wrong'), undefined)))
    const former = await startSftpPeer(remote, user)
    const description = parseDropPlaceUrl(`sftp://drops:open%20sesame@127.0.0.1:${former.port}/in`, undefined)
    await setDropPlace(db, masterKeys, other.account, description)
    await former.close()
    await db
      .updateTable('drop_places')
      .set((eb) => ({ settings: eb.fn('jsonb_set', ['settings', eb.val('{port}'), eb.val(String(peer.port))]) }))
      .where('account', '=', other.account)
      .execute()
    await assert.rejects(openDropPlace(db, masterKeys, other.account))
  })

  test('stores its credentials sealed and shows its address', async () => {
    const { rows } = await pool.query('select drop_places::text as row from drop_places')
    assert.ok(rows.every(({ row }) => !row.includes(user.password) && !row.includes('sesame')))
    const [place] = await listDropPlaces(db)
    const address = `sftp://drops@127.0.0.1:${peer.port}/in`
    assert.deepEqual(place, { account: own.code, kind: 'sftp', place: address })
    assert.deepEqual((await call('GET', '/settings/dropPlace')).body, { place: { kind: 'sftp', address } })
    assert.equal(await removeDropPlace(db, own.account), true)
    assert.deepEqual((await call('GET', '/settings/dropPlace')).body, { place: null })
    assert.equal(await removeDropPlace(db, own.account), false)
  })

  test('refuses an invalid address and suggests a valid form', () => {
    for (const text of ['', '/srv', 'ftp://a.example/', 'sftp://a.example/', 'sftp://me@a.example/', 'file://host/x'])
      assert.throws(() => parseDropPlaceUrl(text, undefined), /file:\/\/\/path|user name|password/)
    assert.deepEqual(parseDropPlaceUrl('file:///srv/a%20b', undefined), {
      kind: 'directory',
      settings: { path: '/srv/a b' },
    })
  })
})

suite("an import's report by mail", () => {
  const report = (more: object) => ({ features: [{ type: 'report', ...more }] })

  /** Every mail that was captured, as text. */
  async function mails(): Promise<string[]> {
    const found = await readdir(dataDir, { recursive: true })
    const files = found.filter((name) => name.endsWith('.eml'))
    return Promise.all(files.map((name) => readFile(join(dataDir, name), 'utf8')))
  }

  async function run(features: object, file: string): Promise<void> {
    const { id } = (await call('POST', '/imports', { body: { name: 'Été', ...features } })).body
    const headers = { 'content-type': 'text/csv' }
    const answer = await call('POST', `/imports/${id}/executions`, { body: file, headers })
    assert.equal(answer.status, 200, answer.text)
    await tick()
  }

  test("is sent to the account's report addresses with the rejected lines attached", async () => {
    await run(report({ sendFinalReport: true }), 'Email\nnobody-listens@example.org\n')
    assert.deepEqual(await mails(), [])
    await call('PUT', '/settings/sending', {
      body: { reportAddresses: ['desk@shop.example', 'it@shop.example'], culture: 'en-GB' },
    })
    await run(report({ sendFinalReport: true, contactGuids: ['x'], groupIds: [4] }), 'Email\nfine@example.org\nbad\n')
    const sent = await mails()
    assert.equal(sent.length, 2)
    for (const mail of sent) {
      assert.match(mail, /^To: (desk|it)@shop\.example/m)
      assert.match(mail, /Contacts created: 1/)
      assert.match(mail, /Rejected lines: 1/)
      const attached = /filename="rejects\.csv"\r\n\r\n([A-Za-z0-9+/=\r\n]+)/.exec(mail)?.[1] ?? ''
      assert.match(
        Buffer.from(attached, 'base64').toString(),
        /^line;reason;column;content\n3;invalid-value;Email;bad\n$/,
      )
    }
  })

  test('is sent only for a failed run when only errors are reported', async () => {
    const before = (await mails()).length
    await run(report({ sendErrorReport: true }), 'Email\nall-good@example.org\n')
    assert.equal((await mails()).length, before)
    await call('PUT', '/settings/sending', { body: { culture: 'fr-FR', reportAddresses: ['desk@shop.example'] } })
    await run(report({ sendErrorReport: true }), 'Nothing\nx\n')
    const sent = await mails()
    assert.equal(sent.length, before + 1)
    const subject = Buffer.from('Import « Été » : échec').toString('base64')
    assert.ok(sent.some((mail) => mail.includes(subject) && mail.includes('Erreur : The file')))
  })
})
