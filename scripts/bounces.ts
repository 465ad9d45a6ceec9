import { open, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import {
  type BounceLabel,
  type ClassifiedMailReport,
  compareWithLabels,
  toClassifiedReport,
} from '../src/features/inbound/mail/compare-bounce-labels.ts'
import { splitMbox } from '../src/features/inbound/mail/mbox.ts'
import { parseMailReports } from '../src/features/inbound/mail/reports.ts'
import { MAX_MAIL_READ_BYTES } from '../src/lib/text/mail/mime.ts'

const USAGE = `npm run bounces -- FOLDER [--json] [--compare LABELS]

Classifies each email (.eml, or several as an mbox) in a folder as a bounce with its verdict, a complaint, or neither.
--json      print only {"FILE": [{"kind", "verdict", "status", "reply", "diagnostic", "recipient"}]}
--compare   compare with a JSON file of labels, {"FILE": [{"kind", "verdict"}]}, and print the differences
`

type Results = Record<string, ClassifiedMailReport[]>

/** The part of a file that counts; a file of any size takes no more memory. */
async function readStart(file: string): Promise<Buffer> {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAX_MAIL_READ_BYTES), 0, MAX_MAIL_READ_BYTES, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

/** Classifies the mails of a folder; those that cannot be read are reported, and left out. */
async function classifyFolder(folder: string): Promise<Results> {
  const results: Results = {}
  const names = (await readdir(folder)).filter((name) => name.toLowerCase().endsWith('.eml')).sort()
  for (const name of names) {
    try {
      results[name] = splitMbox(await readStart(join(folder, name))).flatMap((mail) =>
        parseMailReports(mail).reports.map(toClassifiedReport),
      )
    } catch (error) {
      process.stderr.write(`${name} cannot be read: ${error instanceof Error ? error.message : error}\n`)
      process.exitCode = 1
    }
  }
  return results
}

function table(results: Results): string {
  const rows = Object.entries(results).flatMap(([file, list]) =>
    list.map(({ kind, verdict = '', status = '', reply = '', recipient = '', diagnostic = '' }) =>
      [
        file.padEnd(32),
        kind.padEnd(9),
        verdict.padEnd(4),
        status.padEnd(8),
        reply.padEnd(3),
        recipient.padEnd(32),
        diagnostic,
      ]
        .join('  ')
        .slice(0, 200),
    ),
  )
  return `${rows.join('\n')}\n`
}

async function agreement(results: Results, file: string): Promise<string> {
  const labels = JSON.parse(await readFile(file, 'utf8')) as Record<string, BounceLabel[]>
  const { verdicts, kinds, misses } = compareWithLabels(results, labels)
  const share = ({ of, right }: { of: number; right: number }): string =>
    `${right} of ${of} (${((100 * right) / Math.max(of, 1)).toFixed(1)} %)`
  const lines = misses.map(({ file, label, found }) =>
    [
      file,
      label.kind,
      label.verdict ?? '',
      '->',
      found?.kind ?? 'nothing',
      found?.verdict ?? '',
      found?.diagnostic ?? '',
    ]
      .join(' ')
      .slice(0, 200),
  )
  return [...lines, `verdicts: ${share(verdicts)}`, `kinds: ${share(kinds)}`, ''].join('\n')
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean' }, compare: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
})
const [folder] = positionals
if (folder === undefined || values.help) {
  process.stdout.write(USAGE)
  if (folder === undefined && !values.help) process.exitCode = 2
} else {
  try {
    const results = await classifyFolder(folder)
    if (values.json) process.stdout.write(`${JSON.stringify(results, null, 2)}\n`)
    else process.stdout.write(values.compare === undefined ? table(results) : await agreement(results, values.compare))
  } catch (error) {
    process.stderr.write(`bounces: ${error instanceof Error ? error.message : error}\n`)
    process.exitCode = 1
  }
}
