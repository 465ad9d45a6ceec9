import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'

const SCRIPT = join(import.meta.dirname, '../../../scripts/bounces.ts')
const FIXTURES = join(import.meta.dirname, '../../fixtures/bounces')

interface Ended {
  status: number
  out: string
  errors: string
}

function run(...args: string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, [SCRIPT, ...args], (error, out, errors) =>
      resolve({ status: error ? Number(error.code) : 0, out, errors }),
    )
  })
}

suite('the script that classifies a folder of mails', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'stentor-bounces-'))
  after(() => rm(folder, { recursive: true, force: true }))
  for (const name of ['exim-two-recipients.eml', 'vacation.eml', 'complaint-masked.eml'])
    await cp(join(FIXTURES, name), join(folder, name))
  await writeFile(join(folder, 'notes.txt'), 'no mail')

  test('prints a single JSON object with --json: each file with its reports, in order', async () => {
    const { status, out, errors } = await run(folder, '--json')
    assert.deepEqual([status, errors], [0, ''])
    assert.deepEqual(JSON.parse(out), {
      'complaint-masked.eml': [{ kind: 'complaint' }],
      'exim-two-recipients.eml': [
        {
          kind: 'bounce',
          verdict: 'soft',
          status: '5.2.2',
          reply: '552',
          diagnostic:
            'host mx.mailbox.example [192.0.2.9] SMTP error from remote mail server after RCPT TO:<ann@mailbox.example>: 552 5.2.2 The mailbox is over its quota',
          recipient: 'ann@mailbox.example',
        },
        {
          kind: 'bounce',
          verdict: 'hard',
          status: '5.0.0',
          diagnostic: 'all relevant MX records point to non-existent hosts',
          recipient: 'bob@nowhere.example',
        },
      ],
      'vacation.eml': [{ kind: 'none' }],
    })
  })

  test('prints a line for each recipient without --json', async () => {
    const { status, out } = await run(folder)
    assert.equal(status, 0)
    assert.match(out, /^exim-two-recipients\.eml +bounce +hard +5\.0\.0 +bob@nowhere\.example/m)
    assert.equal(out.trim().split('\n').length, 4)
  })

  test('reports how far its results agree with labels', async () => {
    const labels = join(folder, 'labels.json')
    await writeFile(
      labels,
      JSON.stringify({
        'exim-two-recipients.eml': [
          { kind: 'bounce', verdict: 'soft' },
          { kind: 'bounce', verdict: 'soft' },
        ],
        'vacation.eml': [{ kind: 'none' }],
      }),
    )
    const { out } = await run(folder, '--compare', labels)
    assert.match(out, /^exim-two-recipients\.eml bounce soft -> bounce hard/m)
    assert.match(out, /^verdicts: 1 of 2 \(50\.0 %\)\nkinds: 3 of 3 \(100\.0 %\)$/m)
  })

  test('reports a file that cannot be read, and reads the others', async () => {
    await mkdir(join(folder, 'a-folder.eml'))
    const { status, out, errors } = await run(folder, '--json')
    await rm(join(folder, 'a-folder.eml'), { recursive: true })
    assert.equal(status, 1)
    assert.match(errors, /^a-folder\.eml cannot be read: /)
    assert.equal(Object.keys(JSON.parse(out)).length, 3)
  })

  test('reports a missing folder or missing arguments', async () => {
    assert.match((await run(join(folder, 'none'))).errors, /^bounces: ENOENT/)
    assert.deepEqual([(await run()).status, (await run('--help')).status], [2, 0])
  })
})
