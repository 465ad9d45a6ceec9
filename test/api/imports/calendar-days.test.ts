import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createImport } from '../../../src/features/imports/definitions/imports.ts'
import { startImportExecution } from '../../../src/features/imports/run/executions.ts'
import { runImport } from '../../../src/features/imports/run/run-import.ts'
import { recordUpload, storeUpload } from '../../../src/features/imports/upload/uploads.ts'
import { startStage } from '../../support/stages/stage.ts'

const stage = await startStage()
const { call, clock, context, own } = stage
const { db, config } = context
const account = own.account

async function create(url: string, body: object) {
  const answer = await call('POST', url, { body })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const birthday = (await create('/fields', { type: 'date', name: 'Birthday' })).id as number

let fileCount = 0

/** Imports a file; gives the counts of its execution. */
async function importFile(text: string) {
  const { id } = await createImport(db, account, { name: `File ${++fileCount}` }, context)
  const directory = { config, account, import: id }
  const chunks = (async function* () {
    yield Buffer.from(text)
  })()
  const file = await storeUpload(directory, { name: 'people.csv', chunks }, 1e6)
  await recordUpload(db, directory, file, { now: new Date(clock.now()) })
  const execution = (await startImportExecution(db, { account, id }, new Date(clock.now()))).id
  await runImport(context, { execution })
  const { created, updated, rejected, skipped } = (await call('GET', `/imports/${id}/executions/${execution}`)).body
  return { created, updated, rejected, skipped }
}

const contactOf = async (address: string) => (await call('GET', `/targets?unicity=${address}`)).body

/** The birthday of a contact as a script of the account formats it, in the zone. */
async function birthdayInScript(contact: string, zone: string) {
  const value = `export default (input) => date.format(input.contact.fields.Birthday, '%F', '${zone}')`
  const { id } = await create('/scripting/webtasks', { name: `Day in ${zone}`, value })
  const answer = await call('POST', `/scripting/webtasks/${id}/execution`, {
    body: { receiver: { type: 'id', value: contact } },
  })
  return answer.body.value
}

/** The birthday that a mail to a contact shows. */
async function birthdayInMail(address: string, contact: string) {
  const html = '<html><body>Born {{ Birthday | date: "%F" }}.</body></html>'
  const action = await stage.validated(await stage.action({ content: { subject: 'Hi', html } }))
  await call('POST', `/actions/${action}/execution`, { body: { recipient: { type: 'id', value: contact } } })
  await stage.settle()
  return /Born ([\d-]+)/.exec(String(stage.gateway.to(address).at(-1)!.bytes))?.[1]
}

suite('a date without a time', () => {
  for (const zone of ['America/New_York', 'Pacific/Auckland'])
    test(`is the same day in files, answers, exports, mails and scripts of an account in ${zone}`, async () => {
      await call('PUT', '/settings/contacts', { body: { timeZone: zone } })
      const name = zone.split('/')[1]!.toLowerCase()
      const forms = ['1990-05-17', '17/05/1990', '19900517', '1990-05-17T00:00:00.000Z']
      const addresses = forms.map((_, index) => `${name}${index}@days.example`)
      const file = addresses.map((address, index) => `${address};${forms[index]}\n`).join('')
      const counts = await importFile(`Email;Birthday\n${file}`)
      assert.deepEqual(counts, { created: 4, updated: 0, rejected: 0, skipped: 0 })
      for (const address of addresses) {
        const { id, fields } = await contactOf(address)
        assert.equal(fields[birthday], '1990-05-17T00:00:00.000Z')
        assert.equal((await call('GET', `/targets/${id}/export`)).body.contact.fields[birthday], fields[birthday])
      }
      const [first = ''] = addresses
      const { id } = await contactOf(first)
      assert.equal(await birthdayInMail(first, id), '1990-05-17')
      assert.equal(await birthdayInScript(id, zone), '1990-05-17')

      const birthdays = await Promise.all(addresses.map(async (one) => (await contactOf(one)).fields[birthday]))
      const again = addresses.map((address, index) => `${address};${birthdays[index]}\n`).join('')
      const same = await importFile(`Email;Birthday\n${again}`)
      assert.deepEqual(same, { created: 0, updated: 0, rejected: 0, skipped: 4 })
    })
})
